import type { Clock } from '../../base/clock.ts'
import { OutputLog } from '../../base/output/output-log.ts'
import type { InputWait, PtyOutput, PtyProcess } from '../../base/process/pty.ts'
import { Watchers } from '../../base/watchers.ts'
import type { EndedLine } from '../../contract/disk/run-record.ts'
import type { Carried, Verdict as ExplainedVerdict, Result, Sandbox } from '../../contract/tool/response.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { putTriedOutputAside } from '../jail/trying.ts'
import type { WantedOutside } from '../jail/wanted-outside.ts'
import type { StoredRun } from '../store/ledger.ts'
import type { RunStore } from '../store/run-store.ts'
import { endedLine } from './ended-line.ts'
import { explained } from './explained.ts'
import type { RunRequest } from './run-request.ts'
import { type EndedBy, isOver, move, type RunState } from './run-state.ts'
import { type RunStatus, statusOf } from './run-status.ts'
import { WaitWatch } from './wait-watch.ts'

/** Where an interactive run is: a terminal of its own, or a line in the person's shell. */
export type RunTerminal = Pick<PtyProcess, 'output' | 'kill' | 'forget'> & {
  /** Absent: it is a shell, which waits for input as long as it lives. */
  waits?(): Promise<InputWait | null>
}

/** A run of this process, from its opening until its last byte is written. */
export class Run {
  readonly request: RunRequest
  /** Where its output is. */
  readonly directory: string
  readonly openedAt: number
  /** What an earlier host wrote about it, when this one took it over. */
  readonly left: StoredRun | null
  readonly quotaBytes: number
  /** For a run in pipes; what is printed in a terminal is written by whoever owns that. */
  readonly log: OutputLog
  /** Where it runs, once it does and if it is interactive. */
  #terminal: RunTerminal | null = null
  #waiting: WaitWatch | null = null
  verdict: Verdict | null = null
  /** The verdict as it was told last. */
  #explained: { readonly verdict: Verdict; readonly as: ExplainedVerdict } | null = null
  planHash: string | null = null
  /** Variables that it was not given, by name. */
  leftOut: readonly string[] = []
  #drainedAtExit = true
  #closed = false
  #approvedBy: 'person' | 'allowlist' | null = null
  #commandExecuted: string | null = null
  /** Where it runs: what its terminal had walked to when its turn came, unless the request says where. */
  cwd: string
  /** What somebody should know about it. */
  note: string | null = null
  /** What became of the last that an agent wanted to type into it. */
  input: Result['input'] | null = null
  /** The sandbox that it is tried in, and what it wanted beyond that. null: it is not tried. */
  sandbox: Sandbox | null
  /** What it leaves to the next run in its terminal. */
  carried: Carried | null = null
  /** How the parts of its last pipeline ended, where the exit code hides that one failed. */
  pipestatus: readonly number[] | null = null
  readonly #clock: Clock
  readonly #store: RunStore
  readonly #watchers = new Watchers()
  #state: RunState = { at: 'received' }
  #stopping: { readonly by: EndedBy; readonly done: Promise<readonly number[]> } | null = null

  constructor(
    deps: { store: RunStore; clock: Clock; quotaBytes: number },
    request: RunRequest,
    directory: string,
    left: StoredRun | null = null,
  ) {
    this.request = request
    this.left = left
    this.cwd = left?.started?.cwd ?? request.cwd
    this.sandbox = left?.started?.sandbox ?? null
    this.directory = directory
    this.openedAt = left?.opened.at ?? deps.clock.now()
    this.#approvedBy = left?.allowed?.approved_by ?? null
    this.#commandExecuted = left?.allowed?.command_executed ?? null
    this.planHash = left?.started?.plan_hash ?? null
    this.#store = deps.store
    this.#clock = deps.clock
    this.quotaBytes = deps.quotaBytes
    const now = () => deps.clock.now()
    this.log = new OutputLog({ directory, quotaBytes: deps.quotaBytes, onGrown: () => this.grown(), now })
  }

  get output(): PtyOutput {
    return this.#terminal?.output ?? this.log
  }

  get terminal(): RunTerminal | null {
    return this.#terminal
  }

  runsIn(terminal: RunTerminal): void {
    this.#terminal = terminal
    this.#waiting?.dispose()
    const look = terminal.waits?.bind(terminal)
    this.#waiting = look ? new WaitWatch(this.#clock, look, () => this.#watchers.notify()) : null
  }

