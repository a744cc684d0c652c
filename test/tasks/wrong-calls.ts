import { HEADLESS, INTERACTIVE, RAN, type Row, type WrongCall } from './wrong-call.ts'
import { TO_HEADLESS } from './wrong-headless-calls.ts'
import { TO_INTERACTIVE } from './wrong-interactive-calls.ts'

const of =
  (tool: string) =>
  (row: Row): WrongCall => ({ works: RAN, ...row, tool, what: `${tool}: ${row.what}` })

export const WRONG_CALLS: readonly WrongCall[] = [
  ...TO_HEADLESS.map(of(HEADLESS)),
  ...TO_INTERACTIVE.map(of(INTERACTIVE)),
]
