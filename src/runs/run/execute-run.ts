import type { Clock } from '../../base/clock.ts'
import { onAbort } from '../../base/disposable.ts'
import { PtyStartLost } from '../../base/process/pty.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { wantedBy } from '../jail/trying.ts'
import { leftOutNote } from '../plan/given-env.ts'
import type { Plan } from '../plan/plan.ts'
import { PlanChanged } from '../plan/plan-changes.ts'
import type { Approver, JudgedRun, RunQuestion } from './approver.ts'
import type { Run } from './run.ts'
import type { EndedBy, RunState } from './run-state.ts'
import { endUnstarted, failed, refused, unseen, withdrawn } from './unstarted.ts'

export interface StartedProcess {
  readonly pid: number
  readonly pidStart: string | null
  /** When it was, if that was not right now. */
  readonly startedAt?: number
  readonly ended: Promise<ProcessEnd>
}

/** lost: whoever watched it died, so nobody saw the end. */
export type ProcessEnd =
  | {
      readonly exitCode: number | null
      readonly signal: string | null
      readonly drained: boolean
      /** When it was seen, if that was not right now. */
      readonly at?: number
    }
  | 'lost'

export interface RunDeps extends WatchDeps {
  readonly approver: Approver
  /** The gate. Throws when it cannot judge. */
  readonly judge: (run: Run) => JudgedRun
  /** Rejects with PlanChanged when the disk is not what was judged any more: then nothing was started. */
  readonly spawn: (run: Run, plan: Plan) => Promise<StartedProcess>
}

export interface WatchDeps {
  readonly clock: Clock
  /** Ends the whole tree; resolves with who is still there. */
  readonly kill: (run: Run) => Promise<readonly number[]>
  /** Who of it is there. */
  readonly processesOf: (run: Run) => readonly number[]
  /** Whether another server of the same person was asked to kill it. */
  readonly killedByAnother: (run: Run) => boolean
}

/**
 * The spine: judge, ask a person if it needs approval, start, see it through. Every path ends in one state, and nothing starts
 * on any path but the two that say so. The signal's reason says who wants it stopped. Resolves when the run is over.
 */
export async function executeRun(deps: RunDeps, run: Run, signal: AbortSignal): Promise<void> {
  try {
    let started = await startOnce(deps, run, signal)
    // What failed for want of the outside is judged again, and asked about: nothing runs a second time by itself.
    while (started !== null && (await watch(deps, run, started, signal)) === 'wants_outside')
      started = await startOnce(deps, run, signal)
  } catch (cause) {
    if (run.state.at === 'running' || run.over) throw cause
    if (cause instanceof PtyStartLost) {
      run.move({ at: 'lost', startedAt: null, endedAt: deps.clock.now(), survivors: deps.processesOf(run) })
      throw cause
    }
    // Nothing was started: starting is the last thing that can fail before the process is ours to watch.
    run.move(failed(cause, deps.clock))
    throw cause
  }
}

/**
 * Starts it, or says null when the run is over without having started. What is not on disk any more as it was judged is judged,
 * and asked about, again: an approval is for what was shown.
 */
async function startOnce(deps: RunDeps, run: Run, signal: AbortSignal): Promise<StartedRun | null> {
  let changed: readonly string[] = []
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { verdict, plan: make } = deps.judge(run)
    run.verdict = run.state.at === 'awaiting_approval' ? onlyByApproval(verdict) : verdict
    // What nobody has to be asked about starts at once: what else its caller has to do is done while it starts.
    const allowed = mayRun(deps, { run, verdict: run.verdict, plan: make, changed }, signal)
    const plan = (allowed instanceof Promise ? await allowed : allowed)?.()
    if (plan === undefined) return null
    if (signal.aborted) return endUnstarted(run, withdrawn(signal, deps.clock))
    run.leftOut = plan.leftOut
    const began = deps.clock.elapsed()
    try {
      run.sandbox = plan.jail === null ? null : { mode: plan.jail.mode, network: 'none', changes: 0 }
      const starting = deps.spawn(run, plan)
      // Nobody needs it before, and a short command has ended by then.
      run.planHash = plan.hash
      const child = await starting
      return { child, startedAt: child.startedAt ?? deps.clock.now(), began, tried: plan.jail !== null }
    } catch (cause) {
      if (!(cause instanceof PlanChanged)) throw cause
      changed = cause.changes
      run.takeBackApproval()
    }
  }
  throw new TermError('PM_TERM_INTERNAL', 'What the command names changes all the time. Nothing ran.')
}

interface StartedRun {
  readonly child: StartedProcess
  readonly startedAt: number
  readonly began: number
  /** In the sandbox. */
  readonly tried: boolean
}

/** What is tried ends by itself, unless more was asked for. */
const LONGEST_TRY_MS = 120_000

const MOST_TRIES = 5
/** A rule that came with the approval is for what was shown, not for what was put in its place. */
const onlyByApproval = (verdict: Verdict): Verdict =>
  verdict.verdict === 'auto' || verdict.verdict === 'try'
    ? { ...verdict, verdict: 'approval', why: 'it changed after it was approved' }
    : verdict

type MayRun = JudgedRun['plan'] | null

/** What may be started, or null when the run is over without having started. */
function mayRun(deps: RunDeps, judged: RunQuestion, signal: AbortSignal): MayRun | Promise<MayRun> {
  const { run, verdict } = judged
  switch (verdict.verdict) {
    case 'auto':
    case 'try': {
      const there = deps.approver.present(signal)
      return there instanceof Promise ? there.then(now => byRule(deps, judged, now)) : byRule(deps, judged, there)
    }
    case 'destructive':
    case 'blocked':
      return endUnstarted(run, refused(verdict, deps.clock))
    case 'approval':
      return byPerson(deps, judged, signal)
  }
}

