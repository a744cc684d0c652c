/**
 * What a program printed, as text beside others: line breaks and tabs as they are, everything that cannot be seen or turns text round
 * by its name. Nothing is decided by it.
 */
export const shownOutput = (text: string): string =>
  text.replace(HIDDEN, char => {
    const code = char.codePointAt(0) ?? 0
    return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
  })

// A joiner inside a picture of several is part of that picture.
const HIDDEN = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164]/gu
