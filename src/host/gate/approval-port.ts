import type { Answer, LineQuestion } from '../../runs/run/approver.ts'
import type { Requester } from '../questions/requester.ts'
import type { JudgedRequest } from './prepared-request.ts'

/** The way to ask the person about a command. */
export interface ApprovalPort {
  ask(prepared: JudgedRequest, question: LineQuestion, requester: Requester, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string | null
}
