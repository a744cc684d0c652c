import { onAbort } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import type { PtyProcess } from '../../base/process/pty.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { isInside } from '../../policy/judge/decide.ts'
import type { RunRequest } from '../../runs/run/run-request.ts'
import type { CarriedEnv } from './carry.ts'
import { Keyboard } from './keyboard.ts'
import type { Profile } from './shell-profile.ts'
import type { ShellSession } from './shell-session.ts'

/** A tab the person sees. Runs come and go in it, one at a time, and leave it where they stood. */
export interface Terminal {
  readonly id: string
  /** As the person sees it, and may change it. */
  name: string
  readonly requester: string
  workspaceId: string | null
  profile: Profile
  /** Where it began. */
  readonly home: string
  cwd: string
  /** What its runs have changed of the environment. Values are in memory only. */
  env: CarriedEnv
  cols: number
  rows: number
  /** What runs in it now, to be typed into and resized. */
  live: PtyProcess | null
  readonly keyboard: Keyboard
  /** The person's own shell; null: each run is a process of its own. */
  shell: ShellSession | null
  /** The run of that shell. */
  shellRun: string | null
  readonly kind: 'runs' | 'shell'
  /** Its shell ends so that another one can begin. */
  restarting: boolean
  readonly isDefault: boolean
  busyWith: string | null
  readonly waiting: string[]
  /** The runs that were in it, oldest first; not all for ever. */
  readonly runs: string[]
}

/** Whose terminal, and which. Directories are part of it: two servers without a workspace are two places of work. */
export interface TerminalKey {
  readonly requester: string
  readonly workspaceId: string | null
  readonly home: string
  readonly profile: Profile
}

interface Turn {
  readonly runId: string
  readonly begin: () => void
  readonly giveUp: () => void
}

const COLS = 120
const ROWS = 30
const MOST_TERMINALS = 256
const MOST_WAITING = 64
const MOST_REMEMBERED_RUNS = 100

