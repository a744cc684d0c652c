import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where in the file the lines of a run are: offset and length. */
interface Lines {
  opened: readonly [number, number] | null
  allowed: readonly [number, number] | null
  started: readonly [number, number] | null
  ended: readonly [number, number] | null
}

const READ_BYTES = 1024 * 1024
// Our own lines begin like this; one that does not is looked at more closely.
const BEGINNING = /^\{"type":"(opened|allowed|started|ended)"(?:,"v":1)?,"id":"([^"\\]*)"/

/**
 * Knows where in a ledger which run is, so that one run of ten thousand is found, and the newest are listed, without
 * reading the others. Only what was appended since the last look is read.
 */
export class LedgerIndex {
  readonly #file: string
  readonly #runs = new Map<string, Lines>()
  /** Those that are over, in the order in which they ended. */
  readonly #over = new Set<string>()
  #read = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Runs, oldest first. */
  ids(): string[] {
    this.#refresh()
    return [...this.#runs.keys()]
  }

  openIds(): string[] {
    return this.ids().filter(id => !this.#over.has(id))
  }

  /** Those that ended last, last first, and how many there are in all. */
  newest(most: number): { readonly ids: readonly string[]; readonly all: number } {
    this.#refresh()
    return { ids: [...this.#over].slice(-most).reverse(), all: this.#over.size }
  }

  /** The lines of each of these runs, as they are there. */
  linesOf(ids: readonly string[]): string[][] {
    this.#refresh()
    return this.#withFile(fd =>
      ids.map(id => {
        const { opened, allowed, started, ended } = this.#runs.get(id) ?? {}
        return [opened, allowed, started, ended].flatMap(at => {
          if (!at) return []
          const bytes = Buffer.allocUnsafe(at[1])
          return [bytes.toString('utf8', 0, readSync(fd, bytes, 0, at[1], at[0]))]
        })
      }),
    )
  }

  #refresh(): void {
    this.#withFile(fd => {
      const { size } = fstatSync(fd)
      if (size < this.#read) this.#forget()
      const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(0, size - this.#read)))
      let held = Buffer.alloc(0)
      for (let at = this.#read; at < size; ) {
        const count = readSync(fd, chunk, 0, chunk.length, at)
        if (count === 0) break
        const bytes = Buffer.concat([held, chunk.subarray(0, count)])
        const whole = bytes.lastIndexOf(0x0a) + 1
        this.#take(bytes, whole, at - held.length)
        // The last line may be on its way, or cut short for ever: it waits for its end.
        held = Buffer.from(bytes.subarray(whole))
        at += count
        this.#read = at - held.length
      }
      return []
    })
  }

  #take(bytes: Buffer, whole: number, at: number): void {
    for (let from = 0; from < whole; ) {
      const end = bytes.indexOf(0x0a, from)
      const [, type, id] = BEGINNING.exec(bytes.toString('latin1', from, Math.min(end, from + 256))) ?? []
      // An ending that was cut short by a crash does not count: only a whole line counts.
      const known = id === undefined || type === 'ended' ? parsed(bytes, from, end) : { type, id }
      if (known) this.#note(known.type as keyof Lines, known.id, [at + from, end - from])
      from = end + 1
    }
  }

  #note(type: keyof Lines, id: string, where: readonly [number, number]): void {
    const run = this.#runs.get(id) ?? { opened: null, allowed: null, started: null, ended: null }
    this.#runs.set(id, run)
    run[type] = where
    if (type === 'ended') this.#over.add(id)
  }

  #forget(): void {
    this.#runs.clear()
    this.#over.clear()
    this.#read = 0
  }

  #withFile<T>(use: (fd: number) => T[]): T[] {
    let fd: number
    try {
      fd = openSync(this.#file, 'r')
    } catch {
      this.#forget()
      return [] // evicted meanwhile, or nothing written yet
    }
    try {
      return use(fd)
    } finally {
      closeSync(fd)
    }
  }
}

function parsed(bytes: Buffer, from: number, end: number): { type: string; id: string } | null {
  try {
    const { type, id } = JSON.parse(bytes.toString('utf8', from, end)) as { type?: unknown; id?: unknown }
    return typeof id === 'string' && /^(opened|allowed|started|ended)$/.test(String(type))
      ? { type: String(type), id }
      : null
  } catch {
    return null // torn by a crash, or empty
  }
}
