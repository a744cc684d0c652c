import pc from 'picocolors'
import { factsOf, isDetail } from '../../approving/facts.ts'
import { HARD_TO_UNDO, OWN_SHELL } from '../../approving/prompts.ts'
import { askerOf, asksTo, type CommandQuestion } from '../../approving/question.ts'
import { proseRows } from './drawn.ts'
import { bodyRows, changedRows, effectRows, factRows, notShownRows, numbered, partRows, verdictRows } from './rows.ts'
import { variableRows, warningRows } from './variables.ts'

/** Rows of a card: those that have to be on the screen before an approval, and those for who wants to know more. */
export interface CardRows {
  readonly read: readonly string[]
  readonly details: readonly string[]
}

/** Everything that would run and where: the command first, with the scripts it stands for, then what it does. */
export function commandRows(q: CommandQuestion, columns: number, revealed: boolean): CardRows {
  const opens = q.intent === 'open_only'
  // The project is below, with whoever asks.
  const facts = factsOf(q).filter(({ id }) => id !== 'project' && id !== 'variables')
  const read = [
    ...changedRows(q, columns),
    pc.bold(`${askerOf(q)} ${asksTo(q)}${opens ? '.' : ':'}`),
    ...(opens ? [] : numbered(q.command, columns)),
    ...(q.args ?? []).flatMap((arg, i) => numbered(arg, columns, `arg ${i + 1}`)),
    ...(q.stands_for.length === 0 ? [''] : bodyRows(q.stands_for, columns)),

    ...(q.grave ? graveRows() : []),
    ...(q.typed_into_shell ? [...proseRows(OWN_SHELL, columns).map(words => pc.yellow(pc.bold(words))), ''] : []),
    ...warningRows(q.env, columns),

    ...effectRows(q, columns),
    ...verdictRows(q.verdict, q, columns),
    ...notShownRows(q.not_shown, columns),
    ...factRows(
      facts.filter(fact => !isDetail(fact)),
      columns,
    ),
    ...variableRows(factsOf(q), revealed, columns),
  ]
  return { read, details: [...partRows(q.verdict, columns), ...factRows(facts.filter(isDetail), columns)] }
}

export const graveRows = (): string[] => [pc.red(pc.bold(`${HARD_TO_UNDO} It has to be typed out.`)), '']
