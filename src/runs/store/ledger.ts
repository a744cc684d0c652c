import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import {
  type AllowedLine,
  type EndedLine,
  type OpenedLine,
  RecordLine,
  type StartedLine,
} from '../../contract/disk/run-record.ts'
import { openedAt, type RunLines } from './index-file.ts'
import { chained, type LineMark, lastMark, markIn, NO_LINE } from './ledger-chain.ts'
import { LedgerIndex } from './ledger-index.ts'

/** A run as its lines in a ledger have it. */
export interface StoredRun {
  readonly opened: OpenedLine
  readonly allowed: AllowedLine | null
  readonly started: StartedLine | null
  readonly ended: EndedLine | null
  /** Where its output is, if it had any. */
  readonly directory: string
}

/** A run with the lines that say so, by type, number and hash. */
export interface RunRecord {
  readonly run: StoredRun
  readonly lines: readonly (LineMark & { readonly type: RecordLine['type'] })[]
}

/** What is closed and larger than this is known on disk rather than in memory. */
const SAVED_WHEN_CLOSED_BYTES = 16 * 1024

/**
 * The runs one server opened on one day: `ledger.jsonl`, only ever appended to, with a directory beside it for each run
 * that printed something. A file `closed` says that no line will follow. Each line carries its number and a hash over itself
 * and the line before, so that a changed or missing one shows (`verify`).
 */
export class Ledger {
  readonly directory: string
  readonly #index: LedgerIndex
  #fd: number | null = null
  #closed = false
  /** Where our last whole line ended. */
  #end = -1
  #last: LineMark = NO_LINE

  constructor(directory: string) {
    this.directory = directory
    this.#index = new LedgerIndex(this.#file)
  }

  /** What belongs to one moment is one write. */
  append(...lines: readonly RecordLine[]): void {
    let file = this.#fd === null ? null : fstatSync(this.#fd)
    // Removed by somebody meanwhile: what is written there nobody would ever read.
    if (file?.nlink === 0) {
      this.release()
      file = null
    }
    if (this.#fd === null) {
      privateDirectory(this.directory)
      this.#fd = openSync(this.#file, 'a', 0o600)
    }
    const { size } = file ?? fstatSync(this.#fd)
    // A crash or a full disk may have cut the last line short: ours must not be swallowed by it.
    const alone = size === this.#end
    let all = !alone && isTorn(this.#file) ? '\n' : ''
    let mark = alone ? this.#last : lastMark(this.#file)
    for (const line of lines) {
      const next = chained(line, mark)
      all += next.text
      mark = next.mark
    }
    const bytes = Buffer.from(all)
    writeWhole(this.#fd, bytes)
    this.#end = size + bytes.length
    this.#last = mark
  }

  outputDirectory(runId: string): string {
    return join(this.directory, `run-${fileNameOf(runId)}`)
  }

  /** No line will follow. Says whether we were the one to close it. */
  close(): boolean {
    this.release()
    try {
      writeFileSync(join(this.directory, 'closed'), '', { flag: 'wx', mode: 0o600 })
      return true
    } catch {
      return false // closed before, or never written to
    }
  }

  release(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  get closed(): boolean {
    this.#closed ||= existsSync(join(this.directory, 'closed'))
    return this.#closed
  }

  /** All runs, oldest first. */
  read(): StoredRun[] {
    return this.#all(this.#index.all())
  }

  /** Those that nobody has seen end. */
  readOpen(): StoredRun[] {
    return this.#all(this.#index.open())
  }

  /** Where the output of those goes that nobody has seen end. */
  openDirectories(): ReadonlySet<string> {
    return new Set(this.readOpen().map(run => run.directory))
  }

  /** The first run that was opened here: it says whose ledger it is. */
  first(): StoredRun | null {
    const first = this.#index.first()
    return (first && this.#all([first])[0]) ?? this.read()[0] ?? null
  }

  find(id: string): StoredRun | null {
    const lines = this.#index.find(id)
    const [run] = lines ? this.#all([lines]) : []
    return run?.opened.id === id ? run : null
  }

  /** The same with the lines that say so. */
  record(id: string): RunRecord | null {
    const lines = this.#index.find(id)
    const [texts = []] = lines ? this.#index.textsOf([lines]) : []
    const run = storedRun(texts, each => this.outputDirectory(each))
    if (run?.opened.id !== id) return null
    return { run, lines: texts.flatMap(markedLine) }
  }

  /** Those that ended last, and how many ended at all. */
  newest(most: number): { readonly runs: readonly StoredRun[]; readonly all: number } {
    const { lines, all } = this.#index.newest(most)
    return { runs: this.#all(lines), all }
  }

  /** Those that were opened before this place, the last of them first; `next`: the place to go on from, null: there are no more. */
  before(place: number, most: number): { readonly runs: readonly StoredRun[]; readonly next: number | null } {
    const lines = this.#index.before(place, most)
    const last = lines.at(-1)
    return { runs: this.#all(lines), next: lines.length < most || !last ? null : openedAt(last) }
  }

  /** Output of those that are over, where that is known without a look at each. */
  get keptBytes(): number | null {
    return this.#index.keptBytes
  }

  /** Reads what it does not know yet, with turns for others in between: after it every question is answered quickly. */
  catchUp(rest: () => Promise<void>): Promise<void> {
    return this.#index.catchUp(rest, this.closed ? SAVED_WHEN_CLOSED_BYTES : Number.POSITIVE_INFINITY)
  }

  #all(runs: readonly RunLines[]): StoredRun[] {
    return this.#index.textsOf(runs).flatMap(lines => storedRun(lines, id => this.outputDirectory(id)) ?? [])
  }

  get #file(): string {
    return join(this.directory, 'ledger.jsonl')
  }
}

/** A run from its lines; null: the first of them is missing. */
export function storedRun(lines: readonly string[], directoryOf: (id: string) => string): StoredRun | null {
  let opened: OpenedLine | null = null
  let allowed: AllowedLine | null = null
  let started: StartedLine | null = null
  let ended: EndedLine | null = null
  for (const line of lines) {
    const { data } = RecordLine.safeParse(parseJson(line))
    if (data?.type === 'opened') opened = data
    else if (data?.type === 'allowed') allowed = data
    else if (data?.type === 'started') started = data
    else if (data) ended = data
  }
  return opened && { opened, allowed, started, ended, directory: directoryOf(opened.id) }
}

function markedLine(line: string): RunRecord['lines'] {
  const { data } = RecordLine.safeParse(parseJson(line))
  const mark = markIn(line)
  return data && mark ? [{ type: data.type, ...mark }] : []
}

/** A full disk may take a part and say nothing: then the rest says it. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

/** Whether its last line was cut short. */
function isTorn(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return false
  const fd = openSync(file, 'r')
  const last = Buffer.alloc(1)
  readSync(fd, last, 0, 1, size - 1)
  closeSync(fd)
  return last[0] !== 0x0a
}

/** An id as a file name that every system takes: no colon, no dot at either end, and no longer than the id. */
export const fileNameOf = (id: string): string => id.replaceAll(':', ',').replace(/^\.|\.$/g, '~')

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // fails the schema like any other line that is not ours
  }
}
