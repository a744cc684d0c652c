import type { Decision } from '../../approving/decision.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables, onAbort } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { ReminderStage } from '../../contract/wire/answer-frames.ts'
import type { AnswerFrame, Judged, Question } from '../../contract/wire/approver-frames.ts'
import type { QueueListener, WithdrawnWhy } from './queue-listener.ts'

/** How a question ended. Never shown and unanswered are two things: only the second is silence. */
export type QuestionOutcome =
  | { readonly kind: 'answered'; readonly decision: Decision; readonly by: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'nobody' }
  /** It was never put to anybody: as many wait already as may. */
  | { readonly kind: 'too_many'; readonly waiting: number }

export type EditVerdict = Omit<Judged, 'type' | 'ask_id' | 'command'>

export interface PendingQuestion {
  readonly requester: string
  readonly question: (askId: string, askedAt: number) => Question
  readonly patienceMs: number
  /** What would be said about another line instead; null: nothing else can be approved here. */
  readonly judge: ((command: string) => EditVerdict) | null
  /** Why this answer cannot count, or null. The question stays open then. */
  readonly objection: (decision: Decision) => string | null
  /** Written down before the answer has any effect. Throws: the answer does not count. */
  readonly commit: (decision: Decision, by: string, surface?: string) => void
}

export interface NotCounted {
  readonly problem: string
  readonly open: boolean
}
export type AnswerResult = { readonly counted: true } | NotCounted

interface Open {
  /** Replaced when what it says about its asker changes. */
  question: Question
  readonly pending: PendingQuestion
  readonly life: Disposables
  readonly settle: (outcome: QuestionOutcome) => void
  /** When each approver had all of it on the screen. */
  readonly shownAt: Map<string, number>
  /** Somebody had it before them once, if perhaps not all of it: from then on silence is silence. */
  wasInView: boolean
  /** The edited line that each approver was last shown a verdict for. */
  readonly edited: Map<string, { readonly command: string; readonly planHash: string | null; readonly at: number }>
  noApproverTimer: Disposable
}

export interface ApprovalQueueDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly mostPerRequester: number
  readonly mostInAll: number
  /** How long a question that nobody has seen waits for somebody to come. */
  readonly approverWaitMs: number
  /** Sooner than this after it was shown no approval counts: keys in flight never approve. Declining starts nothing and counts at once. */
  readonly armingMs: number
}

/** More than a person could look through; each is small. */
export const QUESTION_LIMITS = { mostPerRequester: 200, mostInAll: 400 }

/** Open questions in the order they were asked. The first answer that counts ends one; silence and absence end it, too. */
export class ApprovalQueue {
  readonly #deps: ApprovalQueueDeps
  readonly #open = new Map<string, Open>()
  readonly #listeners = new Set<QueueListener>()
  #approvers = 0
  #turnedAway = 0

  constructor(deps: ApprovalQueueDeps) {
    this.#deps = deps
  }

