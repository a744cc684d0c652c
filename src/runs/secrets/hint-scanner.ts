/** Something to look for, in any letter case, of three letters at least. */
export interface TokenHint<T> {
  readonly text: string
  readonly of: T
}

const KEYS = 65_536
/** Each byte with capital letters made small; whatever is no byte is nothing. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code))
const fold = (code: number): number => (code < 256 ? (FOLDED[code] as number) : 0)
const keyOf = (a: number, b: number, c: number): number => (a * 961 + b * 31 + c) & (KEYS - 1)

/** Finds any of many short texts in one pass over the text. */
export class HintScanner<T> {
  readonly #isFirst = new Uint8Array(KEYS)
  readonly #hints = new Map<number, TokenHint<T>[]>()

  constructor(hints: readonly TokenHint<T>[]) {
    for (const { text, of } of hints) {
      const small = text.toLowerCase()
      const key = keyOf(small.charCodeAt(0), small.charCodeAt(1), small.charCodeAt(2))
      this.#isFirst[key] = 1
      this.#hints.set(key, [...(this.#hints.get(key) ?? []), { text: small, of }])
    }
  }

  /** Calls for each place, from the first to the last. */
  scan(text: string, visit: (of: T, index: number) => void): void {
    const isFirst = this.#isFirst
    let a = 0
    let b = fold(text.charCodeAt(0))
    let c = fold(text.charCodeAt(1))
    for (let i = 2; i < text.length; i++) {
      a = b
      b = c
      c = fold(text.charCodeAt(i))
      if (isFirst[keyOf(a, b, c)] === 1) this.#visitAt(text, i - 2, keyOf(a, b, c), visit)
    }
  }

  #visitAt(text: string, index: number, key: number, visit: (of: T, index: number) => void): void {
    for (const hint of this.#hints.get(key) ?? [])
      if (text.slice(index, index + hint.text.length).toLowerCase() === hint.text) visit(hint.of, index)
  }
}
