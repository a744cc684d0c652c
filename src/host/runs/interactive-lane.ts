import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import type { TreeKillerDeps } from '../../base/process/kill-tree.ts'
import type { FoundPty, PtyStarter } from '../../base/process/pty.ts'
import { Watchers } from '../../base/watchers.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { claimWarning } from '../../policy/files/workspace-claim.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { Approver, JudgedRun } from '../../runs/run/approver.ts'
import { executeRun, resumeRun, type StartedProcess, type WatchDeps } from '../../runs/run/execute-run.ts'
import { killNoted } from '../../runs/run/left-end.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { failed, withdrawn } from '../../runs/run/unstarted.ts'
import type { ApprovalPort } from '../gate/approval-port.ts'
import { ASKED_ALREADY } from '../gate/asked-already.ts'
import type { InteractiveGate } from '../gate/gate.ts'
import { placeIn } from '../gate/place.ts'
import type { PreparedRequest } from '../gate/prepared-request.ts'
import type { Requester } from '../questions/requester.ts'
import type { FileAdditions } from '../questions/rule-file-additions.ts'
import type { ShellTerminal, Turn } from '../terminals/terminal.ts'
import type { Terminals } from '../terminals/terminals.ts'
import { type ActiveRun, activeRunKey, over } from './active-run.ts'
import type { BlockedCommandList } from './blocked-commands.ts'
import { idTaken, payloadHashOf, receivedBody } from './identity.ts'
import { RunJournal } from './journal.ts'
import { nameTerminal } from './name-terminal.ts'
import type { RequesterRuns } from './requester-runs.ts'
import { runRequestOf } from './run-request.ts'
import { openShell, type PlannedStart, restoreShell, typeLine } from './shell-run.ts'
import { type SpawnDeps, spawnInTerminal } from './spawn.ts'
import { endingOf } from './take-back.ts'
import { preparedNow, reopened, whereTo } from './target.ts'
import { notifyOfWaits } from './wait-changes.ts'

export interface LaneDeps {
  readonly clock: Clock
  readonly log: Log
  readonly runs: RequesterRuns
  readonly journal: Journal
  readonly terminals: Terminals
  readonly gate: InteractiveGate
  readonly pty: PtyStarter
  readonly killer: TreeKillerDeps
  readonly home: string
  readonly approvals: ApprovalPort
  readonly additions: FileAdditions
  readonly blocked: BlockedCommandList
}

/** Interactive runs: each a process of its own in a PTY of its own, in a terminal the person sees. */
export class InteractiveLane {
  readonly #deps: LaneDeps
  readonly #records: RunJournal
  readonly #spawning: SpawnDeps & { readonly killer: TreeKillerDeps }
  readonly #active = new Map<string, ActiveRun>()
  readonly #watchers = new Watchers()

  constructor(deps: LaneDeps) {
    this.#deps = deps
    this.#records = new RunJournal(deps)
    const { clock, pty, runs, killer } = deps
    this.#spawning = { clock, pty, runs, killer, records: this.#records }
  }

  get count(): number {
    return this.#active.size
  }

