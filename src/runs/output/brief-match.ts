import { type Context, createContext, Script } from 'node:vm'
import { type Expression, linesWith } from './lines-with.ts'

/** An ordinary pattern needs far less than a millisecond for a few lines. Nobody else is served meanwhile. */
const LONGEST_MS = 50
const LONGEST_TEXT = 64 * 1024

/** Looks for a pattern in a short text in this very thread, and gives up when that takes longer than a moment. */
export class BriefMatch {
  readonly #script = new Script(`(${linesWith})(expression, text, most)`)
  readonly #context: Context
  readonly #longestMs: number
  #tooSlow = false

  constructor(expression: Expression, longestMs = LONGEST_MS) {
    this.#longestMs = longestMs
    this.#context = createContext({ expression, text: '', most: 0 })
  }

  /** Null: it has to be looked for where it may take long. */
  linesIn(text: string, most: number): number[] | null {
    if (this.#tooSlow || text.length > LONGEST_TEXT) return null
    Object.assign(this.#context, { text, most })
    try {
      return [...(this.#script.runInContext(this.#context, { timeout: this.#longestMs }) as number[])]
    } catch {
      // It took too long, here and now: from now on it does so elsewhere.
      this.#tooSlow = true
      return null
    }
  }
}
