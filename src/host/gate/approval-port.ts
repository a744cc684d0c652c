import type { Answer, RunQuestion } from '../../runs/run/approver.ts'
import type { Requester } from '../questions/requester.ts'
import type { PreparedRequest } from './gate.ts'

/** Who asks the person. */
export interface ApprovalPort {
  ask(wanted: PreparedRequest, question: RunQuestion, asked: Requester, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string | null
}
