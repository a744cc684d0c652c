import pc from 'picocolors'
import { factsOf } from '../../approving/facts.ts'
import { HARD_TO_UNDO, OWN_SHELL } from '../../approving/prompts.ts'
import { askerOf, asksTo, type CommandQuestion } from '../../approving/question.ts'
import { proseRows } from './drawn.ts'
import { bodyRows, changedRows, factRows, notShownRows, numbered, reachRows, verdictRows } from './rows.ts'
import { variableRows, warningRows } from './variables.ts'

/** Everything that would run and where, the command first. */
export function commandRows(q: CommandQuestion, columns: number, revealed: boolean): string[] {
  const opens = q.intent === 'open_only'
  // The project is below, with whoever asks.
  const facts = factsOf(q).filter(({ id }) => id !== 'project' && id !== 'variables')

  return [
    ...changedRows(q, columns),
    pc.bold(`${askerOf(q)} ${asksTo(q)}${opens ? '.' : ':'}`),
    ...(opens ? [] : numbered(q.command, columns)),
    ...(q.args ?? []).flatMap((arg, i) => numbered(arg, columns, `arg ${i + 1}`)),
    '',

    ...reachRows(q.reaches, columns),
    ...(q.grave ? graveRows() : []),
    ...(q.typed_into_shell ? [...proseRows(OWN_SHELL, columns).map(words => pc.yellow(pc.bold(words))), ''] : []),
    ...warningRows(q.env, columns),

    ...verdictRows(q.verdict, q, columns),
    ...bodyRows(q.stands_for, columns),
    ...notShownRows(q.not_shown, columns),
    ...factRows(facts, columns),
    ...variableRows(factsOf(q), revealed, columns),
  ]
}

export const graveRows = (): string[] => [pc.red(pc.bold(`${HARD_TO_UNDO} It has to be typed out.`)), '']
