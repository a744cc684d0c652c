import type { Answer, Question } from '../../runs/run/execute-run.ts'
import type { Requester } from '../questions/requester.ts'
import type { PreparedRequest } from './gate.ts'

/** The way to ask the person about a command. */
export interface ApprovalPort {
  ask(prepared: PreparedRequest, question: Question, requester: Requester, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string
}
