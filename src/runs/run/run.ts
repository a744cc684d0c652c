import type { Clock } from '../../base/clock.ts'
import { OutputLog } from '../../base/output/output-log.ts'
import type { PtyOutput, PtyProcess } from '../../base/process/pty.ts'
import type { EndedLine, OpenedLine } from '../../contract/disk/run-record.ts'
import type { Carried, Verdict as ExplainedVerdict } from '../../contract/tool/response.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { StoredRun } from '../store/ledger.ts'
import type { RunStore } from '../store/run-store.ts'
import { explained } from './explained.ts'
import { type EndedBy, isOver, move, type RunState } from './run-state.ts'

/** What somebody wants to run, parsed and with its ids. */
export interface RunRequest {
  readonly id: string
  /** Chosen by the caller, who may use it again; or made by us. */
  readonly idIs: 'given' | 'made'
  readonly traceId: string
  readonly clientRequestId: string | null
  readonly requester: string
  readonly command: string
  readonly args: readonly string[] | null
  readonly env: Readonly<Record<string, string>>
  /** A real, existing directory. */
  readonly cwd: string
  readonly workspaceId: string | null
  readonly killAfterMs: number | null
  readonly payloadHash: string
  /** Absent: headless. */
  readonly interactive?: {
    readonly adapter: 'host_bridge_local' | 'container_bridge_to_host'
    readonly terminalId: string
    readonly terminal: NonNullable<OpenedLine['terminal']>
  }
}

