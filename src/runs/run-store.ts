import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'
import { type EndedLine, type OpenedLine, RecordLine, type StartedLine } from '../contract/run-record.ts'

/**
 * Runs on disk, one directory each: `record.jsonl` and the output log.
 *
 *   runs/live/<id>/           being written
 *   runs/done/<day>/<id>/     over; a whole day goes when its time has come
 *
 * All servers of one person share it, so a run is found by its id whoever started it.
 */
export interface StoredRun {
  readonly opened: OpenedLine
  readonly started: StartedLine | null
  readonly ended: EndedLine | null
  readonly directory: string
}

export class RunStore {
  readonly #live: string
  readonly #done: string
  readonly #now: () => number
  #today = ''

  constructor(options: { stateDir: string; now: () => number }) {
    this.#live = join(options.stateDir, 'runs', 'live')
    this.#done = join(options.stateDir, 'runs', 'done')
    this.#now = options.now
  }

  /**
   * Takes the id for good. Says null when it is taken already; the caller then looks whose it is. An id with 128 random
   * bits of ours needs no look.
   */
  open(line: OpenedLine, id: 'given' | 'made'): string | null {
    const directory = join(this.#live, directoryName(line.id))
    if (!this.#take(directory)) return null
    // Records only ever move from live to done: whoever had the id before us is there by now.
    if (id === 'given' && this.#doneDirectory(line.id)) {
      rmSync(directory, { recursive: true, force: true })
      return null
    }
    this.append(directory, line)
    return directory
  }

  append(directory: string, line: OpenedLine | StartedLine | EndedLine): void {
    appendFileSync(join(directory, 'record.jsonl'), `${JSON.stringify(line)}\n`, { mode: 0o600 })
  }

  /** Nothing more will be written to it. Says where it is from now on. */
  archive(directory: string, id: string): string {
    const day = join(this.#done, new Date(this.#now()).toISOString().slice(0, 10))
    const place = join(day, directoryName(id))
    try {
      if (day !== this.#today) mkdirSync(day, { recursive: true, mode: 0o700 })
      this.#today = day
      renameSync(directory, place)
      return place
    } catch {
      // It stays in live, where it is found just as well, or another server was faster, or swept the day away.
      this.#today = ''
      return directory
    }
  }

  find(id: string): StoredRun | null {
    const name = directoryName(id)
    const run = readRun(join(this.#live, name)) ?? this.#findDone(id)
    // On a disk that does not tell upper from lower case, another id may have answered.
    return run?.opened.id === id ? run : null
  }

  live(): StoredRun[] {
    return names(this.#live).flatMap(name => readRun(join(this.#live, name)) ?? [])
  }

  /** The newest `most` of those that are over, newest first, and how many more there are. */
  recent(most: number): { runs: StoredRun[]; more: number } {
    const found: { directory: string; at: number }[] = []
    let more = 0
    for (const day of this.days().reverse()) {
      const inDay = names(join(this.#done, day))
      if (found.length >= most) {
        more += inDay.length
        continue
      }
      for (const name of inDay) {
        const directory = join(this.#done, day, name)
        found.push({ directory, at: modifiedAt(join(directory, 'record.jsonl')) })
      }
    }
    found.sort((a, b) => b.at - a.at)
    const runs = found.slice(0, most).flatMap(({ directory }) => readRun(directory) ?? [])
    return { runs, more: more + Math.max(0, found.length - most) }
  }

  days(): string[] {
    return names(this.#done)
      .filter(name => /^\d{4}-\d\d-\d\d$/.test(name))
      .sort()
  }

  /** Lets go of what is too old, then of the oldest days and runs until all of it fits. Never of a live run. */
  evict(limits: { retentionDays: number; totalBytes: number }): void {
    const oldest = new Date(this.#now() - limits.retentionDays * 86_400_000).toISOString().slice(0, 10)
    for (const day of this.days()) if (day < oldest) rmSync(join(this.#done, day), { recursive: true, force: true })
    const runs = this.days().flatMap(day =>
      names(join(this.#done, day)).map(name => {
        const directory = join(this.#done, day, name)
        return { directory, at: modifiedAt(join(directory, 'record.jsonl')), bytes: bytesIn(directory) }
      }),
    )
    let total = runs.reduce((sum, run) => sum + run.bytes, 0)
    for (const run of runs.sort((a, b) => a.at - b.at)) {
      if (total <= limits.totalBytes) return
      rmSync(run.directory, { recursive: true, force: true })
      total -= run.bytes
    }
  }

  #take(directory: string): boolean {
    try {
      mkdirSync(directory, { mode: 0o700 })
      return true
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === 'EEXIST') return false
      if (code !== 'ENOENT') throw cause
    }
    privateDirectory(this.#live)
    return this.#take(directory)
  }

  #findDone(id: string): StoredRun | null {
    const directory = this.#doneDirectory(id)
    return directory ? readRun(directory) : null
  }

  #doneDirectory(id: string): string | null {
    for (const day of this.days().reverse()) {
      const directory = join(this.#done, day, directoryName(id))
      if (modifiedAt(directory) > 0) return directory
    }
    return null
  }
}

/** An id as a directory name that every system takes. */
const directoryName = (id: string): string => id.replace(/:/g, '%3A').replace(/^\./, '%2E').replace(/\.$/, '%2E')

function readRun(directory: string): StoredRun | null {
  let text: string
  try {
    text = readFileSync(join(directory, 'record.jsonl'), 'utf8')
  } catch {
    return null // moved or evicted meanwhile
  }
  const run: { opened?: OpenedLine; started: StartedLine | null; ended: EndedLine | null } = {
    started: null,
    ended: null,
  }
  for (const line of text.split('\n')) {
    const parsed = RecordLine.safeParse(parseJson(line))
    // The last line may be cut short by a crash: what it announced did not happen.
    if (!parsed.success) continue
    if (parsed.data.type === 'opened') run.opened = parsed.data
    else if (parsed.data.type === 'started') run.started = parsed.data
    else run.ended = parsed.data
  }
  return run.opened ? { opened: run.opened, started: run.started, ended: run.ended, directory } : null
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // fails the schema like any other line that is not ours
  }
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // not there yet
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function bytesIn(directory: string): number {
  return names(directory).reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
