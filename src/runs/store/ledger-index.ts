import { fstatSync, readSync } from 'node:fs'
import { withFile } from '../../base/output/with-file.ts'
import {
  type IndexedRun,
  IndexFile,
  joined,
  keyOf,
  LINE_TYPES,
  type LineType,
  NOWHERE_YET,
  openedAt,
  type RunLines,
  writeIndex,
} from './index-file.ts'
import { knownLine } from './known-line.ts'

type BytesAt = readonly [number, number]
type LinesSoFar = { -readonly [Type in LineType]: RunLines[Type] }

const READ_BYTES = 1024 * 1024
const MOST_NEWEST = 64
const MOST_IN_MEMORY_BYTES = 4 * 1024 * 1024

/**
 * Knows where in a ledger which run is, so that one run of a hundred thousand is found, and the newest are listed, without
 * reading the others. Only what was appended since the last look is read, and most of what is known lies on disk (index-file.ts).
 */
export class LedgerIndex {
  readonly #file: string
  readonly #base: string
  #saved: IndexFile | null = null
  #looked = false
  /** What was appended since the index file was written, by key. */
  readonly #runs = new Map<string, LinesSoFar>()
  /** Those that have ended since, in that order. */
  readonly #over = new Set<string>()
  /** How many of those had ended before. */
  #again = 0
  #keptBytes = 0
  #first: string | null = null
  #read = 0

  constructor(file: string) {
    this.#file = file
    this.#base = file.replace(/\.jsonl$/, '.idx')
  }

  find(id: string): RunLines | null {
    this.#refresh()
    return this.#linesOf(keyOf(id))
  }