  get pending(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  /** Whoever saw it approved hears that nothing came of it. */
  notStarted(askId: string): void {
    for (const listener of this.#listeners) listener.notStarted?.(askId)
  }

  /** Whoever answers is notified of it once more. */
  remind(askId: string, stage: ReminderStage): void {
    if (!this.#open.has(askId)) return
    for (const listener of this.#listeners) listener.reminded?.(askId, stage)
  }

  /** How many were turned away since nothing waited: whoever answers has to hear of those, too. */
  get turnedAway(): number {
    return this.#turnedAway
  }

  listen(listener: QueueListener): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** False: this requester has as many questions open as one may. */
  hasRoom(requester: string): boolean {
    const { mostPerRequester, mostInAll } = this.#deps
    const open = [...this.#open.values()].filter(({ pending }) => pending.requester === requester)
    return open.length < mostPerRequester && this.#open.size < mostInAll
  }

  ask(pending: PendingQuestion, signal: AbortSignal): Promise<QuestionOutcome> {
    const { clock, ids } = this.#deps
    if (!this.hasRoom(pending.requester)) {
      this.#turnedAway += 1
      for (const listener of this.#listeners) listener.turnedAway?.()
      return Promise.resolve({ kind: 'too_many', waiting: this.#open.size })
    }

    if (this.#open.size === 0) this.#turnedAway = 0
    return new Promise(resolve => {
      const askId = ids.make('ask')
      const life = new Disposables()
      const question = pending.question(askId, clock.now())

      const settle = (outcome: QuestionOutcome) => {
        if (!this.#open.delete(askId)) return
        life.dispose()
        resolve(outcome)
      }

      const open: Open = {
        question,
        pending,
        life,
        settle,
        shownAt: new Map(),
        wasInView: false,
        edited: new Map(),
        noApproverTimer: { dispose() {} },
      }
      this.#open.set(askId, open)

      life.defer(() => open.noApproverTimer.dispose())
      life.add(
        clock.after(pending.patienceMs, () =>
          this.#withdraw(open, 'expired', { kind: open.wasInView ? 'expired' : 'nobody' }),
        ),
      )
      if (this.#approvers === 0) this.#waitForApprover(open)
      for (const listener of this.#listeners) listener.asked(question)
      life.add(onAbort(signal, () => this.#withdraw(open, whyOf(signal), { kind: 'withdrawn' })))
    })
  }

  /** How many questions come before this run's; 0 when it has none. */
  ahead(requestId: string): number {
    return Math.max(
      0,
      this.pending.findIndex(question => question.request_id === requestId),
    )
  }

  approversAre(count: number): void {
    const before = this.#approvers
    this.#approvers = count
    for (const open of this.#open.values()) {
      if (count > 0) open.noApproverTimer.dispose()
      else if (before > 0) this.#waitForApprover(open)
    }
  }

  /** The card is before somebody's eyes; whether all of it was is another fact. */
  inView(askId: string): void {
    const open = this.#open.get(askId)
    if (!open) return
    open.wasInView = true
    open.noApproverTimer.dispose()
  }

  /** `revision`: what was on the screen may be older than what is asked now. False: then it was not shown. */
  shown(askId: string, approver: string, revision = 0): boolean {
    const open = this.#open.get(askId)
    this.inView(askId)
    if (!open || revision !== (open.question.revision ?? 0)) return false
    if (!open.shownAt.has(approver)) open.shownAt.set(approver, this.#deps.clock.elapsed())
    return true
  }

  /**
   * Whoever asked has gone on, as it seems: its question says so from now on, and whoever had read it before has not read that.
   * It is not withdrawn: calls may come side by side, and only the person knows.
   */
  goneOn(requester: string, requestId: string): void {
    const open = [...this.#open.values()].find(
      ({ question, pending }) => question.request_id === requestId && pending.requester === requester,
    )
    if (!open || open.question.asker_state === 'gone_on') return
    open.shownAt.clear()
    open.edited.clear()
    open.question = { ...open.question, asker_state: 'gone_on', revision: (open.question.revision ?? 0) + 1 }
    for (const listener of this.#listeners) listener.asked(open.question)
  }

  /** The verdict on an edited line, for an approver who shows it before it is approved. */
  judge(askId: string, command: string, approver: string): EditVerdict | NotCounted {
    const open = this.#open.get(askId)
    if (!open) return NO_LONGER_OPEN
    if (open.pending.judge === null) return { problem: 'This is approved as it is, or declined.', open: true }
    const judgement = open.pending.judge(command)
    open.edited.set(approver, { command, planHash: judgement.plan_hash, at: this.#deps.clock.elapsed() })
    return judgement
  }

  answer(frame: AnswerFrame, approver: { id: string; name: string; surface?: string }): AnswerResult {
    const open = this.#open.get(frame.ask_id)
    if (!open) return NO_LONGER_OPEN
    if (frame.plan_hash !== open.question.plan_hash) return { problem: 'This is not what was asked.', open: true }
    const unread = unreadBy(open, frame.decision, approver.id, this.#deps.clock.elapsed() - this.#deps.armingMs)
    if (unread !== null) return { problem: unread, open: true }
    const objection = open.pending.objection(frame.decision)
    if (objection !== null) return { problem: objection, open: true }
    try {
      open.pending.commit(frame.decision, approver.name, approver.surface)
    } catch (cause) {
      return { problem: `The answer cannot be written down: ${(cause as Error).message}`, open: true }
    }
    open.settle({ kind: 'answered', decision: frame.decision, by: approver.name })
    const outcome = frame.decision.kind === 'decline' ? 'declined' : 'approved'
    for (const listener of this.#listeners) listener.answered(frame.ask_id, outcome, approver.name)
    return { counted: true }
  }

  #waitForApprover(open: Open): void {
    open.noApproverTimer.dispose()
    if (open.wasInView) return
    const giveUp = () => this.#withdraw(open, 'expired', { kind: 'nobody' })
    open.noApproverTimer = this.#deps.clock.after(this.#deps.approverWaitMs, giveUp)
  }

  #withdraw(open: Open, why: WithdrawnWhy, outcome: QuestionOutcome): void {
    const { ask_id } = open.question
    if (!this.#open.has(ask_id)) return
    open.settle(outcome)
    for (const listener of this.#listeners) listener.withdrawn(ask_id, why)
  }
}

/** For whoever asked, and for the record. */
export const tooManyWait = (waiting: number): string =>
  `${waiting} questions wait for the person already, which is as many as may`

export const tooManyQuestions = (waiting: number, nothing: string): TermError =>
  new TermError('PM_TERM_INVALID_MODE', `Not asked: ${tooManyWait(waiting)}. ${nothing}`, {
    details: { reason: 'too_many_questions', waiting },
  })

const NO_LONGER_OPEN = { problem: 'The question is no longer open: answered, expired or withdrawn.', open: false }
const TOO_FAST = 'That was too fast to have been read.'

/** Why an approval cannot count yet: what it is for was not on that screen, or only just. Declining needs no reading. */
function unreadBy(open: Open, decision: Decision, approver: string, armedBy: number): string | null {
  if (decision.kind === 'decline') return null
  const shownAt = open.shownAt.get(approver)
  if (shownAt === undefined) return 'The question was not on this screen yet.'
  if (shownAt > armedBy) return TOO_FAST
  if (decision.kind !== 'edit') return null
  const edited = open.edited.get(approver)
  if (edited?.command !== decision.command || edited.planHash !== decision.plan_hash)
    return 'The verdict on this line was not on this screen yet.'
  return edited.at > armedBy ? TOO_FAST : null
}

const whyOf = ({ reason }: AbortSignal): WithdrawnWhy =>
  reason === 'asker_gone' || reason === 'host_ends' || reason === 'person' ? reason : 'cancelled'
