import { closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs'

const LONGEST_FIRST_LINE = 256
const MOST_KEPT = 128
/** The times of a file are no finer than this on any disk: what was changed a moment ago may change again without a sign of it. */
const SETTLED_MS = 3000

interface SeenFile {
  readonly stat: Stats
  readonly start: string
}

/**
 * How files begin, for programs that may be scripts. What was read is kept for as long as the same file is there, as its inode, size and
 * the time of its last change say, which nobody can set back.
 */
export class FirstLines {
  readonly #now: () => number
  readonly #seen = new Map<string, SeenFile>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** null: it is no file, or not ours to read. */
  of(path: string): string | null {
    try {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (!stat?.isFile()) return null
      const known = this.#seen.get(path)
      if (known !== undefined && isSame(known.stat, stat)) return known.start
      const start = bytesOf(path, LONGEST_FIRST_LINE)
      if (this.#now() - stat.ctimeMs > SETTLED_MS) this.#keep(path, { stat, start })
      return start
    } catch {
      return null // not ours to read
    }
  }

  #keep(path: string, seen: SeenFile): void {
    this.#seen.delete(path)
    this.#seen.set(path, seen)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > MOST_KEPT && oldest !== undefined) this.#seen.delete(oldest)
  }
}

/** The same without keeping it. */
export const firstLineOf = (path: string): string | null => startOf(path, LONGEST_FIRST_LINE)

const isSame = (a: Stats, b: Stats): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs

/** The first bytes of a file, at most so many, as they are; null: it is no file, or not ours to read. */
export function startOf(path: string, most: number): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? bytesOf(path, most) : null
  } catch {
    return null // not ours to read
  }
}

function bytesOf(path: string, most: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const bytes = Buffer.allocUnsafe(most)
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, most, 0))
  } finally {
    closeSync(file)
  }
}