function byRule({ approver, clock }: RunDeps, { run, plan }: RunQuestion, isThere: boolean): MayRun {
  if (!isThere) return endUnstarted(run, unseen(clock, approver.absence()))
  run.allow('allowlist', null)
  return plan
}

async function byPerson(deps: RunDeps, judged: RunQuestion, signal: AbortSignal): Promise<MayRun> {
  const { run } = judged
  if (run.state.at !== 'awaiting_approval') run.move({ at: 'awaiting_approval', since: deps.clock.now() })
  const answer = await deps.approver.ask(judged, signal)
  const endedAt = deps.clock.now()
  const end = (state: RunState) => endUnstarted(run, state)

  switch (answer.kind) {
    case 'approved':
      if (answer.instead !== null) return edited(deps, run, answer.instead)
      run.allow('person', null)
      return judged.plan
    case 'declined':
      return end({ at: 'declined', reason: answer.reason, ...(answer.kept && { kept: answer.kept }), endedAt })
    case 'expired':
      return end({ at: 'expired', endedAt, ...(answer.afterMs !== undefined && { limitMs: answer.afterMs }) })
    case 'withdrawn':
      return end(withdrawn(signal, deps.clock))
    case 'nobody':
      return end(unseen(deps.clock, answer.why))
    case 'too_many':
      return end({ at: 'blocked', why: answer.why, because: 'too_many', endedAt })
  }
}

/** A person wrote another line. It is theirs, so it needs no second approval, but what nobody may run does not run. */
function edited(
  deps: RunDeps,
  run: Run,
  { command, verdict, plan }: JudgedRun & { readonly command: string },
): JudgedRun['plan'] | null {
  run.verdict = verdict
  if (verdict.verdict === 'destructive' || verdict.verdict === 'blocked')
    return endUnstarted(run, refused(verdict, deps.clock))
  run.allow('person', command)
  return plan
}

/** A run that was started before this process came: seen through as if it had been started here. */
export function resumeRun(
  deps: WatchDeps,
  run: Run,
  left: { readonly child: StartedProcess; readonly startedAt: number },
): Promise<void> {
  const sinceMs = Math.max(0, deps.clock.now() - left.startedAt)
  // Of one that an earlier host tried the end is told as it is: what it was to be asked with went with that host.
  const began = deps.clock.elapsed() - sinceMs
  return watch(deps, run, { ...left, began, tried: false }, new AbortController().signal).then(() => {})
}

/** Whoever withdrew it did so while it was just starting: the run was ended for what they wanted. */
const endedBy = (reason: unknown): EndedBy =>
  reason === 'host_ends' || reason === 'server_end'
    ? 'server_end'
    : reason === 'kill' || reason === 'person'
      ? reason
      : 'cancelled'

async function watch(
  deps: WatchDeps,
  run: Run,
  { child, startedAt, began, tried }: StartedRun,
  signal: AbortSignal,
): Promise<'over' | 'wants_outside'> {
  const { clock } = deps
  run.move({ at: 'running', pid: child.pid, pidStart: child.pidStart, startedAt })

  const cancelled = onAbort(signal, () => void run.stop(endedBy(signal.reason), () => deps.kill(run)))
  const killAfterMs = run.request.killAfterMs ?? (tried ? LONGEST_TRY_MS : null)
  const goneMs = clock.elapsed() - began
  const limit =
    killAfterMs === null
      ? null
      : clock.after(killAfterMs - goneMs, () => void run.stop('kill_after_ms', () => deps.kill(run)))
  const end = await child.ended
  cancelled.dispose()
  limit?.dispose()

  if (end === 'lost') {
    run.move({ at: 'lost', startedAt, endedAt: clock.now(), survivors: deps.processesOf(run) })
    return 'over'
  }
  const { exitCode, signal: deadlySignal, drained } = end
  run.exited(drained)
  const wanted = tried && run.stopping === null ? wantedBy(run.directory, run.output.size, exitCode) : null
  if (wanted !== null) {
    run.wantsOutside(wanted)
    run.move({ at: 'awaiting_approval', since: clock.now() })
    return 'wants_outside'
  }
  // Stopped on request: it is over when all of its tree is gone, not when its first process is.
  const survivors = await survivorsOf(run)
  // It may have ended long before anybody was there to notice.
  const agoMs = end.at === undefined || run.stopping ? 0 : Math.max(0, clock.now() - end.at)
  const ended = { startedAt, endedAt: clock.now() - agoMs, tookMs: clock.elapsed() - began - agoMs }
  if (run.stopping?.by === 'kill_after_ms')
    run.move({ at: 'timed_out', survivors, ...(killAfterMs !== null && { limitMs: killAfterMs }), ...ended })
  else if (run.stopping) run.move({ at: 'killed', by: run.stopping.by, survivors, ...ended })
  else if (deadlySignal !== null && deps.killedByAnother(run))
    run.move({ at: 'killed', by: 'kill', survivors, ...ended })
  else {
    if (exitCode !== 0 && run.leftOut.length > 0) run.addNote(leftOutNote(run.leftOut))
    run.move({ at: 'exited', exitCode, signal: deadlySignal, ...ended })
  }
  return 'over'
}

/** Killing may fail while it looks around; the first process is gone all the same, and the run is over. */
async function survivorsOf(run: Run): Promise<readonly number[]> {
  try {
    return (await run.stopping?.done) ?? []
  } catch {
    return []
  }
}
