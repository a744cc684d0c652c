import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'
import type { AllowedLine, EndedLine, OpenedLine, StartedLine } from '../contract/run-record.ts'
import { fileNameOf, Ledger, type StoredRun } from './ledger.ts'

/**
 * Runs on disk, of all servers of one person.
 *
 *   runs/<day>/<server>/   one ledger, see ledger.ts; a whole day goes when its time has come
 *   ids/<id>               taken by whoever creates it first: an id chosen by a caller stands for one run only
 *
 * A command that prints nothing costs three short lines in an open file and nothing else.
 */
export class RunStore {
  readonly #runs: string
  readonly #ids: string
  readonly #serverId: string
  readonly #now: () => number
  /** The newest of our own that are over, so that reading on right after the end needs no search. */
  readonly #remembered = new Map<string, StoredRun>()
  readonly #ledgers = new Map<string, Ledger>()
  readonly #open = new Map<string, { readonly ledger: Ledger; started: StartedLine | null }>()

  constructor(options: { stateDir: string; serverId: string; now: () => number }) {
    this.#runs = join(options.stateDir, 'runs')
    this.#ids = join(options.stateDir, 'ids')
    this.#serverId = options.serverId
    this.#now = options.now
  }

  /**
   * Takes the id for good and says where its output goes; null when it is taken already. An id with 128 random bits of
   * ours needs no look.
   */
  open(line: OpenedLine, id: 'given' | 'made'): string | null {
    if (id === 'given' && !this.#take(line.id)) return null
    const ledger = this.#today()
    ledger.append(line)
    this.#open.set(line.id, { ledger, started: null })
    return ledger.outputDirectory(line.id)
  }

  append(line: AllowedLine | StartedLine | EndedLine): void {
    const run = this.#open.get(line.id)
    run?.ledger.append(line)
    if (run && line.type === 'started') run.started = line
  }

  /** It is over and its last byte is written: memory lets go of it. */
  archive(opened: OpenedLine, ended: EndedLine, directory: string): void {
    const started = this.#open.get(opened.id)?.started ?? null
    this.#open.delete(opened.id)
    // Its ending says by whose leave it ran.
    this.#remembered.set(opened.id, { opened, allowed: null, started, ended, directory })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest)
  }

  find(id: string): StoredRun | null {
    const remembered = this.#remembered.get(id)
    if (remembered) return remembered
    for (const ledger of this.all()) {
      const [run] = ledger.read(id)
      if (run) return run
    }
    return null
  }

  /** Leaves word for the server that runs it: its end is a kill. */
  noteKill(run: StoredRun): void {
    try {
      writeFileSync(`${run.directory}.killed`, '', { mode: 0o600 })
    } catch {
      // Without the note its server tells of the signal instead, which is true as well.
    }
  }

  killNoted(directory: string): boolean {
    return existsSync(`${directory}.killed`)
  }

  /** A new ending for a run that was over already: its survivors were ended. */
  amend(run: StoredRun, ended: EndedLine): void {
    const ledger = this.all().find(each => each.outputDirectory(run.opened.id) === run.directory)
    ledger?.append(ended)
    if (ledger?.directory !== this.#today().directory) ledger?.release()
    this.#remembered.delete(run.opened.id)
  }

  /** Ledgers that other servers have not closed: they write to them still, or died. */
  unclosedByOthers(): Ledger[] {
    const own = new Set([...this.#ledgers.values()].map(ledger => ledger.directory))
    return this.all().filter(ledger => !own.has(ledger.directory) && !ledger.closed)
  }

  /** The newest `most` that are over, newest first, and how many more there are on the days looked at. */
  recent(most: number): { runs: StoredRun[]; more: number } {
    const runs: StoredRun[] = []
    for (const day of this.#days()) {
      if (runs.length >= most) break
      for (const ledger of this.#ofDay(day)) runs.push(...ledger.read().filter(run => run.ended !== null))
    }
    runs.sort((a, b) => (b.ended?.at ?? 0) - (a.ended?.at ?? 0))
    return { runs: runs.slice(0, most), more: Math.max(0, runs.length - most) }
  }

  /** Every ledger, the newest day first. */
  all(): Ledger[] {
    return this.#days().flatMap(day => this.#ofDay(day))
  }

  /** Lets go of what is too old, then of the oldest output until the rest fits. Never of a run that is not over. */
  evict(limits: { retentionDays: number; totalBytes: number }): void {
    const oldest = dayOf(this.#now() - limits.retentionDays * 86_400_000)
    for (const day of this.#days()) {
      if (day >= oldest) continue
      for (const ledger of this.#ofDay(day)) {
        if (!ledger.closed && ledger.read().some(run => run.ended === null)) continue
        rmSync(ledger.directory, { recursive: true, force: true })
      }
    }
    for (const name of names(this.#ids)) {
      const file = join(this.#ids, name)
      if (modifiedAt(file) < this.#now() - limits.retentionDays * 86_400_000) rmSync(file, { force: true })
    }
    const outputs = this.all().flatMap(ledger =>
      ledger
        .read()
        .filter(run => run.ended !== null && run.ended.output_bytes > 0)
        .map(run => ({ directory: run.directory, at: run.ended?.at ?? 0, bytes: bytesIn(run.directory) })),
    )
    let total = outputs.reduce((sum, output) => sum + output.bytes, 0)
    for (const output of outputs.sort((a, b) => a.at - b.at)) {
      if (total <= limits.totalBytes) return
      rmSync(output.directory, { recursive: true, force: true })
      total -= output.bytes
    }
  }

  /** This server is over: its ledgers are complete. */
  close(): void {
    for (const ledger of this.#ledgers.values()) ledger.close()
  }

  #today(): Ledger {
    const day = dayOf(this.#now())
    const ledger = this.#ledgers.get(day) ?? new Ledger(join(this.#runs, day, this.#serverId))
    this.#ledgers.set(day, ledger)
    return ledger
  }

  /** Creating the file is the taking: of two servers at once only one succeeds. */
  #take(id: string): boolean {
    const file = join(this.#ids, fileNameOf(id))
    try {
      privateDirectory(this.#ids)
      writeFileSync(file, id, { flag: 'wx', mode: 0o600 })
      return true
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    }
    // Taken, maybe this very moment; or, on a disk that does not tell upper from lower case, by another id.
    const owner = readFileSync(file, 'utf8')
    return owner !== '' && owner !== id && this.find(id) === null
  }

  #days(): string[] {
    return names(this.#runs)
      .filter(name => /^\d{4}-\d\d-\d\d$/.test(name))
      .sort()
      .reverse()
  }

  #ofDay(day: string): Ledger[] {
    return names(join(this.#runs, day)).map(server =>
      server === this.#serverId
        ? (this.#ledgers.get(day) ?? new Ledger(join(this.#runs, day, server)))
        : new Ledger(join(this.#runs, day, server)),
    )
  }
}

const MOST_REMEMBERED = 100

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function names(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // not there yet
  }
}

const modifiedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function bytesIn(directory: string): number {
  return names(directory).reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
