import type { Clock } from '../base/clock.ts'
import { type Disposable, Disposables, onAbort } from '../base/disposable.ts'
import type { Ids } from '../base/ids.ts'
import type { AnswerFrame, Judged, Question } from '../contract/approver-frames.ts'

export type Decision = AnswerFrame['decision']

/** How a question ended. Never shown and unanswered are two things: only the second is silence. */
export type Outcome =
  | { readonly kind: 'answered'; readonly decision: Decision; readonly by: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'nobody' }

export type WithdrawnWhy = 'cancelled' | 'asker_gone' | 'expired' | 'host_ends'

export type Judgement = Omit<Judged, 'type' | 'ask_id' | 'command'>

export interface Asking {
  readonly requester: string
  readonly question: (askId: string, askedAt: number) => Question
  readonly patienceMs: number
  /** What would be said about another line instead; null: nothing else can be approved here. */
  readonly judge: ((command: string) => Judgement) | null
  /** Why this answer cannot count, or null. The question stays open then. */
  readonly objection: (decision: Decision) => string | null
  /** Written down before the answer has any effect. Throws: the answer does not count. */
  readonly record: (decision: Decision, by: string) => void
}

export interface QueueListener {
  asked(question: Question): void
  answered(askId: string, outcome: 'approved' | 'declined', by: string): void
  withdrawn(askId: string, why: WithdrawnWhy): void
}

export interface NotCounted {
  readonly problem: string
  readonly open: boolean
}
export type AnswerResult = { readonly counted: true } | NotCounted

interface Open {
  readonly question: Question
  readonly asking: Asking
  readonly life: Disposables
  readonly settle: (outcome: Outcome) => void
  readonly askedAt: number
  /** When each approver had all of it on the screen. */
  readonly shownAt: Map<string, number>
  /** The edited line that each approver was last shown a verdict for. */
  readonly edited: Map<string, { readonly command: string; readonly planHash: string | null; readonly at: number }>
  lonely: Disposable
}

export interface ApprovalQueueDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly mostPerRequester: number
  /** How long a question that nobody has seen waits for somebody to come. */
  readonly approverWaitMs: number
  /** Sooner than this after it was shown no answer counts: keys in flight never decide. */
  readonly armingMs: number
}

/** Open questions in the order they were asked. The first answer that counts ends one; silence and absence end it, too. */
export class ApprovalQueue {
  readonly #deps: ApprovalQueueDeps
  readonly #open = new Map<string, Open>()
  readonly #listeners = new Set<QueueListener>()
  #approvers = 0

  constructor(deps: ApprovalQueueDeps) {
    this.#deps = deps
  }

  get pending(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question)
  }

  listen(listener: QueueListener): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** False: this requester has as many questions open as one may. */
  hasRoom(requester: string): boolean {
    const open = [...this.#open.values()].filter(({ asking }) => asking.requester === requester)
    return open.length < this.#deps.mostPerRequester
  }

  ask(asking: Asking, signal: AbortSignal): Promise<Outcome> {
    const { clock, ids } = this.#deps
    return new Promise(resolve => {
      const askId = ids.make('ask')
      const life = new Disposables()
      const question = asking.question(askId, clock.now())
      const settle = (outcome: Outcome) => {
        if (!this.#open.delete(askId)) return
        life.dispose()
        resolve(outcome)
      }
      const lonely = { dispose() {} }
      const askedAt = clock.elapsed()
      const open: Open = { question, asking, life, settle, askedAt, shownAt: new Map(), edited: new Map(), lonely }
      this.#open.set(askId, open)
      life.defer(() => open.lonely.dispose())
      life.add(
        clock.after(asking.patienceMs, () =>
          this.#withdraw(open, 'expired', { kind: open.shownAt.size > 0 ? 'expired' : 'nobody' }),
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
      if (count > 0) open.lonely.dispose()
      else if (before > 0) this.#waitForApprover(open)
    }
  }

  shown(askId: string, approver: string): void {
    const open = this.#open.get(askId)
    if (open && !open.shownAt.has(approver)) open.shownAt.set(approver, this.#deps.clock.elapsed())
  }

  /** The verdict on an edited line, for an approver who shows it before it is approved. */
  judge(askId: string, command: string, approver: string): Judgement | NotCounted {
    const open = this.#open.get(askId)
    if (!open) return NO_LONGER_OPEN
    if (open.asking.judge === null) return { problem: 'This is approved as it is, or declined.', open: true }
    const judgement = open.asking.judge(command)
    open.edited.set(approver, { command, planHash: judgement.plan_hash, at: this.#deps.clock.elapsed() })
    return judgement
  }

  answer(frame: AnswerFrame, approver: { readonly id: string; readonly name: string }): AnswerResult {
    const open = this.#open.get(frame.ask_id)
    if (!open) return NO_LONGER_OPEN
    // A no starts nothing, so it need not wait until all of a question was seen; several may be said at once.
    const shownAt = frame.decision.kind === 'decline' ? open.askedAt : open.shownAt.get(approver.id)
    if (frame.plan_hash !== open.question.plan_hash) return { problem: 'This is not what was asked.', open: true }
    if (shownAt === undefined) return { problem: 'The question was not on this screen yet.', open: true }
    if (this.#deps.clock.elapsed() - shownAt < this.#deps.armingMs) return TOO_FAST
    if (frame.decision.kind === 'edit') {
      const edited = open.edited.get(approver.id)
      if (edited?.command !== frame.decision.command || edited.planHash !== frame.decision.plan_hash)
        return { problem: 'The verdict on this line was not on this screen yet.', open: true }
      if (this.#deps.clock.elapsed() - edited.at < this.#deps.armingMs) return TOO_FAST
    }
    const objection = open.asking.objection(frame.decision)
    if (objection !== null) return { problem: objection, open: true }
    try {
      open.asking.record(frame.decision, approver.name)
    } catch (cause) {
      return { problem: `The answer cannot be written down: ${(cause as Error).message}`, open: true }
    }
    open.settle({ kind: 'answered', decision: frame.decision, by: approver.name })
    const outcome = frame.decision.kind === 'decline' ? 'declined' : 'approved'
    for (const listener of this.#listeners) listener.answered(frame.ask_id, outcome, approver.name)
    return { counted: true }
  }

  #waitForApprover(open: Open): void {
    open.lonely.dispose()
    if (open.shownAt.size > 0) return
    const giveUp = () => this.#withdraw(open, 'expired', { kind: 'nobody' })
    open.lonely = this.#deps.clock.after(this.#deps.approverWaitMs, giveUp)
  }

  #withdraw(open: Open, why: WithdrawnWhy, outcome: Outcome): void {
    const { ask_id } = open.question
    if (!this.#open.has(ask_id)) return
    open.settle(outcome)
    for (const listener of this.#listeners) listener.withdrawn(ask_id, why)
  }
}

const NO_LONGER_OPEN = { problem: 'The question is no longer open: answered, expired or withdrawn.', open: false }
const TOO_FAST = { problem: 'That was too fast to have been read.', open: true }

const whyOf = ({ reason }: AbortSignal): WithdrawnWhy =>
  reason === 'asker_gone' || reason === 'host_ends' ? reason : 'cancelled'
