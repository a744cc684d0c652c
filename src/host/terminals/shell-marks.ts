/**
 * Follows shell marks (OSC 133) in what a shell prints.
 *
 *   finished(exit code) → prompt → ready → begins → finished …
 *
 * Pure: bytes in, marks out, each with its place in the log. Half a mark at the end of a chunk waits for the next one.
 * A mark without the nonce is text that somebody printed, and is ignored.
 */
export type ShellMark =
  | { readonly kind: 'finished'; readonly exitCode: number | null; readonly from: number; readonly to: number }
  | { readonly kind: 'prompt'; readonly bang: boolean; readonly from: number; readonly to: number }
  | { readonly kind: 'ready' | 'begins'; readonly from: number; readonly to: number }
  /** Whether the shell takes text that is pasted as such. */
  | { readonly kind: 'paste'; readonly on: boolean; readonly from: number; readonly to: number }

const ESCAPE = 0x1b
const LONGEST_MARK = 256
const MARK = /\x1b(?:\]133;([ABCD])((?:;[^;\x07\x1b]{0,80})*)(?:\x07|\x1b\\)|\[\?2004([hl]))/g
/** What could become a mark with more bytes. */
const UNFINISHED = /\x1b(?:\](?:1(?:3(?:3(?:;[^\x07\x1b]*\x1b?)?)?)?)?|\[(?:\?(?:2(?:0(?:0(?:4)?)?)?)?)?)?$/

export class ShellMarks {
  readonly #nonce: string
  #held = ''

  constructor(nonce: string) {
    this.#nonce = nonce
  }

  /** `at`: where the chunk is in the log. */
  read(at: number, bytes: Buffer): ShellMark[] {
    // Of a flood most has none.
    if (this.#held === '' && !bytes.includes(ESCAPE)) return []
    const text = this.#held + bytes.toString('latin1')
    const start = at - this.#held.length
    const marks = [...text.matchAll(MARK)].flatMap(match => {
      const from = start + match.index
      return this.#markOf(match, from, from + match[0].length) ?? []
    })
    const rest = UNFINISHED.exec(text)?.[0] ?? ''
    this.#held = rest.length > LONGEST_MARK ? '' : rest
    return marks
  }

  #markOf([, letter, options = '', paste]: RegExpExecArray, from: number, to: number): ShellMark | null {
    if (paste !== undefined) return { kind: 'paste', on: paste === 'h', from, to }
    const words = options.split(';').slice(1)
    if (!words.includes(`aid=${this.#nonce}`)) return null
    switch (letter) {
      case 'D':
        return { kind: 'finished', exitCode: /^\d{1,3}$/.test(words[0] ?? '') ? Number(words[0]) : null, from, to }
      case 'A':
        return { kind: 'prompt', bang: words.includes('bang=1'), from, to }
      case 'B':
        return { kind: 'ready', from, to }
      default:
        return { kind: 'begins', from, to }
    }
  }
}
