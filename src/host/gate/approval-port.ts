import type { Answer, RunQuestion } from '../../runs/run/approver.ts'
import type { Requester } from '../questions/requester.ts'
import type { PreparedRequest } from './gate.ts'

/** The way to ask the person about a command. */
export interface ApprovalPort {
  ask(prepared: PreparedRequest, question: RunQuestion, requester: Requester, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string | null
}
