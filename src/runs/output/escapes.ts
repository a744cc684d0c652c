// CSI, terminated OSC and other string sequences, two-character escapes. What is not terminated stays: it must not hide text.
const ESCAPE = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ\\\`-~])`

/** The longest start of a sequence that is held back until its rest has come. */
export const LONGEST_ESCAPE = 256

/** Makes a new one for each use: it remembers where it was. */
export const escapes = (): RegExp => new RegExp(ESCAPE, 'g')

const ESCAPES = escapes()

export const withoutEscapes = (text: string): string => (text.includes('\x1b') ? text.replace(ESCAPES, '') : text)

const IN_A_LINE = new RegExp(ESCAPE.replace('[^\\x07\\x1b]', '[^\\x07\\x1b\\n]'), 'g')

/** The same, with as many lines as before. */
export const linesWithoutEscapes = (text: string): string =>
  text.includes('\x1b') ? text.replace(IN_A_LINE, '') : text
