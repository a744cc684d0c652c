/** To whoever typed the command. Returns the code it ends with. */
export function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`)
  return code
}

/** A command may hold anything; a listing of it must not move the cursor or hide text. */
export const drawn = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, char => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