/** Explicit target, else the default of (requester, workspace), else another one (docs/spec.md §3.4, D23). */
export class Terminals {
  readonly #ids: Ids
  readonly #all = new Map<string, Terminal>()
  readonly #turns = new Map<string, Turn[]>()
  #made = 0

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Those of one requester; unknown and others' ids are the same to everybody else. */
  of(requester: string): Terminal[] {
    return [...this.#all.values()].filter(terminal => terminal.requester === requester)
  }

  /** Everybody's: the person sees all. */
  get all(): Terminal[] {
    return [...this.#all.values()]
  }

  find(requester: string, id: string): Terminal {
    const terminal = this.#all.get(id)
    if (terminal?.requester === requester) return terminal
    throw new TermError('PM_TERM_NOT_FOUND', `There is no terminal ${id}.`, { details: { terminal_id: id } })
  }

  ofRun(requester: string, runId: string): Terminal | null {
    return this.of(requester).find(terminal => terminal.runs.includes(runId)) ?? null
  }

  /** The terminal a request names, itself or by a run that was in it; null when it names none. */
  targetOf(
    requester: string,
    target: { readonly terminal_id?: string | undefined; readonly session_id?: string | undefined },
  ): Terminal | null {
    if (target.terminal_id !== undefined) return this.find(requester, target.terminal_id)
    if (target.session_id === undefined) return null
    const terminal = this.ofRun(requester, target.session_id)
    if (terminal) return terminal
    throw new TermError('PM_TERM_NOT_FOUND', `There is no run ${target.session_id} in any terminal.`)
  }

  /** The default of this place of work if it is free, else another free one of it. */
  free(key: TerminalKey): Terminal | null {
    const free = this.#at(key).filter(terminal => terminal.busyWith === null && terminal.waiting.length === 0)
    return free.find(terminal => terminal.isDefault) ?? free[0] ?? null
  }

  create(key: TerminalKey, kind: Terminal['kind'] = 'runs'): Terminal {
    this.#makeRoom()
    return this.#add(this.#ids.make('term'), key, kind)
  }

  /** A directory has become a workspace: its terminals go on as those of it. */
  adopt({ id, directory }: { readonly id: string; readonly directory: string }): void {
    for (const terminal of this.#all.values())
      if (terminal.workspaceId === null && isInside(directory, terminal.home)) terminal.workspaceId = id
  }

  /** The terminal that a run of an earlier host was in. */
  restore({ requester, workspaceId, cwd, interactive }: RunRequest): Terminal {
    const { terminalId: id = '', terminal } = interactive ?? {}
    const known = this.#all.get(id)
    if (known) return known
    const { profile = 'bash', home = cwd, kind = 'runs' } = (terminal ?? {}) as Partial<Terminal>
    const restored = this.#add(id, { requester, workspaceId, profile, home }, kind)
    restored.cwd = cwd
    return restored
  }

  #add(id: string, key: TerminalKey, kind: Terminal['kind']): Terminal {
    this.#made += 1
    const { requester, workspaceId, home, profile } = key
    const terminal: Terminal = {
      id,
      name: `${profile} ${this.#made}`,
      requester,
      workspaceId,
      profile,
      home,
      cwd: home,
      env: {},
      cols: COLS,
      rows: ROWS,
      live: null,
      keyboard: new Keyboard(),
      shell: null,
      shellRun: null,
      kind,
      restarting: false,
      isDefault: kind === 'runs' && !this.#at(key).some(each => each.isDefault),
      busyWith: null,
      waiting: [],
      runs: [],
    }
    this.#all.set(id, terminal)
    return terminal
  }

  #at({ requester, workspaceId, home, profile }: TerminalKey): Terminal[] {
    return this.of(requester)
      .filter(
        terminal => terminal.workspaceId === workspaceId && terminal.home === home && terminal.profile === profile,
      )
      .filter(({ kind }) => kind === 'runs')
  }

  /** Throws when more wait there than should. */
  needRoomIn({ waiting }: Terminal): void {
    if (waiting.length < MOST_WAITING) return
    throw new TermError('PM_TERM_INVALID_MODE', `${MOST_WAITING} commands wait for this terminal. Nothing ran.`, {
      details: { reason: 'too_many_waiting' },
    })
  }

  /** Resolves when it is this run's turn, with what gives the terminal back; null when the wait was given up. */
  take(terminal: Terminal, runId: string, signal: AbortSignal): Promise<{ dispose(): void } | null> {
    terminal.runs.push(runId)
    if (terminal.runs.length > MOST_REMEMBERED_RUNS) terminal.runs.shift()
    const release = { dispose: () => this.#next(terminal) }
    if (terminal.busyWith === null) {
      terminal.busyWith = runId
      return Promise.resolve(release)
    }
    const turns = this.#turns.get(terminal.id) ?? []
    this.#turns.set(terminal.id, turns)
    return new Promise(resolve => {
      terminal.waiting.push(runId)
      const leave = () => terminal.waiting.splice(terminal.waiting.indexOf(runId), 1)
      const turn: Turn = {
        runId,
        begin: () => {
          givingUp.dispose()
          leave()
          terminal.busyWith = runId
          resolve(release)
        },
        giveUp: () => {
          givingUp.dispose()
          leave()
          resolve(null)
        },
      }
      turns.push(turn)
      const givingUp = onAbort(signal, () => {
        const at = turns.indexOf(turn)
        if (at < 0) return
        turns.splice(at, 1)
        turn.giveUp()
      })
    })
  }

  /** It is gone at once; what waits in it never begins. Who runs in it is the caller's to end. */
  close(terminal: Terminal): void {
    this.#all.delete(terminal.id)
    for (const turn of this.#turns.get(terminal.id)?.splice(0) ?? []) turn.giveUp()
    this.#turns.delete(terminal.id)
  }

  #next(terminal: Terminal): void {
    terminal.busyWith = null
    this.#turns.get(terminal.id)?.shift()?.begin()
  }

  /** The oldest tab in which nothing happens goes first. */
  #makeRoom(): void {
    if (this.#all.size < MOST_TERMINALS) return
    const idle = [...this.#all.values()].find(
      ({ busyWith, waiting, shellRun }) => busyWith === null && waiting.length === 0 && shellRun === null,
    )
    if (!idle)
      throw new TermError('PM_TERM_INTERNAL', `${MOST_TERMINALS} terminals are busy. Nothing ran.`, {
        details: { reason: 'too_many_terminals' },
      })
    this.close(idle)
  }
}