  /** The owner of its terminal has written more. */
  grown(): void {
    this.#waiting?.grown()
    this.#watchers.notify()
  }

  /** Whether it waits for input; null: not known. */
  get waiting(): WaitWatch | null {
    return this.#waiting
  }

  get state(): RunState {
    return this.#state
  }

  get over(): boolean {
    return isOver(this.#state)
  }

  /** Who approved it: a person, or a rule. */
  get approvedBy(): 'person' | 'allowlist' | null {
    return this.#approvedBy
  }

  /** The line a person wrote instead of the requested one. */
  get commandExecuted(): string | null {
    return this.#commandExecuted
  }

  /** It may start: approved by whom, and as which line. Written down first, so that a crash leaves no run nobody answers for. */
  allow(approvedBy: 'person' | 'allowlist', instead: string | null): void {
    // Headless only a rule can allow anything, and it runs as requested.
    if (this.request.interactive) {
      const command_executed = instead === null ? {} : { command_executed: instead }
      const said = this.explained === null ? {} : { verdict: this.explained }
      const { id } = this.request
      const at = this.#clock.now()
      this.#store.append({ type: 'allowed', id, approved_by: approvedBy, ...command_executed, ...said, at })
    }
    this.#approvedBy = approvedBy
    this.#commandExecuted = instead
  }

  /** It was tried, and failed for want of what the sandbox keeps from it. */
  wantsOutside(wanted: WantedOutside): void {
    if (this.sandbox !== null) this.sandbox = { ...this.sandbox, wanted: { ...wanted } }
    this.takeBackApproval()
    // In pipes nothing runs after that; a terminal prints into a new log.
    if (this.#terminal !== null) putTriedOutputAside(this.directory)
    this.#watchers.notify()
  }

  /** What was allowed is not what is there now, so it did not start: it must be allowed again. */
  takeBackApproval(): void {
    this.#approvedBy = null
    this.#commandExecuted = null
  }

  /** The gate's verdict, also when an earlier host asked for it. */
  get explained(): ExplainedVerdict | null {
    if (this.verdict === null) return this.left?.allowed?.verdict ?? null
    if (this.#explained?.verdict !== this.verdict)
      this.#explained = { verdict: this.verdict, as: explained(this.verdict) }
    return this.#explained.as
  }

  addNote(text: string): void {
    if (!this.note?.includes(text)) this.note = this.note === null ? text : `${this.note} ${text}`
  }

  /** Who asked for its end, once somebody has. The first one counts. */
  get stopping(): { readonly by: EndedBy; readonly done: Promise<readonly number[]> } | null {
    return this.#stopping
  }

  stop(by: EndedBy, end: () => Promise<readonly number[]>): Promise<readonly number[]> {
    this.#stopping ??= { by, done: end() }
    return this.#stopping.done
  }

  move(to: RunState): void {
    this.#state = move(this.#state, to)
    if (this.over) {
      this.#waiting?.dispose()
      this.#waiting = null
      this.#record()
    }
    this.#watchers.notify()
  }

  /** Both streams have ended; nothing will be printed any more, now or after its end. */
  close(): void {
    const news = this.over && !this.drained
    this.#closed = true
    if (!news) return
    this.#record()
    this.#watchers.notify()
  }

  /** Its first process has ended. */
  exited(drained: boolean): void {
    this.#drainedAtExit = drained
  }

  /** false: a background process holds the output open although the first one has ended. */
  get drained(): boolean {
    return this.#drainedAtExit || this.#closed
  }

  /** Called on every change: of state, or of output. */
  watch(watcher: () => void): { dispose(): void } {
    return this.#watchers.add(watcher)
  }

  status(): RunStatus {
    const verdict = this.over ? this.explained : null
    return statusOf(this.#state, this.output, this.drained, {
      ...(this.#approvedBy !== null && { approved_by: this.#approvedBy }),
      ...(this.#commandExecuted !== null && { command_executed: this.#commandExecuted }),
      ...(this.cwd !== this.request.cwd && { cwd: this.cwd }),
      ...(this.carried && { carried: this.carried }),
      ...(this.pipestatus && { pipestatus: [...this.pipestatus] }),
      ...(this.sandbox && { sandbox: this.sandbox }),
      ...(this.note !== null && { note: this.note }),
      ...(verdict && { verdict }),
    })
  }

  /** Its last line, once it is over. */
  line(): EndedLine {
    return endedLine(this.request.id, this.status())
  }

  #record(): void {
    this.#store.appendAfter(this.line())
  }
}
