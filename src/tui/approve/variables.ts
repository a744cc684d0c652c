import pc from 'picocolors'
import { isSecret, MASK, type Variable, variableWarnings } from '../../approving/variables.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { drawn, proseRows } from './drawn.ts'
import { row } from './rows.ts'

type Env = Extract<Question, { kind: 'command' }>['env']

export const hasSecrets = (question: Question): boolean => question.kind === 'command' && question.env.some(isSecret)

/** Variables that decide what runs, each by its name. */
export function warningRows(env: readonly Variable[], columns: number): string[] {
  const warnings = variableWarnings(env)
  if (warnings.length === 0) return []
  const rows = warnings.flatMap(({ name, does }) => proseRows(`${drawn(name)} ${does}.`, columns))
  return [...rows.map(words => pc.yellow(words)), '']
}

/** What looks like a secret stays masked until the person wants to see it. */
export const variableRows = (env: Env, revealed: boolean, columns: number): string[] =>
  env.flatMap(variable => {
    const { name, value, carried } = variable
    const label = carried ? 'carries' : 'sets'
    if (value === null) return row(label, `${name} unset`, columns)
    const masked = isSecret(variable) && !revealed
    return row(label, `${name}=${masked ? MASK : value}`, columns, masked ? 'looks like a secret: v shows it' : '')
  })
