import { Disposables, onAbort } from '../../base/disposable.ts'
import type { PtyProcess } from '../../base/process/pty.ts'
import type { Profile } from '../../contract/profiles.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { CarriedChange, CarriedEnv } from './carry.ts'
import { Keyboard } from './keyboard.ts'
import type { ShellSession } from './shell-session.ts'
import { type NameFacts, terminalName } from './terminal-name.ts'

/** Whose terminal, and which. Directories are part of it: two servers without a workspace are two places of work. */
export interface TerminalKey {
  readonly requester: string
  readonly workspaceId: string | null
  readonly home: string
  readonly profile: Profile
}

export interface NewTerminal extends TerminalKey {
  readonly id: string
  readonly cwd: string
  readonly isDefault: boolean
}

/** Whose turn it is to run in a terminal; it is given back at the end. */
export interface Turn {
  dispose(): void
}

interface Waiting {
  begin(): void
  giveUp(): void
}

const MOST_WAITING = 64
const MOST_REMEMBERED_RUNS = 100

/** A tab the person sees. Runs come and go in it, one at a time, and leave it where they stood. */
abstract class Tab {
  readonly id: string
  /** What the person has called it; null: it is called after who runs there and where. */
  givenName: string | null = null
  /** Who ran there last, in their own word, and the folder they work in; the number tells those of one folder apart. */
  usedBy: NameFacts
  readonly requester: string
  workspaceId: string | null
  profile: Profile
  /** Where it began. */
  readonly home: string
  cwd: string
  /** What its runs have changed of the environment. Values are in memory only. */
  env: CarriedEnv = {}
  /** The virtual environment that its shell begins in. */
  venv: string | null = null
  cols = 120
  rows = 30
  /** What runs in it now, to be typed into and resized. */
  live: PtyProcess | null = null
  readonly keyboard = new Keyboard()
  readonly isDefault: boolean
  busyWith: string | null = null
  waiting: readonly string[] = []
  /** The runs that were in it, oldest first; not all for ever. */
  runs: readonly string[] = []
  #turns: readonly Waiting[] = []

  constructor(made: NewTerminal) {
    this.id = made.id
    this.usedBy = { asker: '', folder: made.home, number: 0 }
    this.requester = made.requester
    this.workspaceId = made.workspaceId
    this.profile = made.profile
    this.home = made.home
    this.cwd = made.cwd
    this.isDefault = made.isDefault
  }

  /** As the person sees it. */
  get name(): string {
    return this.givenName ?? terminalName(this.usedBy)
  }

  /** What is in it now and ends with it. */
  get activeRuns(): readonly string[] {
    return this.busyWith === null ? [] : [this.busyWith]
  }

  /** The run that is in it, or was last. */
  get latestRun(): string | undefined {
    return this.activeRuns[0] ?? this.runs.at(-1)
  }

  get isFree(): boolean {
    return this.activeRuns.length === 0 && this.waiting.length === 0
  }

  /** Where it is now. */
  get directory(): string {
    return this.cwd
  }

  rename(name: string): void {
    this.givenName = name
  }

  /** Several clients of one requester share its terminals: it is called after the one that runs there. */
  nowUsedBy(facts: NameFacts): void {
    this.usedBy = facts
  }

  useProfile(profile: Profile): void {
    this.profile = profile
  }

  adopt(workspaceId: string): void {
    this.workspaceId = workspaceId
  }

  backHome(): void {
    this.cwd = this.home
  }

  /** What its runs had changed is forgotten, and so is the virtual environment that was chosen. */
  reset(): void {
    this.backHome()
    this.env = {}
    this.venv = null
  }

  /** Where a person wants its shell. */
  standsIn({ cwd, venv }: { readonly cwd: string; readonly venv: string | null }): void {
    this.cwd = cwd
    this.venv = venv
  }

  /** Takes over what a run has changed. */
  carry({ cwd, env }: Pick<CarriedChange, 'cwd' | 'env'>): void {
    if (cwd !== null) this.cwd = cwd
    this.env = { ...this.env, ...env }
  }

