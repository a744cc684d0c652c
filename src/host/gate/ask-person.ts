import { type Decision, notOffered } from '../../approving/decision.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import type { Clock } from '../../base/clock.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Scope } from '../../contract/wire/scope.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { Answer, AskedRun } from '../../runs/run/approver.ts'
import type { HostTimes } from '../host-times.ts'
import { type ApprovalQueue, tooManyWait } from '../questions/approval-queue.ts'
import type { KeptDeclines } from '../questions/kept-declines.ts'
import type { Presence } from '../questions/presence.ts'
import type { Previews } from '../questions/previews.ts'
import { ruleObjection, type ScopedRules } from '../questions/scoped-rules.ts'
import { shellFor } from '../terminals/shell-profile.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { ApprovalPort } from './approval-port.ts'
import { Edits } from './ask-edits.ts'
import { commandQuestion, type QuestionDeps } from './command-question.ts'
import { declinedBefore, keepDecline } from './declined-before.ts'
import { isGrave } from './gate.ts'
import type { JudgedRequest } from './prepared-request.ts'
import { widen, wideningOf } from './widen-project.ts'

export interface AskDeps extends QuestionDeps {
  readonly clock: Clock
  readonly queue: ApprovalQueue
  readonly presence: Presence
  readonly previews: Pick<Previews, 'start'>
  readonly journal: Journal
  readonly scoped: ScopedRules
  readonly declines: KeptDeclines
  readonly terminals: Terminals
  readonly times: Pick<HostTimes, 'patienceMs'>
  readonly approverWaitMs: number
}

/** What must be typed for a command that is hard to undo. */
export const GRAVE_TEXT = 'run it'

/** Puts a command to the person, writes their word down, and makes it count. */
export function askPerson(deps: AskDeps): ApprovalPort {
  return {
    present: signal => deps.presence.someone(deps.approverWaitMs, signal),
    absence: () => deps.presence.problem,
    async ask(prepared, question, by, signal) {
      const { run, verdict } = question
      const about = { requester: by.requester, runId: run.request.id }
      const kept = by.isPerson ? null : declinedBefore(deps, prepared, run)
      if (kept !== null) return kept

      const plan = question.plan()
      const patienceMs = prepared.frame.approval_timeout_ms ?? deps.times.patienceMs

      deps.presence.call()
      // What was shown of an edited line is what runs: it is judged once, and its plan is kept.
      const edits = new Edits(command => deps.gate.judge(prepared, run, command))
      let shown: CommandQuestion | null = null

      const outcome = await deps.queue.ask(
        {
          requester: by.requester,
          patienceMs,
          question: (askId, askedAt) => {
            deps.journal.append({ kind: 'asked', ...about, body: { plan_hash: plan.hash, why: verdict.why } })
            shown = commandQuestion(deps, { prepared, question, by, askId, askedAt, patienceMs })
            const shell = shellFor(prepared.terminal.profile, deps.person).name
            deps.previews.start(shown, { shell, env: plan.env })
            return shown
          },
          judge: command => edits.judge(command),
          objection: decision => objectionTo(deps, decision, { prepared, verdict, edits, shown: mustBe(shown) }),
          commit: (decision, who, surface) => {
            const body = { plan_hash: plan.hash, ...decision, by: who, ...(surface !== undefined && { surface }) }
            if (decision.kind === 'edit') {
              const { verdict: judged, why } = edits.under(decision.plan_hash)?.verdict ?? verdict
              const edited = { verdict: judged, why, command: decision.command, plan_hash: decision.plan_hash }
              deps.journal.appendSoon({ kind: 'judged', ...about, body: edited })
            }
            commit(deps, decision, { prepared, run, shown: mustBe(shown), row: about, body })
          },
        },
        signal,
      )

      if (outcome.kind === 'too_many') return { kind: 'too_many', why: tooManyWait(outcome.waiting) }
      if (outcome.kind === 'nobody') return { kind: 'nobody', why: deps.presence.problem }
      if (outcome.kind === 'expired') return { kind: 'expired', afterMs: patienceMs }
      if (outcome.kind !== 'answered') return outcome
      if (outcome.decision.kind !== 'decline') reportUnstarted(run, () => deps.queue.notStarted(mustBe(shown).ask_id))
      return answerOf(outcome.decision, edits)
    },
  }
}

