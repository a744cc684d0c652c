import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { until } from '../../base/until.ts'
import { Watchers } from '../../base/watchers.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { RunBlock } from '../../contract/wire/terminal-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { PERSON } from '../names.ts'
import type { ScopedRules } from '../questions/scoped-rules.ts'
import type { InteractiveLane } from '../runs/interactive-lane.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import { leftLocked } from '../terminals/left-locked.ts'
import type { RunsTerminal, Terminal } from '../terminals/terminal.ts'
import type { AwayTerminal, Terminals } from '../terminals/terminals.ts'
import type { ShellPlace, WantedShell } from '../terminals/wanted-shell.ts'
import { isIdle } from './idle-terminals.ts'
import { runBlock } from './run-block.ts'
import { typePersonsLine } from './type-persons-line.ts'

export interface DeskDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly terminals: Terminals
  readonly lane: InteractiveLane
  readonly runs: RequesterRuns
  readonly scoped: ScopedRules
  readonly journal: Journal
  /** Where a shell of the person would be, or why it cannot. */
  readonly needShell: (wanted: WantedShell, fallback?: string) => ShellPlace
}

/** What a person has chosen for a shell that begins anew; the rest is as it was. */
type ShellChoice = { readonly [Name in keyof WantedShell]?: NonNullable<WantedShell[Name]> | undefined }

// One row for a burst of keys, not one for each.
const TYPING_MS = 5000
const CLOSED_WITHIN_MS = 10_000
const MOST_BLOCKS = 30

/** What the person does with terminals, whoever's they are. `by`: under which name it is written down. */
export class TerminalActions {
  readonly #deps: DeskDeps
  readonly #typedAt = new Map<string, number>()
  readonly #watchers = new Watchers()
  readonly #looks = new Map<object, string>()

  constructor(deps: DeskDeps) {
    this.#deps = deps
    deps.lane.watch(() => this.#watchers.notify())
  }

  /** Called when a terminal comes, goes or changes, and when a run does. */
  watch(watcher: () => void): { dispose(): void } {
    return this.#watchers.add(watcher)
  }

  get all(): readonly Terminal[] {
    return this.#deps.terminals.all
  }

  find(id: string): Terminal {
    const found = this.all.find(terminal => terminal.id === id)
    if (found) return found
    throw new TermError('PM_TERM_NOT_FOUND', `There is no terminal ${id}.`, { details: { terminal_id: id } })
  }

  /** The run that is in it, or was last. */
  runIn(terminal: Terminal): RunView | null {
    const { latestRun, requester } = terminal
    return latestRun === undefined ? null : this.#deps.runs.of(requester).registry.find(latestRun)
  }

  /** Those that were in it lately, the oldest first; `older`: how many more there were. */
  runBlocks({ requester, runs }: Terminal): { readonly items: RunBlock[]; readonly older: number } {
    const { registry } = this.#deps.runs.of(requester)
    const now = this.#deps.clock.now()
    const latest = runs.slice(-MOST_BLOCKS)
    const items = latest.flatMap(id => {
      const view = registry.find(id)
      return view ? [runBlock(view, now)] : []
    })
    return { items, older: runs.length - items.length }
  }

  /** A shell of the person's own, which no agent can read. */
  open(wanted: WantedShell & { readonly workspaceId: string | null }, by: string): Terminal {
    const { cwd, venv } = this.#deps.needShell(wanted)
    const { profile, workspaceId } = wanted
    const going = this.#deps.lane.start(
      {
        ...this.#opening(),
        terminal_profile: profile,
        working_directory: cwd,
        ...(venv !== null && { venv_path: venv }),
        ...(workspaceId !== null && { workspace_id: workspaceId }),
      },
      { requester: PERSON, client: by, isPerson: true },
    )
    const terminal = this.find(going.terminalId ?? '')
    this.#record('opened', terminal, by)
    this.#watchers.notify()
    return terminal
  }

