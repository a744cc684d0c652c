import { basename, dirname, join } from 'node:path'
import { type DiskRoom, diskRoom, leastRoom } from '../../base/output/disk-room.ts'
import { needDescriptors } from '../../base/process/free-descriptors.ts'
import { namesIn } from '../../base/process/quiet-reads.ts'
import type { AllowedLine, EndedLine, OpenedLine, StartedLine } from '../../contract/disk/run-record.ts'
import { breathe, evictRuns } from './evict-runs.ts'
import { Ledger, type RunRecord, type StoredRun } from './ledger.ts'
import { OverdueLines } from './overdue-lines.ts'
import { TakenIds } from './taken-ids.ts'

/**
 * Runs on disk, of all servers of one person.
 *
 *   runs/<day>/<server>/   one ledger, see ledger.ts; a whole day goes when its time has come
 *   ids/<id>               taken by whoever creates it first, see taken-ids.ts
 *
 * A command that prints nothing costs three short lines in an open file and nothing else, the last two in one write when it is short.
 */
export class RunStore {
  readonly #runs: string
  readonly #disk: (directory: string) => DiskRoom
  readonly #ids: TakenIds
  readonly #serverId: string
  readonly #now: () => number
  readonly #filesPerRun: number
  /** The newest of our own that are over, so that reading on right after the end needs no search. */
  readonly #remembered = new Map<string, StoredRun>()
  readonly #ledgers = new Map<string, Ledger>()
  readonly #open = new Map<string, { readonly ledger: Ledger; started: StartedLine | null }>()
  /** Ledgers of hosts that died: what we took over from them is written on there. */
  readonly #taken = new Map<string, Ledger>()
  /** By day and server, kept for what they remember of where their lines are. */
  readonly #seen = new Map<string, Map<string, Ledger>>()
  readonly #overdue = new OverdueLines()
  readonly #startsSoon: boolean
  readonly #onKept: () => void
  #keptBytes = 0

  constructor(options: {
    stateDir: string
    serverId: string
    now: () => number
    /** How many files a run that is open may still have to open in this process. */
    filesPerRun?: number
    /** Whoever looks for what a run has left finds it by its mark as well: then its start may be written a moment later. */
    marksAreSeen?: boolean
    /** Called when the output of another run is kept. */
    onKept?: () => void
    disk?: (directory: string) => DiskRoom
  }) {
    this.#runs = join(options.stateDir, 'runs')
    this.#disk = options.disk ?? diskRoom
    this.#ids = new TakenIds(join(options.stateDir, 'ids'), options.serverId, options.now)
    this.#serverId = options.serverId
    this.#now = options.now
    this.#filesPerRun = options.filesPerRun ?? 0
    this.#startsSoon = options.marksAreSeen ?? false
    this.#onKept = options.onKept ?? (() => {})
  }

  /**
   * Takes the id for good and says where its output goes; null when it is taken already. An id with 128 random bits of
   * ours needs no look.
   */
  open(line: OpenedLine, id: 'given' | 'made'): string | null {
    this.#refuseWithoutRoom()
    if (id === 'given' && !this.#ids.take(line.id, () => this.find(line.id) !== null)) return null
    const ledger = this.#today()
    try {
      this.#overdue.openWith(ledger, line)
    } catch (cause) {
      if (id === 'given') this.#ids.giveBack(line.id)
      throw cause
    }
    this.#open.set(line.id, { ledger, started: null })
    return ledger.outputDirectory(line.id)
  }

  /** What another server opened and did not see through is ours from now on. */
  take(run: StoredRun): void {
    const ledger = this.all().find(each => each.outputDirectory(run.opened.id) === run.directory)
    if (!ledger) return
    const taken = this.#taken.get(ledger.directory) ?? ledger
    this.#taken.set(taken.directory, taken)
    this.#open.set(run.opened.id, { ledger: taken, started: run.started })
  }

  /** Before the effect: what cannot be written down does not happen. */
  append(line: AllowedLine): void {
    this.#open.get(line.id)?.ledger.append(line)
  }

  /** It has happened: what a full disk does not take is written as soon as there is room. */
  appendAfter(line: StartedLine | EndedLine): void {
    const run = this.#open.get(line.id)
    if (!run) return
    if (line.type === 'started') run.started = line
    // A short command's start and end are one moment.
    this.#overdue.add(run.ledger, line, line.type === 'started' && this.#startsSoon ? 'soon' : 'now')
  }

  /** It is over and its last byte is written: memory lets go of it. */
  archive(opened: OpenedLine, ended: EndedLine, directory: string): void {
    const run = this.#open.get(opened.id)
    const started = run?.started ?? null
    this.#open.delete(opened.id)
    if (run) this.#closeTaken(run.ledger)
    // Its ending says who approved it.
    this.#remembered.set(opened.id, { opened, allowed: null, started, ended, directory })
    this.#keptBytes += ended.output_bytes - ended.lost_bytes
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest)
    this.#onKept()
  }