  /** Of one requester: what runs, waits for its turn, or needs approval. */
  countOf(requester: string): number {
    return [...this.#active.keys()].filter(key => key.startsWith(`${requester}\0`)).length
  }

  /** Called when one comes or goes. */
  watch(watcher: () => void): Disposable {
    return this.#watchers.add(watcher)
  }

  /** Starts it, or finds the run that this very request started before. */
  start(frame: CommandRequest, by: Requester, into?: ShellTerminal): ActiveRun {
    const { journal, runs } = this.#deps
    const { requester } = by
    const { registry } = runs.of(requester)
    const id = frame.request_id
    const payloadHash = payloadHashOf(frame)
    const before = this.#records.lookUp(() => journal.received(requester, id))
    if (before && before.payloadHash !== payloadHash) throw idTaken(id)
    if (before) {
      const existing = registry.find(id)
      if (existing) return this.#active.get(activeRunKey(requester, id)) ?? over(existing)
      if (journal.rowsOf(id).some(row => row.requester === requester && row.kind === 'starting'))
        throw new TermError('PM_TERM_NOT_FOUND', `${id} ran before and its record is gone. It is not run again.`)
    }

    const target = into ? reopened(into) : whereTo(frame, requester, this.#deps)
    const { how, place, terminal } = target
    const workspaceId = this.#deps.gate.workspaceAt(place.cwd)?.id ?? null
    if (!before)
      this.#records.appendSoon(
        'received',
        { requester, runId: id },
        receivedBody(frame, { cwd: place.cwd, payloadHash, client: by.client, workspaceId }),
      )

    const { run: runMark, server } = registry.marksOf(id)
    const prepared = { ...target, frame, requester, marks: [runMark, server] }
    const known = { requester, client: by.client, cwd: place.cwd, workspaceId, payloadHash, terminal }
    const opened = registry.open(runRequestOf(frame, known))
    if ('existing' in opened) return over(opened.existing)
    const { run } = opened
    const cancel = new AbortController()
    this.#deps.additions.notice(workspaceId)
    const view = registry.find(id)
    if (!view) throw new TermError('PM_TERM_INTERNAL', 'The run vanished right after it was opened.')

    nameTerminal(this.#deps, terminal, by.client, place.cwd)
    // Taken now: the next request must find this terminal busy. A shell is no run that others wait for.
    if (how === 'open') terminal.beginShell(id)
    const turn = how === 'open' ? Promise.resolve(NO_TURN) : terminal.take(id, cancel.signal)
    const waits = how === 'run' && terminal.busyWith !== id

    notifyOfWaits(run, this.#deps.approvals, this.#watchers)
    void this.#seeThrough(prepared, run, { by, turn, waits, signal: cancel.signal, view })
    const active: ActiveRun = {
      view,
      terminalId: terminal.id,
      withdraw(why) {
        if (run.state.at === 'received' || run.state.at === 'awaiting_approval') cancel.abort(why)
      },
    }
    this.#active.set(activeRunKey(requester, id), active)
    this.#watchers.notify()
    return active
  }

  find(requester: string, id: string): ActiveRun | null {
    return this.#active.get(activeRunKey(requester, id)) ?? null
  }

  withdrawAll(): void {
    for (const active of this.#active.values()) active.withdraw('host_ends')
  }

  async #seeThrough(
    first: PreparedRequest,
    run: Run,
    how: {
      readonly by: Requester
      readonly turn: Promise<Turn | null>
      /** Another one was before it. */
      readonly waits: boolean
      readonly signal: AbortSignal
      readonly view: RunView
    },
  ): Promise<void> {
    const { clock, log, gate, approvals } = this.#deps
    const { by } = how
    // Never at once: whoever started it hears that it was accepted before it hears how it went.
    const turn = await how.turn
    try {
      if (turn === null) run.move(withdrawn(how.signal, clock))
      else {
        // Its turn only now: where its terminal stands is what the run before it left.
        let prepared: PreparedRequest = how.waits ? { ...first, place: placeIn(first.terminal, first.frame) } : first

        let tries = 0
        const approver: Approver = by.isPerson
          ? ASKED_ALREADY
          : {
              ask: (question, signal) => approvals.ask(prepared, question, by, signal),
              present: signal => approvals.present(signal),
              absence: () => approvals.absence(),
            }

        await executeRun(
          {
            approver,
            judge: each => {
              // Asked again because something changed: the directory may be what did.
              if (tries++ > 0) prepared = preparedNow(prepared)
              const { cwd } = prepared.place
              run.cwd = cwd
              run.note = claimWarning(first.frame.workspace_id, gate.workspaceAt(cwd), cwd)
              return this.#judged(gate.judge(prepared, each, undefined), each, by)
            },
            spawn: (each, plan) => this.#spawn(first, { run: each, plan, view: how.view }),
            ...this.#watching(by.requester),
          },
          run,
          how.signal,
        )
      }
    } catch (cause) {
      log.error('a run could not be started', { run: run.request.id, trace_id: run.request.traceId, cause })
      if (!run.over) run.move(failed(cause, clock))
    } finally {
      this.#over(run, turn)
    }
  }

  /** Starts exactly what was judged, in the way it was wanted. Rejects with PlanChanged when the disk is another one now. */
  #spawn({ how, terminal }: PreparedRequest, starting: PlannedStart): Promise<StartedProcess> {
    switch (how) {
      case 'run':
        return spawnInTerminal(this.#spawning, terminal, starting)
      case 'open':
        return openShell(this.#spawning, terminal, starting)
      case 'send':
        return typeLine(this.#spawning, terminal, starting)
    }
  }

  #watching(requester: string): WatchDeps {
    const { registry } = this.#deps.runs.of(requester)
    return {
      clock: this.#deps.clock,
      kill: run => registry.killOwn(run),
      processesOf: run => registry.processesOf(run.request.id),
      // A server ends it itself while no host is there, or when the two speak different protocols.
      killedByAnother: run => killNoted(run.directory),
    }
  }

  /** A run that an earlier host started and pty-host kept: in its old terminal, seen through to its end. */
  takeBack(run: Run, left: FoundPty): void {
    const { runs, terminals, clock } = this.#deps
    const { id, requester, client = '', cwd } = run.request
    const child = left.process
    const terminal = terminals.restore(run.request)
    nameTerminal(this.#deps, terminal, client, cwd)
    run.runsIn(child)
    notifyOfWaits(run, this.#deps.approvals, this.#watchers)
    terminal.shows(child)
    left.onGrown(() => run.grown())
    const view = runs.of(requester).registry.find(id)
    if (terminal.kind === 'runs') run.carried = { nothing: 'the host ended while it ran' }
    else if (view) restoreShell(terminal, { run, child, clock, view })
    if (view) this.#active.set(activeRunKey(requester, id), { ...over(view), terminalId: terminal.id })
    const turn = terminal.kind === 'shell' ? Promise.resolve(NO_TURN) : terminal.take(id, new AbortController().signal)
    void turn.then(turn =>
      resumeRun(this.#watching(requester), run, { child, startedAt: child.startedAt }).finally(() =>
        this.#over(run, turn),
      ),
    )
  }

  #over(run: Run, turn: Turn | null): void {
    const { id, requester } = run.request
    turn?.dispose()
    for (const terminal of this.#deps.terminals.of(requester))
      if (terminal.kind === 'shell' && terminal.shellRun === id) {
        terminal.shellIsOver()
        // A shell that has ended, or was never opened, leaves no empty tab behind.
        if (!terminal.restarting) this.#deps.terminals.close(terminal)
      }
    this.#active.delete(activeRunKey(requester, id))
    this.#watchers.notify()
    this.#records.appendBestEffort('ended', { requester, runId: id }, endingOf(run.line()))
    this.#deps.runs.of(requester).registry.release(run)
  }

  #judged(judged: JudgedRun, run: Run, by: Requester): JudgedRun {
    const about = { requester: by.requester, runId: run.request.id }
    this.#records.appendJudged(about, judged.verdict, run.sandbox?.wanted)
    if (!by.isPerson) this.#deps.blocked.note(run, judged.verdict, by.client)
    return judged
  }
}

const NO_TURN = { dispose() {} }
