import { StringDecoder } from 'node:string_decoder'

export type KeyName =
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'page_up'
  | 'page_down'
  | 'home'
  | 'end'
  | 'tab'
  | 'clear_line'
  | 'quit'

/** What a person did at the keyboard. Pasted text is kept apart: it never decides anything. */
export type Key =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'named'; readonly name: KeyName }
  | { readonly kind: 'paste'; readonly text: string }

export const isNamed = (key: Key, name: KeyName): boolean => key.kind === 'named' && key.name === name
export const isChar = (key: Key, char: string): boolean => key.kind === 'char' && key.char === char

const CONTROL: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x15': 'clear_line',
  '\x01': 'home',
  '\x05': 'end',
  '\x03': 'quit',
  '\x04': 'quit',
}
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[5~': 'page_up',
  '[6~': 'page_down',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[3~': 'delete',
}
const PASTE_STARTS = '\x1b[200~'
const PASTE_ENDS = '\x1b[201~'
const LONGEST_PASTE = 64 * 1024

/** Reads keys out of what a terminal sends. A paste may come in many pieces. */
export class KeyReader {
  readonly #decoder = new StringDecoder('utf8')
  #pasting: string | null = null

  read(bytes: Buffer): Key[] {
    let text = this.#decoder.write(bytes)
    const keys: Key[] = []
    while (text !== '') {
      if (this.#pasting !== null) {
        const end = text.indexOf(PASTE_ENDS)
        this.#pasting = (this.#pasting + (end < 0 ? text : text.slice(0, end))).slice(0, LONGEST_PASTE)
        if (end < 0) break
        keys.push({ kind: 'paste', text: this.#pasting })
        this.#pasting = null
        text = text.slice(end + PASTE_ENDS.length)
      } else if (text.startsWith(PASTE_STARTS)) {
        this.#pasting = ''
        text = text.slice(PASTE_STARTS.length)
      } else {
        const { key, length } = firstKey(text)
        if (key) keys.push(key)
        text = text.slice(length)
      }
    }
    return keys
  }
}

function firstKey(text: string): { key: Key | null; length: number } {
  const sequence = /^\x1b(\[[0-9;?]*[ -/]*[@-~]|O[A-Za-z])/.exec(text)
  if (sequence) {
    const name = SEQUENCES[sequence[1] ?? '']
    return { key: name ? { kind: 'named', name } : null, length: sequence[0].length }
  }
  // Alone it is the key; before a letter it is a shortcut we do not have.
  if (text[0] === '\x1b')
    return { key: text.length === 1 ? { kind: 'named', name: 'escape' } : null, length: Math.min(2, text.length) }
  const char = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const name = CONTROL[char]
  if (name) return { key: { kind: 'named', name }, length: 1 }
  return { key: /[\p{C}]/u.test(char) ? null : { kind: 'char', char }, length: char.length }
}