  /** Output of runs that ended since the last eviction. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  find(id: string): StoredRun | null {
    const remembered = this.#remembered.get(id)
    if (remembered) return remembered
    this.#overdue.try()
    for (const ledger of this.all()) {
      const run = ledger.find(id)
      if (run) return run
    }
    return null
  }

  /** A run with the lines that say so, and the ledger they are in. */
  record(id: string): (RunRecord & { readonly ledger: string }) | null {
    this.#overdue.try()
    for (const ledger of this.all()) {
      const found = ledger.record(id)
      const { directory } = ledger
      if (found) return { ...found, ledger: `${basename(dirname(directory))}/${basename(directory)}` }
    }
    return null
  }

  /** Whether it needs no look at the disk. */
  remembers(id: string): boolean {
    return this.#remembered.has(id)
  }

  /** Reads what is new in all ledgers, with turns for others in between: after it every question is answered quickly. */
  async catchUp(): Promise<void> {
    for (const [at, ledger] of this.all().entries()) {
      await ledger.catchUp(breathe)
      if (at % LEDGERS_AT_ONCE === LEDGERS_AT_ONCE - 1) await breathe()
    }
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
    let all = 0
    for (const day of this.days()) {
      if (all >= most) break
      for (const ledger of this.ofDay(day)) {
        const newest = ledger.newest(most)
        runs.push(...newest.runs)
        all += newest.all
      }
    }
    runs.sort((a, b) => (b.ended?.at ?? 0) - (a.ended?.at ?? 0))
    return { runs: runs.slice(0, most), more: Math.max(0, all - most) }
  }

  /** Every ledger, the newest day first. */
  all(): Ledger[] {
    return this.days().flatMap(day => this.ofDay(day))
  }

  /** Lets go of what is too old, then of the oldest output until the rest fits. Never of a run that is not over. */
  async evict(limits: { retentionDays: number; totalBytes: number }): Promise<void> {
    this.#overdue.try()
    for (const [id, { ended }] of this.#remembered)
      if ((ended?.at ?? 0) < this.#now() - LONGEST_REMEMBERED_MS) this.#remembered.delete(id)
    this.#keptBytes = 0
    const before = this.#now() - limits.retentionDays * 86_400_000
    await evictRuns(this.all(), { oldestDay: dayOf(before), totalBytes: limits.totalBytes })
    await this.#ids.evict(before)
  }

  /** This server is over: its ledgers are complete. */
  close(): void {
    this.#overdue.try()
    for (const ledger of this.#ledgers.values()) ledger.close()
  }

  /** A command whose start, end and output could not be written down is not started. */
  #refuseWithoutRoom(): void {
    needDescriptors(SPARE_FILES + this.#filesPerRun * this.#open.size)
    const room = this.#disk(this.#runs)
    if (room.free >= leastRoom(room)) return
    const [free, least] = [room.free, leastRoom(room)].map(bytes => `${Math.floor(bytes / 1024)} kB`)
    throw new Error(`the disk of ${this.#runs} is full (${free} free, ${least} are needed)`)
  }

  /** The last run of a ledger we took over has ended. */
  #closeTaken(ledger: Ledger): void {
    if (!this.#taken.has(ledger.directory) || [...this.#open.values()].some(run => run.ledger === ledger)) return
    this.#taken.delete(ledger.directory)
    if (ledger.readOpen().length === 0) ledger.close()
    else ledger.release()
  }

  #today(): Ledger {
    const day = dayOf(this.#now())
    const ledger = this.#ledgers.get(day) ?? new Ledger(join(this.#runs, day, this.#serverId))
    this.#ledgers.set(day, ledger)
    return ledger
  }

  /** Days on which something was opened, the newest first. */
  days(): string[] {
    const days = namesIn(this.#runs).filter(name => /^\d{4}-\d\d-\d\d$/.test(name))
    for (const day of [...this.#seen.keys()]) if (!days.includes(day)) this.#seen.delete(day)
    return days.sort().reverse()
  }

  ofDay(day: string): Ledger[] {
    const there = namesIn(join(this.#runs, day))
    const known = this.#seen.get(day) ?? new Map<string, Ledger>()
    this.#seen.set(day, known)
    for (const server of [...known.keys()]) if (!there.includes(server)) known.delete(server)
    return there.map(server => {
      const own = server === this.#serverId ? this.#ledgers.get(day) : undefined
      const ledger = own ?? known.get(server) ?? new Ledger(join(this.#runs, day, server))
      known.set(server, ledger)
      return ledger
    })
  }
}

/** For starting a command, looking for its processes, and answering meanwhile. */
const SPARE_FILES = 16
const MOST_REMEMBERED = 100
const LEDGERS_AT_ONCE = 32
const LONGEST_REMEMBERED_MS = 30 * 60_000

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
