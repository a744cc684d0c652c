import { Worker } from 'node:worker_threads'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { BriefMatch } from './brief-match.ts'
import { type Expression, linesWith } from './lines-with.ts'

/** A pattern that took longer on a piece of output than anybody should wait. */
export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow'
}

/** Far more than an ordinary pattern takes for a megabyte, also on a busy machine. */
const LONGEST_MATCH_MS = 3000
const LITTLE_HEAP_MB = 64

/**
 * Finds the lines that have a pattern: a regular expression, or plain text, whichever is there. Several: any of them. A pattern
 * that is plain text only is looked for here; any other here for a moment, because a thread takes longer to start than most
 * patterns need, and then in a thread of its own, because it may never end.
 */
export class LineMatcher implements Disposable {
  readonly #texts: readonly string[]
  readonly #expression: Expression | null
  readonly #clock: Clock
  readonly #brief: BriefMatch | null
  #thread: Thread | null = null

  constructor(patterns: readonly string[], clock: Clock) {
    this.#clock = clock
    this.#texts = patterns
    this.#expression = expressionOf(patterns)
    this.#brief = this.#expression && new BriefMatch(this.#expression)
  }

  /** A quick look before the bytes are read as text. Colours may stand in the middle of a word. */
  isNotIn(bytes: Buffer): boolean {
    return this.#expression === null && !bytes.includes(0x1b) && !this.#texts.some(text => bytes.includes(text))
  }

  /** Where the lines begin that have it, at most so many. */
  async linesIn(text: string, most: number): Promise<number[]> {
    if (this.#expression === null) return plainLinesIn(text, this.#texts, most)
    const starts = this.#brief?.linesIn(text, most) ?? null
    if (starts !== null) return starts
    this.#thread ??= new Thread(this.#expression, this.#clock)
    return this.#thread.linesIn(text, most)
  }

  dispose(): void {
    this.#thread?.dispose()
    this.#thread = null
  }
}

/** null: there is nothing in them but text. */
function expressionOf(patterns: readonly string[]): Expression | null {
  const sources = patterns.map(regexSource).filter(source => source !== null)
  if (sources.length === 0) return null
  const flags = patterns.every(pattern => pattern.startsWith('(?i)')) ? 'gim' : 'gm'
  return { source: [...sources, ...patterns.map(quoted)].map(source => `(?:${source})`).join('|'), flags }
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/
const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** null: plain text, or no regular expression after all. `(?i)` in front, as other languages have it, counts for letter case. */
function regexSource(pattern: string): string | null {
  const source = pattern.replace(/^\(\?i\)/, '')
  if (source === pattern && !SPECIAL.test(source)) return null
  try {
    new RegExp(source)
    return source
  } catch {
    return null
  }
}

function plainLinesIn(text: string, texts: readonly string[], most: number): number[] {
  const starts: number[] = []
  for (let from = 0; from <= text.length && starts.length < most; ) {
    const at = Math.min(...texts.map(each => indexFrom(text, each, from)))
    if (at === Number.POSITIVE_INFINITY) break
    starts.push(at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)
    from = indexFrom(text, '\n', at) + 1
  }
  return starts
}

function indexFrom(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

/** One thread and what it was asked; ended when it takes too long, and then it answers nothing more. */
class Thread implements Disposable {
  readonly #worker: Worker
  readonly #clock: Clock
  readonly #asked = new Map<number, { resolve(starts: number[]): void; reject(why: Error): void }>()
  #next = 0
  #problem: Error | null = null

  constructor(expression: Expression, clock: Clock) {
    this.#clock = clock
    const program = `const { parentPort } = require('node:worker_threads')
      const answer = ({ id, text, most }) =>
        parentPort.postMessage({ id, starts: (${linesWith})(${JSON.stringify(expression)}, text, most) })
      parentPort.on('message', answer)`
    const limits = { maxOldGenerationSizeMb: LITTLE_HEAP_MB }
    this.#worker = new Worker(program, { eval: true, execArgv: [], env: {}, resourceLimits: limits })
    this.#worker.unref()
    this.#worker.on('message', ({ id, starts }: { id: number; starts: number[] }) => this.#take(id)?.resolve(starts))
    this.#worker.on('error', cause => this.#end(cause))
  }

  async linesIn(text: string, most: number): Promise<number[]> {
    if (this.#problem) throw this.#problem
    const id = this.#next++
    const limit = this.#clock.after(LONGEST_MATCH_MS, () => this.#end(new PatternTooSlow()))
    try {
      return await new Promise((resolve, reject) => {
        this.#asked.set(id, { resolve, reject })
        this.#worker.postMessage({ id, text, most })
      })
    } finally {
      limit.dispose()
    }
  }

  dispose(): void {
    this.#end(new Error('the search is over'))
  }

  #take(id: number) {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    return asked
  }

  #end(why: Error): void {
    this.#problem ??= why
    void this.#worker.terminate()
    for (const id of [...this.#asked.keys()]) this.#take(id)?.reject(why)
  }
}
