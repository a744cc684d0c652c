import type { ReminderStage } from '../../contract/wire/answer-frames.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'

export type WithdrawnWhy = 'cancelled' | 'asker_gone' | 'expired' | 'host_ends' | 'person'

/** What becomes of the open questions. */
export interface QueueListener {
  asked(question: Question): void
  answered(askId: string, outcome: 'approved' | 'declined', by: string): void
  withdrawn(askId: string, why: WithdrawnWhy): void
  /** It was approved, and did not run. */
  notStarted?(askId: string): void
  /** It still waits, and half or most of its time is over. */
  reminded?(askId: string, stage: ReminderStage): void
  /** One more was turned away, because as many wait as may. */
  turnedAway?(): void
}
