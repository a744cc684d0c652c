import pc from 'picocolors'
import { bindMeans, bindsTo } from '../../approving/change-words.ts'
import { type Choice, choicesOf, TRUST_MEANS, trustOffer } from '../../approving/choices.ts'
import { factsOf } from '../../approving/facts.ts'
import { RULES_TO_EDIT } from '../../approving/prompts.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import { MINUTES, SCOPES, WAYS } from '../../approving/scopes.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { optionsOf } from './choose.ts'
import { drawn, wrapped } from './drawn.ts'
import { factRows, prose } from './rows.ts'
import type { Ruling } from './state.ts'

/** What can be answered beyond this once, as rows of the card: a person reads it before a key may give it. */
export function choiceRows(q: CommandQuestion, trusted: string | null, columns: number): string[] {
  const wider = choicesOf(q).filter(({ id }) => id !== 'once')
  const always = wider.filter(({ id }) => id === 'always')
  const rest = wider.filter(({ id }) => id !== 'always').map(({ id, key }) => `${key}  ${WAYS[id].short}`)
  const rows = [
    ...always.flatMap(choice => keyed(choice.key, inWords(choice), columns)),
    ...(rest.length > 0 ? wrapped([...rest, 's  Change the rules'].join('    '), columns) : []),
    ...trustRows(q, trusted, columns),
  ]
  return rows
}

function trustRows(q: CommandQuestion, trusted: string | null, columns: number): string[] {
  const offer = trustOffer(q)
  if (offer === null) return []
  const said = trusted === null ? `Trust ${offer.directory}, too` : `Your approval also trusts ${trusted}`
  const marked = keyed('t', said, columns)
  return trusted === null ? marked : [...marked.map(words => pc.green(words)), ...prose(TRUST_MEANS, columns)]
}

/** The project a command runs in. Where it can become one, the folder to trust is named below. */
export const projectRows = (q: CommandQuestion, columns: number): string[] =>
  q.project.kind === 'offered'
    ? []
    : factRows(
        factsOf(q).filter(({ id }) => id === 'project'),
        columns,
      )

/** The directory that a change of rules makes a workspace, and what its trust means. */
export function bindRows({ binds }: Extract<Question, { kind: 'rules' }>, columns: number): string[] {
  if (!binds) return []
  const bound = wrapped(drawn(`${bindsTo(binds)} ${binds.directory}`), columns)
  const means = bindMeans(binds)
  return means === null ? bound : [...bound, ...prose(means, columns)]
}

/** The list behind `s`. */
export const optionRows = (question: Question, columns: number): string[] => [
  '',
  ...optionsOf(question).flatMap(({ key, choice, minutes }) =>
    keyed(key, choice.id === 'time' ? `For ${nameOf(minutes)}` : inWords(choice), columns),
  ),
]

export function rulingHeading({ choice, minutes }: Ruling): string {
  const where = choice.id === 'time' ? `for ${nameOf(minutes)}` : SCOPES[choice.scope].title.toLowerCase()
  return `${RULES_TO_EDIT}, ${where}; an empty one is left out:`
}

const nameOf = (minutes: number): string => MINUTES.find(each => each.minutes === minutes)?.name ?? `${minutes} minutes`

const inWords = ({ words: { before, rule, after } }: Choice): string =>
  [before, ...(rule === null ? [] : [`\`${drawn(rule)}\``]), after].filter(word => word !== '').join(' ')

function keyed(key: string, text: string, columns: number): string[] {
  return wrapped(text, Math.max(8, columns - 3)).map((words, i) => `${i === 0 ? pc.bold(key) : ' '}  ${words}`)
}