  /** Says whether that is another size. */
  resize(cols: number, rows: number): boolean {
    if (this.cols === cols && this.rows === rows) return false
    this.cols = cols
    this.rows = rows
    this.live?.resize(cols, rows)
    return true
  }

  /** This is what runs in it, until it ends. */
  shows(child: PtyProcess): void {
    this.live = child
    void child.ended.then(() => {
      if (this.live === child) this.live = null
    })
  }

  /** Keys of a person. */
  write(bytes: Buffer): void {
    this.live?.write(bytes)
  }

  /** Throws when more wait here than should. */
  needRoom(): void {
    if (this.waiting.length < MOST_WAITING) return
    throw new TermError('PM_TERM_INVALID_MODE', `${MOST_WAITING} commands wait for this terminal. Nothing ran.`, {
      details: { reason: 'too_many_waiting' },
    })
  }

  /** Resolves when it is this run's turn, with what gives the terminal back; null when the wait was given up. */
  take(runId: string, signal: AbortSignal): Promise<Turn | null> {
    this.remember(runId)
    const turn = { dispose: () => this.#next() }
    if (this.busyWith === null) {
      this.busyWith = runId
      return Promise.resolve(turn)
    }

    this.waiting = [...this.waiting, runId]
    return new Promise(resolve => {
      const life = new Disposables()
      const leave = () => {
        life.dispose()
        this.waiting = this.waiting.filter(each => each !== runId)
        this.#turns = this.#turns.filter(each => each !== waiting)
      }
      const waiting: Waiting = {
        begin: () => {
          leave()
          this.busyWith = runId
          resolve(turn)
        },
        giveUp: () => {
          leave()
          resolve(null)
        },
      }
      this.#turns = [...this.#turns, waiting]
      life.add(onAbort(signal, waiting.giveUp))
    })
  }

  /** What waits in it never begins. Who runs in it is the caller's to end. */
  close(): void {
    for (const waiting of this.#turns) waiting.giveUp()
  }

  protected remember(runId: string): void {
    this.runs = [...this.runs, runId].slice(-MOST_REMEMBERED_RUNS)
  }

  #next(): void {
    this.busyWith = null
    this.#turns[0]?.begin()
  }
}

class RunsTab extends Tab {
  readonly kind = 'runs'
}

class ShellTab extends Tab {
  readonly kind = 'shell'
  /** The person's own shell, while it lives. */
  shell: ShellSession | null = null
  /** The run of that shell, from when it is asked for. */
  shellRun: string | null = null
  /** Its shell ends so that another one can begin. */
  restarting = false

  override get activeRuns(): readonly string[] {
    return this.shellRun === null ? super.activeRuns : [this.shellRun, ...super.activeRuns]
  }

  override get directory(): string {
    return this.shell?.directory ?? this.cwd
  }

  /** This run is its shell, until `shellIsOver`. It is no run that others wait for. */
  beginShell(runId: string): void {
    this.remember(runId)
    this.shellRun = runId
  }

  shellIsOver(): void {
    this.shellRun = null
  }

  speaksThrough(shell: ShellSession): void {
    this.shell = shell
    void shell.process.ended.then(() => {
      if (this.shell === shell) this.shell = null
    })
  }

  async restart(again: () => Promise<void>): Promise<void> {
    this.restarting = true
    try {
      await again()
    } finally {
      this.restarting = false
    }
  }

  override write(bytes: Buffer): void {
    if (this.shell) this.shell.write(bytes)
    else super.write(bytes)
  }
}

/** Each run in it is a process of its own. Its fields are its own to write. */
export type RunsTerminal = Readonly<RunsTab>
/** The person's own shell is in it; lines are typed into that. */
export type ShellTerminal = Readonly<ShellTab>
export type Terminal = RunsTerminal | ShellTerminal

export const runsTerminal = (made: NewTerminal): RunsTerminal => new RunsTab(made)
export const shellTerminal = (made: Omit<NewTerminal, 'isDefault'>): ShellTerminal =>
  new ShellTab({ ...made, isDefault: false })
