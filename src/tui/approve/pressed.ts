import type { Decision } from '../../approving/decision.ts'
import type { AnswerFrame, FromApprover } from '../../contract/wire/approver-frames.ts'
import type { ApproveState } from './state.ts'

/** What became of a key. */
export interface Pressed {
  readonly state: ApproveState
  readonly answer?: AnswerFrame
  /** Decides nothing: a verdict is wanted, or somebody is not admitted. */
  readonly ask?: Extract<FromApprover, { type: 'judge' | 'refuse_admission' | 'end_run' }>
  readonly quit?: true
}

/** What a key on a card may lead to. */
export interface Ways {
  readonly decide: (decision: Decision) => Pressed
  readonly go: (mode: ApproveState['mode']) => Pressed
}
