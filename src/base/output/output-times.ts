import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * When output came: the file `times` beside the segments of a log, 16 bytes for a moment, where it begins in the log and when that was.
 *
 * What comes within a moment counts as one. A command that is over within one, as most are, has no file: its start and its end say as
 * much. Behind so many moments nothing more is noted.
 */
export interface OutputMoment {
  readonly offset: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** How exactly times are known. */
export const MOMENT_MS = 50
const ENTRY_BYTES = 16
const MOST_MOMENTS = 65_536
const NAME = 'times'

export class OutputTimes {
  readonly #directory: string
  readonly #now: () => number
  readonly #openedAt: number
  #first: OutputMoment | null = null
  #last = 0
  #count = 0
  /** broken: it could not be written, which stops nothing. */
  #file: number | 'none' | 'broken' = 'none'
  /** Noted and not yet in the file: whoever waits for this output is answered first. */
  #held: Buffer[] = []
  #soon: NodeJS.Immediate | null = null

  constructor(directory: string, now: () => number) {
    this.#directory = directory
    this.#now = now
    this.#openedAt = now()
  }

  /** Bytes from here on are there now, and the directory is. */
  note(offset: number): void {
    const at = this.#now()
    if (this.#first === null) {
      this.#first = { offset, at }
      this.#last = at
    } else if (Math.abs(at - this.#last) >= MOMENT_MS && this.#count < MOST_MOMENTS) {
      if (this.#count === 0) this.#write(this.#first)
      this.#write({ offset, at })
      this.#last = at
    }
  }

  close(): void {
    const first = this.#first
    // One moment, but start and end do not say when.
    if (first && this.#count === 0 && this.#now() - this.#openedAt >= MOMENT_MS) this.#write(first)
    this.#flush()
    if (typeof this.#file === 'number') closeSync(this.#file)
    this.#file = 'broken'
  }

  #write({ offset, at }: OutputMoment): void {
    const entry = Buffer.allocUnsafe(ENTRY_BYTES)
    entry.writeDoubleLE(offset)
    entry.writeDoubleLE(at, 8)
    this.#held.push(entry)
    this.#count += 1
    this.#soon ??= setImmediate(() => this.#flush())
  }

  #flush(): void {
    const held = this.#held.splice(0)
    if (this.#soon) clearImmediate(this.#soon)
    this.#soon = null
    if (held.length === 0 || this.#file === 'broken') return
    try {
      if (this.#file === 'none') this.#file = openSync(join(this.#directory, NAME), 'a', 0o600)
      writeSync(this.#file, Buffer.concat(held))
    } catch {
      if (typeof this.#file === 'number') closeSync(this.#file)
      this.#file = 'broken' // a full disk: times that are missing are said to be
    }
  }
}

/** The moments of a log, in order; none: they were not noted. */
export function outputMoments(directory: string): OutputMoment[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(join(directory, NAME))
  } catch {
    return [] // a short run, an older one, or one that printed nothing
  }
  const moments = Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, i) => ({
    offset: bytes.readDoubleLE(i * ENTRY_BYTES),
    at: bytes.readDoubleLE(i * ENTRY_BYTES + 8),
  }))
  // An entry that was torn and written after would lead back: what follows it says nothing.
  const wrong = moments.findIndex(({ offset, at }, i) => !(offset >= (moments[i - 1]?.offset ?? 0)) || !(at > 0))
  return wrong < 0 ? moments : moments.slice(0, wrong)
}