/** Where an interactive run is: a terminal of its own, or a line in the person's shell. */
export type RunTerminal = Pick<PtyProcess, 'output' | 'kill' | 'forget'>

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
  verdict: Verdict | null = null
  planHash: string | null = null
  #drainedAtExit = true
  #closed = false
  #approvedBy: 'person' | 'allowlist' | null = null
  #commandExecuted: string | null = null
  /** Where it runs: what its terminal had walked to when its turn came, unless the request says where. */
  cwd: string
  /** What somebody should know about it. */
  note: string | null = null
  /** What it leaves to the next run in its terminal. */
  carried: Carried | null = null
  readonly #clock: Clock
  readonly #store: RunStore
  readonly #watchers = new Set<() => void>()
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
    this.directory = directory
    this.openedAt = left?.opened.at ?? deps.clock.now()
    this.#approvedBy = left?.allowed?.approved_by ?? null
    this.#commandExecuted = left?.allowed?.command_executed ?? null
    this.planHash = left?.started?.plan_hash ?? null
    this.#store = deps.store
    this.#clock = deps.clock
    this.quotaBytes = deps.quotaBytes
    this.log = new OutputLog({ directory, quotaBytes: deps.quotaBytes, onGrown: () => this.#tell() })
  }

  get output(): PtyOutput {
    return this.#terminal?.output ?? this.log
  }

  get terminal(): RunTerminal | null {
    return this.#terminal
  }

  runsIn(terminal: RunTerminal): void {
    this.#terminal = terminal
  }

  /** The owner of its terminal has written more. */
  grown(): void {
    this.#tell()
  }

  get state(): RunState {
    return this.#state
  }

  get over(): boolean {
    return isOver(this.#state)
  }

  /** By whose leave it started. */
  get approvedBy(): 'person' | 'allowlist' | null {
    return this.#approvedBy
  }

  /** The line a person wrote instead of the one that was asked for. */
  get commandExecuted(): string | null {
    return this.#commandExecuted
  }

  /** It may start: by whose leave, and as which line. Written down first, so that a crash leaves no run nobody answers for. */
  allow(approvedBy: 'person' | 'allowlist', instead: string | null): void {
    // Headless only a rule can allow anything, and it runs as it was asked for.
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

  /** What was allowed is not what is there now, so it did not start: it must be allowed again. */
  takeBackLeave(): void {
    this.#approvedBy = null
    this.#commandExecuted = null
  }

  /** What the gate said about it, also when an earlier host asked. */
  get explained(): ExplainedVerdict | null {
    return this.verdict ? explained(this.verdict) : (this.left?.allowed?.verdict ?? null)
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
    if (this.over) this.#record()
    this.#tell()
  }

  /** Both streams have ended; nothing will be printed any more, now or after its end. */
  close(): void {
    const news = this.over && !this.drained
    this.#closed = true
    if (!news) return
    this.#record()
    this.#tell()
  }

  /** Its first process has ended. */
  exited(drained: boolean): void {
    this.#drainedAtExit = drained
  }

  /** false: a background process holds the output open although the first one has ended. */
  get drained(): boolean {
    return this.#drainedAtExit || this.#closed
  }

  /** Told of every change: of state, or of output. */
  watch(watcher: () => void): { dispose(): void } {
    this.#watchers.add(watcher)
    return { dispose: () => this.#watchers.delete(watcher) }
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }

  /** Where it stands, as it is written down and told. */
  ended(): EndedLine {
    const verdict = this.over ? this.explained : null
    return {
      ...endedLine(this.request.id, this.#state, this.output, this.drained),
      ...(this.#approvedBy !== null && { approved_by: this.#approvedBy }),
      ...(this.#commandExecuted !== null && { command_executed: this.#commandExecuted }),
      ...(this.cwd !== this.request.cwd && { cwd: this.cwd }),
      ...(this.carried !== null && { carried: this.carried }),
      ...(this.note !== null && { note: this.note }),
      ...(verdict && { verdict }),
    }
  }

  #record(): void {
    this.#store.appendAfter(this.ended())
  }
}

/** How the run was asked for, as a record tells it. */
export function requestOf({ opened, started }: StoredRun): RunRequest {
  const { terminal_id: terminalId, terminal } = opened
  return {
    id: opened.id,
    idIs: 'given',
    traceId: opened.trace_id,
    clientRequestId: opened.client_request_id,
    requester: opened.requester,
    command: opened.command,
    args: opened.args,
    // Values are never stored; nobody needs them any more.
    env: {},
    cwd: opened.cwd,
    workspaceId: opened.workspace_id,
    killAfterMs: started?.kill_after_ms ?? null,
    payloadHash: opened.payload_hash,
    ...(terminalId !== undefined && {
      interactive: {
        adapter: opened.adapter === 'container_bridge_to_host' ? opened.adapter : 'host_bridge_local',
        terminalId,
        terminal: terminal ?? { profile: 'bash', home: opened.cwd },
      },
    }),
  }
}

export function openedLine(run: RunRequest, server: OpenedLine['server'], at: number): OpenedLine {
  return {
    type: 'opened',
    v: 1,
    id: run.id,
    trace_id: run.traceId,
    client_request_id: run.clientRequestId,
    requester: run.requester,
    lane: run.interactive ? 'interactive' : 'headless',
    adapter: run.interactive?.adapter ?? 'headless_process',
    ...(run.interactive && { terminal_id: run.interactive.terminalId, terminal: run.interactive.terminal }),
    command: run.command,
    args: run.args ? [...run.args] : null,
    cwd: run.cwd,
    workspace_id: run.workspaceId,
    env_names: Object.keys(run.env),
    payload_hash: run.payloadHash,
    server,
    at,
  }
}

export function endedLine(
  id: string,
  state: RunState,
  output: { size: number; lost: number },
  drained: boolean,
): EndedLine {
  return {
    type: 'ended',
    id,
    state: state.at,
    at: 'endedAt' in state ? state.endedAt : 0,
    started_at: 'startedAt' in state ? state.startedAt : null,
    took_ms: 'tookMs' in state ? state.tookMs : null,
    exit_code: state.at === 'exited' ? state.exitCode : null,
    signal: state.at === 'exited' ? state.signal : null,
    ended_by: state.at === 'killed' ? state.by : state.at === 'timed_out' ? 'kill_after_ms' : null,
    why:
      state.at === 'blocked'
        ? state.why
        : state.at === 'failed'
          ? state.problem
          : state.at === 'declined'
            ? state.reason
            : null,
    ...(state.at === 'failed' && state.reason !== undefined && { reason: state.reason }),
    ...(state.at === 'blocked' && state.because === 'too_many' && { reason: 'too_many_questions' }),
    ...(state.at === 'withdrawn' && state.by !== undefined && { reason: state.by }),
    destructive: state.at === 'blocked' && state.because === 'destructive',
    ...(state.at === 'failed' && state.fault === 'request' && { invalid: true }),
    ...(state.at === 'blocked' && state.because === 'nobody' && { unshown: true }),
    ...('limitMs' in state && state.limitMs !== undefined && { limit_ms: state.limitMs }),
    survivors: 'survivors' in state ? [...state.survivors] : [],
    output_bytes: output.size,
    lost_bytes: output.lost,
    drained,
  }
}