/** An approval after which nothing ran must not look as if something had. */
function reportUnstarted(run: AskedRun, notify: () => void): void {
  const watching = run.watch(() => {
    if (run.state.at === 'awaiting_approval') return
    watching.dispose()
    if (NEVER_STARTED.has(run.state.at)) notify()
  })
}
const NEVER_STARTED: ReadonlySet<string> = new Set(['failed', 'withdrawn', 'blocked', 'declined', 'expired'])

/** Nothing is answered that was not put to anybody. */
function mustBe(shown: CommandQuestion | null): CommandQuestion {
  if (shown) return shown
  throw new TermError('PM_TERM_INTERNAL', 'The question was never put together.')
}

function answerOf(decision: Decision, edits: Edits): Answer {
  switch (decision.kind) {
    case 'approve':
      return { kind: 'approved', instead: null }
    case 'edit': {
      const judged = edits.under(decision.plan_hash)
      if (judged === null) throw new TermError('PM_TERM_INTERNAL', 'The edited line was never judged. Nothing ran.')
      return { kind: 'approved', instead: { command: decision.command, ...judged } }
    }
    case 'decline':
      return { kind: 'declined', reason: decision.reason }
  }
}

/** What an answer is about. */
interface Subject {
  readonly prepared: JudgedRequest
  readonly verdict: Verdict
  readonly edits: Edits
  /** As it was put to the person. */
  readonly shown: CommandQuestion
}

/** Why this answer cannot count. The question stays open, and the person hears it. */
function objectionTo(deps: AskDeps, decision: Decision, { prepared, verdict, edits, shown }: Subject): string | null {
  const unoffered = notOffered(shown, decision)
  if (unoffered !== null) return unoffered
  switch (decision.kind) {
    case 'decline':
      return null
    case 'edit': {
      const edited = edits.under(decision.plan_hash)?.verdict
      if (!edited) return 'The verdict on this line was not on this screen yet.'
      return isGrave(edited) && decision.typed !== GRAVE_TEXT ? needsTyping : null
    }
    case 'approve': {
      const { scope } = decision
      if (isGrave(verdict) && decision.typed !== GRAVE_TEXT) return needsTyping
      const objection = 'rules' in scope ? ruleObjection(scope.rules, verdict) : null
      if (objection !== null) return objection
      const widening = wideningOf(decision, { cwd: prepared.place.cwd, shown: shown.project }, deps)
      return typeof widening === 'string' ? widening : null
    }
  }
}

const needsTyping = `This is hard to undo: type "${GRAVE_TEXT}" to approve it.`

/** Writes an answer down with all that it changes, as one step, and makes it count: in the project's files, or in memory. */
function commit(deps: AskDeps, decision: Decision, about: Committed): void {
  const { prepared, shown, row, body } = about
  const widening = wideningOf(decision, { cwd: prepared.place.cwd, shown: shown.project }, deps)
  if (typeof widening === 'string') throw new TermError('PM_TERM_INVALID_PAYLOAD', widening)
  if (widening === null) deps.journal.append({ kind: 'answered', ...row, body })
  else {
    deps.journal.appendSoon({ kind: 'answered', ...row, body })
    deps.journal.append({ kind: 'rules_changed', ...row, body: { ...widening } })
  }
  try {
    if (widening !== null) widen(widening, deps)
    if (decision.kind === 'approve') hold(deps, decision.scope, prepared, row.requester)
    if (decision.kind === 'decline') keepDecline(deps, decision, about)
  } catch (cause) {
    deps.journal.append({ kind: 'answered', ...row, body: { ...body, counted: false } })
    throw cause
  }
}

/** A scope that is kept neither here nor with the project does not compile. */
function hold(deps: AskDeps, scope: Scope, { place: { cwd }, terminal }: JudgedRequest, requester: string): void {
  if (scope.kind === 'once' || scope.kind === 'workspace' || scope.kind === 'run') return
  const workspaceId = deps.gate.workspaceAt(cwd)?.id ?? null
  deps.scoped.hold(scope, { requester, workspaceId, cwd, terminalId: terminal.id })
}

interface Committed extends Pick<Subject, 'prepared' | 'shown'> {
  readonly run: AskedRun
  readonly row: { readonly requester: string; readonly runId: string }
  readonly body: Readonly<Record<string, unknown>>
}