  /** A line of the person, typed into a shell of theirs; without one into a new one in `cwd`. Gives the terminal once it runs. */
  async runLine(
    line: { readonly terminalId: string | null; readonly cwd: string; readonly command: string },
    by: string,
  ): Promise<string> {
    const shell = { profile: 'system', cwd: line.cwd, venv: null, workspaceId: null } as const
    const terminal = line.terminalId === null ? this.open(shell, by) : this.find(line.terminalId)
    await typePersonsLine(this.#deps, terminal, line.command, by)
    return terminal.id
  }

  rename(id: string, name: string, by: string): void {
    const terminal = this.find(id)
    this.#record('renamed', terminal, by, { name })
    terminal.rename(name)
    this.#watchers.notify()
  }

  resize(id: string, cols: number, rows: number): void {
    if (this.find(id).resize(cols, rows)) this.#watchers.notify()
  }

  /** When a person last typed into any of them. */
  get typedAt(): number | null {
    const times = [...this.#typedAt.values()]
    return times.length === 0 ? null : Math.max(...times)
  }

  /** Keys of a person. That they typed is written down, what they typed is not. */
  write(id: string, bytes: Buffer, by: string): void {
    const terminal = this.find(id)
    const { live } = terminal
    if (live === null) throw new TermError('PM_TERM_INVALID_MODE', 'Nothing runs in this terminal to type into.')
    if (live.locked) throw leftLocked()
    const now = this.#deps.clock.elapsed()
    const run = this.#runTypedInto(terminal)
    // What is typed at a password prompt is nowhere: only this mark says that something was.
    const isSecret = run?.waiting?.found === 'secret'
    const key = `${id}\0${by}\0${isSecret}`
    const before = terminal.keyboard.holder(now)
    const isTyped = terminal.keyboard.personTyped(bytes, now)
    if (isTyped && now - (this.#typedAt.get(key) ?? Number.NEGATIVE_INFINITY) > TYPING_MS) {
      const body = { terminal_id: id, by, ...(isSecret && { secret: true }) }
      const runId = terminal.activeRuns.at(-1) ?? null
      this.#deps.journal.append({ kind: 'person_input', requester: terminal.requester, runId, body })
    }
    if (isTyped) {
      this.#typedAt.set(key, now)
      run?.waiting?.typed()
      if (before !== 'person') this.#watchers.notify()
    }
    terminal.write(bytes)
  }

  #runTypedInto({ requester, busyWith }: Terminal): Run | null {
    return busyWith === null ? null : this.#deps.runs.of(requester).registry.own(busyWith)
  }

  /** What runs in it ends; its shell begins anew, as another one if that was chosen, and what its commands had changed is forgotten. */
  async restart(id: string, by: string, { profile, cwd, venv }: ShellChoice = {}): Promise<void> {
    const terminal = this.find(id)
    // Before anything ends: one who is told no has lost nothing.
    const wanted = { profile: profile ?? terminal.profile, cwd: cwd ?? null, venv: venv ?? null }
    const place = (profile ?? cwd ?? venv) === undefined ? null : this.#deps.needShell(wanted, terminal.home)
    this.#record('restarted', terminal, by, place ? { profile: wanted.profile, ...place } : {})
    terminal.useProfile(wanted.profile)
    const { requester } = terminal
    const again = async () => {
      await this.#endRuns(terminal, 'person')
      terminal.reset()
      if (place) terminal.standsIn(place)
      this.#deps.scoped.forget(id)
      if (terminal.kind === 'shell')
        this.#deps.lane.start(this.#opening(), { requester, client: by, isPerson: true }, terminal)
    }
    await (terminal.kind === 'shell' ? terminal.restart(again) : again())
    this.#watchers.notify()
  }

  /** It is gone at once, and with it the approval that was given for it; what runs in it ends, what waits never begins. */
  async close(id: string, by: string, endedBy: 'kill' | 'person' = 'person'): Promise<void> {
    const { terminals, scoped } = this.#deps
    const terminal = terminals.known(id) ?? this.find(id)
    this.#record('closed', terminal, by)
    terminals.close(terminal)
    scoped.forget(id)
    for (const key of this.#typedAt.keys()) if (key.startsWith(`${id}\0`)) this.#typedAt.delete(key)
    this.#watchers.notify()
    await this.#endRuns(terminal, endedBy)
  }

  /** Ends one command in it, with all that it started; one that waits never begins. */
  async stopRun(id: string, runId: string, by: string): Promise<void> {
    const terminal = this.find(id)
    const isHere = terminal.runs.includes(runId)
    const run = isHere ? this.#deps.runs.of(terminal.requester).registry.own(runId) : null
    if (run === null || run.over) throw new TermError('PM_TERM_NOT_FOUND', 'That command is over already.')
    this.#record('stopped_run', terminal, by, { run_id: runId })
    if (await this.#endRun(terminal.requester, runId, 'person')) return
    throw new TermError('PM_TERM_INTERNAL', 'It was told to end, and something of it still runs.')
  }

  /** Somebody has it on their screen, until that is disposed. */
  lookAt(id: string): Disposable {
    const look = {}
    this.#looks.set(look, id)
    return { dispose: () => void this.#looks.delete(look) }
  }

  isLookedAt(id: string): boolean {
    return [...this.#looks.values()].includes(id)
  }

  /** The tab goes because nothing happens in it; the terminal comes back as it was when it is used again. */
  putAway(terminal: RunsTerminal, by: string): void {
    this.#record('closed_idle', terminal, by)
    this.#deps.terminals.putAway(terminal, this.#deps.clock.now())
    this.#watchers.notify()
  }

  /** All of agents in which nothing runs or waits, unless an approval holds there. */
  putAllAway(by: string): void {
    for (const terminal of this.all)
      if (isIdle(terminal) && !this.holdsApproval(terminal.id)) this.putAway(terminal, by)
  }

  /** Those whose tab was closed so, the latest first. */
  get away(): readonly AwayTerminal[] {
    return this.#deps.terminals.away
  }

  reopen(id: string, by: string): void {
    const terminal = this.#deps.terminals.bringBack(id)
    if (terminal === null) throw new TermError('PM_TERM_NOT_FOUND', 'That terminal is not kept any more.')
    this.#record('reopened', terminal, by)
    this.#watchers.notify()
  }

  /** An approval holds for this terminal alone. */
  holdsApproval(id: string): boolean {
    return this.#deps.scoped.held().some(({ terminal_id }) => terminal_id === id)
  }

  async #endRuns({ requester, activeRuns }: Terminal, by: 'kill' | 'person'): Promise<void> {
    await Promise.all(activeRuns.map(id => this.#endRun(requester, id, by)))
  }

  /** Says whether it is over, in time. */
  async #endRun(requester: string, id: string, by: 'kill' | 'person'): Promise<boolean> {
    const { lane, runs, clock } = this.#deps
    const { registry } = runs.of(requester)
    const run = registry.own(id)
    if (run === null) return true
    if (run.state.at === 'running') await run.stop(by, () => registry.killOwn(run))
    else lane.find(requester, id)?.withdraw(by === 'kill' ? 'cancelled' : by)
    // Over is what is written down.
    return until(() => run.over, run, { late: { clock, ms: CLOSED_WITHIN_MS } })
  }

  #opening() {
    const { ids } = this.#deps
    const request_id = ids.make('req')
    return { type: 'command_request', intent: 'open_only', request_id, trace_id: ids.make('trace') } as const
  }

  #record(action: string, { id, requester }: Terminal, by: string, more: Readonly<Record<string, unknown>> = {}): void {
    const body = { action, terminal_id: id, by, ...more }
    this.#deps.journal.append({ kind: 'terminal_changed', requester, runId: null, body })
  }
}
