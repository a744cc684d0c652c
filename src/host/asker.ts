import type { Answer, Question } from '../runs/execute-run.ts'
import type { AskedBy } from './asked-by.ts'
import type { Wanted } from './interactive-gate.ts'

/** Who asks the person. */
export interface Asker {
  ask(wanted: Wanted, question: Question, asked: AskedBy, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string
}
