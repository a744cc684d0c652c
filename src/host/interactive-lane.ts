import { statSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import { TermError } from '../contract/errors.ts'
import type { CommandRequest } from '../contract/host-frames.ts'
import { type Answer, type Approver, executeRun, type Question } from '../runs/execute-run.ts'
import type { Journal, JournalKind } from '../runs/journal.ts'
import { type Plan, recheck } from '../runs/plan.ts'
import type { ProcessTable } from '../runs/process-table.ts'
import type { PtyStarter } from '../runs/pty.ts'
import type { Run } from '../runs/run.ts'
import type { RunView } from '../runs/run-view.ts'
import type { FileAdditions } from './file-additions.ts'
import type { InteractiveGate, Wanted } from './interactive-gate.ts'
import { idTaken, payloadHashOf, receivedBody } from './request-identity.ts'
import { LOCAL, type RequesterRuns } from './requester-runs.ts'
import { placeOf } from './run-place.ts'
import type { Terminals } from './terminals.ts'

export interface LaneDeps {
  readonly clock: Clock
  readonly log: Log
  readonly runs: RequesterRuns
  readonly journal: Journal
  readonly terminals: Terminals
  readonly gate: InteractiveGate
  readonly pty: PtyStarter
  readonly table: ProcessTable
  readonly home: string
  readonly asker: Asker
  readonly additions: FileAdditions
}

/** Who asks the person. */
export interface Asker {
  ask(wanted: Wanted, question: Question, asked: AskedBy, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string
}

/** Whose question it is: shown to the person, and what it is withdrawn with. */
export interface AskedBy {
  readonly requester: string
  readonly client: string
}

export interface Going {
  readonly view: RunView
  readonly terminalId: string | null
  /** Before it has started: it never will. After that: nothing, an interactive run lives on. */
  withdraw(why: 'cancelled' | 'asker_gone' | 'host_ends'): void
}

const COLS = 120
const ROWS = 30

/** Interactive runs: each a process of its own in a PTY of its own, in a terminal the person sees. */
export class InteractiveLane {
  readonly #deps: LaneDeps
  readonly #going = new Map<string, Going>()
  readonly #watchers = new Set<() => void>()

  constructor(deps: LaneDeps) {
    this.#deps = deps
  }

  get count(): number {
    return this.#going.size
  }

  /** Told when one comes or goes. */
  watch(watcher: () => void): Disposable {
    this.#watchers.add(watcher)
    return { dispose: () => void this.#watchers.delete(watcher) }
  }

  /** Starts it, or finds the run that this very request started before. */
  start(frame: CommandRequest, by: AskedBy): Going {
    const { journal, runs, terminals } = this.#deps
    const { requester } = by
    const { registry } = runs.of(requester)
    const id = frame.request_id
    const payloadHash = payloadHashOf(frame)
    const before = journal.received(requester, id)
    if (before && before.payloadHash !== payloadHash) throw idTaken(id)
    if (before) {
      const existing = registry.find(id)
      if (existing) return this.#going.get(key(requester, id)) ?? over(existing)
      if (journal.rowsOf(id).some(row => row.requester === requester && row.kind === 'starting'))
        throw new TermError('PM_TERM_NOT_FOUND', `${id} ran before and its record is gone. It is not run again.`)
    }
    const place = placeOf(frame, this.#deps.home)
    const profile = frame.terminal_profile ?? 'bash'
    const inTerminalOf = frame.session_id === undefined ? null : terminals.ofRun(requester, frame.session_id)
    if (frame.session_id !== undefined && frame.terminal_id === undefined && inTerminalOf === null)
      throw new TermError('PM_TERM_NOT_FOUND', `There is no run ${frame.session_id} in any terminal.`)
    const terminal = terminals.resolve({
      requester,
      workspaceId: frame.workspace_id ?? null,
      terminalId: frame.terminal_id ?? inTerminalOf?.id ?? null,
      cwd: place.cwd,
      profile,
      how: 'run',
    })
    if (!before)
      this.#record('received', requester, id, receivedBody(frame, { cwd: place.cwd, payloadHash, client: by.client }))
    const { run: runMark, server } = registry.marksOf(id)
    const wanted = { frame, place, profile, terminalId: terminal.id, requester, marks: [runMark, server] }
    const opened = registry.open({
      id,
      idIs: 'given',
      traceId: frame.trace_id,
      clientRequestId: frame.client_request_id ?? null,
      requester,
      command: frame.command ?? '',
      args: frame.args ?? null,
      env: frame.env ?? {},
      cwd: place.cwd,
      workspaceId: frame.workspace_id ?? null,
      killAfterMs: frame.timeout_seconds === undefined ? null : Math.round(frame.timeout_seconds * 1000),
      payloadHash,
      interactive: {
        adapter: requester === LOCAL ? 'host_bridge_local' : 'container_bridge_to_host',
        terminalId: terminal.id,
      },
    })
    if ('existing' in opened) return over(opened.existing)
    const { run } = opened
    const cancel = new AbortController()
    if (frame.workspace_id !== undefined)
      this.#deps.additions.notice(frame.workspace_id, this.#deps.gate.rulesFor(wanted))
    // Taken now: the next request must find this terminal busy.
    const turn = terminals.take(terminal, id, cancel.signal)
    void this.#seeThrough(wanted, run, { by, turn, signal: cancel.signal })
    const view = registry.find(id)
    if (!view) throw new TermError('PM_TERM_INTERNAL', 'The run vanished right after it was opened.')
    const going: Going = {
      view,
      terminalId: terminal.id,
      withdraw(why) {
        if (run.state.at === 'received' || run.state.at === 'awaiting_approval') cancel.abort(why)
      },
    }
    this.#going.set(key(requester, id), going)
    this.#tell()
    return going
  }

  find(requester: string, id: string): Going | null {
    return this.#going.get(key(requester, id)) ?? null
  }

  withdrawAll(): void {
    for (const going of this.#going.values()) going.withdraw('host_ends')
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }

  async #seeThrough(
    wanted: Wanted,
    run: Run,
    how: { readonly by: AskedBy; readonly turn: ReturnType<Terminals['take']>; readonly signal: AbortSignal },
  ): Promise<void> {
    const { clock, log, runs, gate, asker } = this.#deps
    const { by } = how
    const { requester } = by
    const { id } = run.request
    const { registry } = runs.of(requester)
    // Never at once: whoever started it hears that it was accepted before he hears how it went.
    const turn = await how.turn
    try {
      if (turn === null) run.move({ at: 'withdrawn', endedAt: clock.now() })
      else {
        const approver: Approver = {
          ask: (question, signal) => asker.ask(wanted, question, by, signal),
          present: signal => asker.present(signal),
          absence: () => asker.absence(),
        }
        await executeRun(
          {
            clock,
            approver,
            judge: (each, instead) => this.#judged(gate.judge(wanted, each, instead), requester, id),
            spawn: (each, plan) => this.#spawn(each, plan, requester),
            kill: each => registry.killOwn(each),
            // Whoever wants a run of the host ended asks the host.
            killedByAnother: () => false,
          },
          run,
          how.signal,
        )
      }
    } catch (cause) {
      log.error('a run could not be started', { run: id, trace_id: run.request.traceId, cause })
      if (!run.over) run.move({ at: 'failed', problem: messageOf(cause), endedAt: clock.now() })
    } finally {
      turn?.dispose()
      this.#going.delete(key(requester, id))
      this.#tell()
      const { state, exit_code, signal, ended_by, why, output_bytes, took_ms } = run.ended()
      this.#recordEnd(requester, id, { state, exit_code, signal, ended_by, why, output_bytes, took_ms })
      registry.release(run)
    }
  }

  #judged<T extends { verdict: { verdict: string; why: string } }>(judged: T, requester: string, id: string): T {
    const { verdict, why } = judged.verdict
    this.#record('judged', requester, id, { verdict, why })
    return judged
  }

  async #spawn(run: Run, plan: Plan, requester: string) {
    const { clock, pty, table, runs } = this.#deps
    const { store, registry } = runs.of(requester)
    const { id } = run.request
    if (!statSync(plan.cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new TermError('PM_TERM_INVALID_PAYLOAD', `${plan.cwd} is gone. Nothing ran.`)
    this.#record('starting', requester, id, { plan_hash: plan.hash, executable: plan.executable.path })
    recheck(plan)
    const { executable, argv, cwd, env, hash } = plan
    const child = pty.start(
      { executable: executable.path, args: argv.slice(1), cwd, env, cols: COLS, rows: ROWS },
      chunk => run.output.append('stdout', chunk),
    )
    const start = table.row(child.pid)?.start ?? null
    const { pid } = child
    const mark = registry.marksOf(id).run
    const at = clock.now()
    store.append({ type: 'started', id, pid, start, mark, executable: executable.path, plan_hash: hash, at })
    this.#recordEnd(requester, id, { pid, approved_by: run.approvedBy }, 'started')
    return { pid, pidStart: start, ended: child.ended }
  }

  /** Written before the effect: what cannot be written down does not happen. */
  #record(kind: JournalKind, requester: string, runId: string, body: Record<string, unknown>): void {
    try {
      this.#deps.journal.append({ kind, requester, runId, body })
    } catch (cause) {
      throw new TermError(
        'PM_TERM_INTERNAL',
        `The journal cannot be written, so nothing was started: ${messageOf(cause)}`,
      )
    }
  }

  /** It has happened already: a journal that cannot be written is no reason to lose the run. */
  #recordEnd(
    requester: string,
    runId: string,
    body: Record<string, unknown>,
    kind: 'started' | 'ended' = 'ended',
  ): void {
    try {
      this.#deps.journal.append({ kind, requester, runId, body })
    } catch (cause) {
      this.#deps.log.error('the journal cannot be written', { run: runId, kind, cause })
    }
  }
}

const key = (requester: string, id: string): string => `${requester}\0${id}`

const over = (view: RunView): Going => ({ view, terminalId: view.opened.terminal_id ?? null, withdraw() {} })

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
