import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import type { PtyStarter } from '../base/pty.ts'
import { TermError } from '../contract/errors.ts'
import type { CommandRequest } from '../contract/host-frames.ts'
import { type Answer, type Approver, executeRun, failed, type Question } from '../runs/execute-run.ts'
import type { Journal } from '../runs/journal.ts'
import type { Run } from '../runs/run.ts'
import type { RunView } from '../runs/run-view.ts'
import type { FileAdditions } from './file-additions.ts'
import type { InteractiveGate, Wanted } from './interactive-gate.ts'
import { idTaken, payloadHashOf, receivedBody } from './request-identity.ts'
import { LOCAL, type RequesterRuns } from './requester-runs.ts'
import { RunJournal, type RunOf } from './run-journal.ts'
import { placeIn, realDirectory } from './run-place.ts'
import type { Terminals } from './terminals.ts'
import { type SpawnDeps, spawnInTerminal } from './terminals-spawn.ts'

export interface LaneDeps {
  readonly clock: Clock
  readonly log: Log
  readonly runs: RequesterRuns
  readonly journal: Journal
  readonly terminals: Terminals
  readonly gate: InteractiveGate
  readonly pty: PtyStarter
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

/** Interactive runs: each a process of its own in a PTY of its own, in a terminal the person sees. */
export class InteractiveLane {
  readonly #deps: LaneDeps
  readonly #records: RunJournal
  readonly #spawning: SpawnDeps
  readonly #going = new Map<string, Going>()
  readonly #watchers = new Set<() => void>()

  constructor(deps: LaneDeps) {
    this.#deps = deps
    this.#records = new RunJournal(deps)
    this.#spawning = { clock: deps.clock, pty: deps.pty, runs: deps.runs, records: this.#records }
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
      if (existing) return this.#going.get(goingKey(requester, id)) ?? over(existing)
      if (journal.rowsOf(id).some(row => row.requester === requester && row.kind === 'starting'))
        throw new TermError('PM_TERM_NOT_FOUND', `${id} ran before and its record is gone. It is not run again.`)
    }
    const target = terminals.targetOf(requester, frame)
    const home = realDirectory(frame.workspace_path ?? this.#deps.home) ?? this.#deps.home
    const key = { requester, workspaceId: frame.workspace_id ?? null, home, profile: frame.terminal_profile ?? 'bash' }
    const found = target ?? terminals.free(key)
    const place = placeIn(found ?? { cwd: home, home }, frame)
    const terminal = found ?? terminals.create(key)
    if (!before)
      this.#records.before(
        'received',
        { requester, runId: id },
        receivedBody(frame, { cwd: place.cwd, payloadHash, client: by.client }),
      )
    const { run: runMark, server } = registry.marksOf(id)
    const wanted = { frame, place, terminal, requester, marks: [runMark, server] }
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
    this.#going.set(goingKey(requester, id), going)
    this.#tell()
    return going
  }

  find(requester: string, id: string): Going | null {
    return this.#going.get(goingKey(requester, id)) ?? null
  }

  withdrawAll(): void {
    for (const going of this.#going.values()) going.withdraw('host_ends')
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }

  async #seeThrough(
    asked: Wanted,
    run: Run,
    how: { readonly by: AskedBy; readonly turn: ReturnType<Terminals['take']>; readonly signal: AbortSignal },
  ): Promise<void> {
    const { clock, log, runs, gate, asker } = this.#deps
    const { by } = how
    const { requester } = by
    const { id } = run.request
    const about = { requester, runId: id }
    const { registry } = runs.of(requester)
    // Never at once: whoever started it hears that it was accepted before he hears how it went.
    const turn = await how.turn
    try {
      if (turn === null) run.move({ at: 'withdrawn', endedAt: clock.now() })
      else {
        // Its turn only now: where its terminal stands is what the run before it left.
        const wanted = { ...asked, place: placeIn(asked.terminal, asked.frame) }
        run.cwd = wanted.place.cwd
        const approver: Approver = {
          ask: (question, signal) => asker.ask(wanted, question, by, signal),
          present: signal => asker.present(signal),
          absence: () => asker.absence(),
        }
        await executeRun(
          {
            clock,
            approver,
            judge: each => this.#judged(gate.judge(wanted, each, undefined), about),
            spawn: (each, plan) => spawnInTerminal(this.#spawning, { run: each, plan, terminal: wanted.terminal }),
            kill: each => registry.killOwn(each),
            processesOf: each => registry.processesOf(each.request.id),
            // Whoever wants a run of the host ended asks the host.
            killedByAnother: () => false,
          },
          run,
          how.signal,
        )
      }
    } catch (cause) {
      log.error('a run could not be started', { run: id, trace_id: run.request.traceId, cause })
      if (!run.over) run.move(failed(cause, clock))
    } finally {
      turn?.dispose()
      this.#going.delete(goingKey(requester, id))
      this.#tell()
      const { state, exit_code, signal, ended_by, why, output_bytes, took_ms } = run.ended()
      this.#records.after('ended', about, { state, exit_code, signal, ended_by, why, output_bytes, took_ms })
      registry.release(run)
    }
  }

  #judged<T extends { verdict: { verdict: string; why: string } }>(judged: T, about: RunOf): T {
    const { verdict, why } = judged.verdict
    this.#records.before('judged', about, { verdict, why })
    return judged
  }
}

const goingKey = (requester: string, id: string): string => `${requester}\0${id}`

const over = (view: RunView): Going => ({ view, terminalId: view.opened.terminal_id ?? null, withdraw() {} })
