import type { Answer, Question } from '../../runs/run/execute-run.ts'
import type { AskedBy } from '../questions/asked-by.ts'
import type { Wanted } from './gate.ts'

/** Who asks the person. */
export interface Asker {
  ask(wanted: Wanted, question: Question, asked: AskedBy, signal: AbortSignal): Promise<Answer>
  present(signal: AbortSignal): Promise<boolean>
  absence(): string
}