  /** All of them, oldest first. */
  all(): RunLines[] {
    this.#refresh()
    const keys = new Set([...(this.#saved?.all().map(({ key }) => key) ?? []), ...this.#runs.keys()])
    const lines = [...keys].flatMap(key => this.#linesOf(key) ?? [])
    return lines.sort((a, b) => openedAt(a) - openedAt(b))
  }

  /** Those that were opened before this place in the ledger, the last of them first. */
  before(place: number, most: number): RunLines[] {
    this.#refresh()
    const fresh = [...this.#runs.values()].filter(({ opened }) => opened !== null && opened[0] < place)
    const saved =
      this.#saved?.before(place, most).map(({ key, lines }) => joined(lines, this.#runs.get(key) ?? {})) ?? []
    return [...fresh, ...saved].sort((a, b) => openedAt(b) - openedAt(a)).slice(0, most)
  }

  first(): RunLines | null {
    this.#refresh()
    const key = this.#saved?.head.first ?? this.#first
    return key === null ? null : this.#linesOf(key)
  }

  /** Those that nobody has seen end, oldest first. */
  open(): RunLines[] {
    this.#refresh()
    return this.#open().map(({ lines }) => lines)
  }

  /** Those that ended last, last first, and how many there are in all. */
  newest(most: number): { readonly lines: readonly RunLines[]; readonly all: number } {
    this.#refresh()
    const all = this.#overCount
    if (most > MOST_NEWEST && this.#saved !== null) {
      const over = this.all().filter(({ ended }) => ended !== null)
      return { lines: over.sort((a, b) => (b.ended?.[0] ?? 0) - (a.ended?.[0] ?? 0)).slice(0, most), all }
    }
    return { lines: this.#newest(most).map(({ lines }) => lines), all }
  }

  /** Output that was kept of those that are over, where that is known without a look at each. */
  get keptBytes(): number | null {
    return this.#saved === null ? null : this.#saved.head.keptBytes + this.#keptBytes
  }

  /** The lines of each of these runs. */
  textsOf(runs: readonly RunLines[]): string[][] {
    return this.#withFile(fd =>
      runs.map(lines =>
        LINE_TYPES.flatMap(type => {
          const at = lines[type]
          if (!at) return []
          const bytes = Buffer.allocUnsafe(at[1])
          return [bytes.toString('utf8', 0, readSync(fd, bytes, 0, at[1], at[0]))]
        }),
      ),
    )
  }

  /**
   * The same as the first look, with turns for others in between; after it every other look is short. `save`: so much that is only
   * in memory at the end goes to disk.
   */
  async catchUp(rest: () => Promise<void>, save: number): Promise<void> {
    for (let more = true; more; ) {
      const from = this.#read
      more = this.#step()
      const isNew = this.#read !== from
      this.#saveFrom(more ? MOST_IN_MEMORY_BYTES : save)
      if (isNew) await rest()
    }
  }

  #saveFrom(bytes: number): void {
    if (this.#read - (this.#saved?.head.covers ?? 0) >= Math.min(bytes, MOST_IN_MEMORY_BYTES)) this.#save()
  }

  #refresh(): void {
    while (this.#step());
  }

  get #overCount(): number {
    return (this.#saved?.head.over ?? 0) + this.#over.size - this.#again
  }

  #linesOf(key: string): RunLines | null {
    const fresh = this.#runs.get(key)
    if (fresh?.opened) return fresh
    const saved = this.#saved?.find(key) ?? null
    return fresh ? joined(saved, fresh) : saved
  }

  #open(): IndexedRun[] {
    const before = (this.#saved?.head.open ?? []).filter(({ key }) => !this.#over.has(key))
    const since = [...this.#runs].filter(([key, { opened }]) => opened !== null && !this.#over.has(key))
    return [
      ...before.map(({ key, lines }) => ({ key, lines: joined(lines, this.#runs.get(key) ?? NOWHERE_YET) })),
      ...since.map(([key, lines]) => ({ key, lines })),
    ]
  }

  #newest(most: number): IndexedRun[] {
    const since = [...this.#over].slice(-most).reverse()
    const before = (this.#saved?.head.newest ?? []).filter(({ key }) => !this.#over.has(key)).reverse()
    return [
      ...since.map(key => ({ key, lines: this.#linesOf(key) ?? NOWHERE_YET })),
      ...before.map(({ key, lines }) => ({ key, lines: joined(lines, this.#runs.get(key) ?? NOWHERE_YET) })),
    ].slice(0, most)
  }

  /** Reads on where the last look ended; false when there is nothing more. */
  #step(): boolean {
    const [more] = this.#withFile(fd => {
      const { size } = fstatSync(fd)
      if (size < this.#read) this.#forget()
      if (!this.#looked) this.#lookAtBase(size)
      return [size > this.#read && this.#take(fd, size)]
    })
    return more ?? false
  }

  #lookAtBase(size: number): void {
    this.#looked = true
    const saved = IndexFile.open(this.#base)
    if (saved === null || saved.head.covers > size) return
    this.#saved = saved
    this.#read = saved.head.covers
  }

  /** Whole lines only: the last one may be on its way, or cut short for ever. */
  #take(fd: number, size: number): boolean {
    for (let most = READ_BYTES; ; most *= 2) {
      const bytes = Buffer.allocUnsafe(Math.min(most, size - this.#read))
      const chunk = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, this.#read))
      const whole = chunk.lastIndexOf(0x0a) + 1
      if (whole > 0) {
        this.#takeLines(chunk, whole, this.#read)
        this.#read += whole
        return this.#read < size
      }
      if (chunk.length < most) return false
    }
  }

  #takeLines(bytes: Buffer, whole: number, at: number): void {
    for (let from = 0; from < whole; ) {
      const end = bytes.indexOf(0x0a, from)
      const known = knownLine(bytes, from, end)
      if (known) this.#note(known.type, keyOf(known.id), [at + from, end - from])
      this.#keptBytes += known?.kept ?? 0
      from = end + 1
    }
  }

  #note(type: LineType, key: string, where: BytesAt): void {
    const run = this.#runs.get(key) ?? { ...NOWHERE_YET }
    this.#runs.set(key, run)
    run[type] = where
    if (type === 'opened') this.#first ??= key
    if (type !== 'ended') return
    if (!this.#over.has(key) && run.opened === null && this.#saved?.find(key)?.ended) this.#again += 1
    this.#over.delete(key)
    this.#over.add(key)
  }

  /** From now on the disk knows it. Where it cannot be written, memory goes on knowing. */
  #save(): void {
    const since = [...this.#runs.keys()].flatMap(key => {
      const lines = this.#linesOf(key)
      return lines ? [{ key, lines }] : []
    })
    const head = {
      covers: this.#read,
      over: this.#overCount,
      keptBytes: (this.#saved?.head.keptBytes ?? 0) + this.#keptBytes,
      first: this.#saved?.head.first ?? this.#first,
      open: this.#open(),
      newest: this.#newest(MOST_NEWEST).reverse(),
    }
    try {
      writeIndex(this.#base, head, this.#saved?.records() ?? Buffer.alloc(0), since)
    } catch {
      return
    }
    this.#forget()
  }

  #forget(): void {
    this.#saved = null
    this.#looked = false
    this.#runs.clear()
    this.#over.clear()
    this.#again = 0
    this.#keptBytes = 0
    this.#first = null
    this.#read = 0
  }

  #withFile<T>(use: (fd: number) => T[]): T[] {
    const found = withFile(this.#file, use)
    // Evicted meanwhile, or nothing written yet.
    if (found === null) this.#forget()
    return found ?? []
  }
}
