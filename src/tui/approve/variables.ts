import pc from 'picocolors'
import type { Fact } from '../../approving/facts.ts'
import { isSecret, MASK, type Variable, variableWarnings } from '../../approving/variables.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { drawn, proseRows } from './drawn.ts'
import { factText, row } from './rows.ts'

export const hasSecrets = (question: Question): boolean => question.kind === 'command' && question.env.some(isSecret)

/** Variables that decide what runs, each by its name. */
export function warningRows(env: readonly Variable[], columns: number): string[] {
  const warnings = variableWarnings(env)
  if (warnings.length === 0) return []
  const rows = warnings.flatMap(({ name, does }) => proseRows(`${drawn(name)} ${does}.`, columns))
  return [...rows.map(words => pc.yellow(words)), '']
}

/** A row each: a value may be long. */
export const variableRows = (facts: readonly Fact[], revealed: boolean, columns: number): string[] =>
  facts
    .filter(({ id }) => id === 'variables')
    .flatMap(({ values }) => values)
    .flatMap(value => {
      const { beforeMask } = value
      if (beforeMask === undefined || revealed) return row('variable', factText(value), columns)
      const text = `${beforeMask}${MASK}`
      return row('variable', factText({ ...value, text }), columns, 'looks like a secret: v shows it')
    })
