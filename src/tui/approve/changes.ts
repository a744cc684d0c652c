import pc from 'picocolors'
import {
  FOUND_DECLINED,
  FOUND_NAMES,
  FOUND_SAYS,
  foundMore,
  PAIRING_MEANS,
  rulesCountIn,
  setupMeans,
} from '../../approving/change-words.ts'
import { INPUT_EXECUTES, whoReads } from '../../approving/prompts.ts'
import { askerOf, asksTo } from '../../approving/question.ts'
import { toType } from '../../base/own-command.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { bindRows } from './choices.ts'
import { drawn, proseRows, wrapped } from './drawn.ts'
import { numbered, prose, row } from './rows.ts'

type Of<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>

/** Questions that are no commands: each would change what may run, or who may ask. */
export const changeRows = (q: Exclude<Question, { kind: 'command' }>, columns: number): string[] => [
  ...wrapped(drawn(`${askerOf(q)} ${asksTo(q)}:`), columns).map(words => pc.bold(words)),
  ...bodyOf(q, columns),
]

function bodyOf(q: Exclude<Question, { kind: 'command' }>, columns: number): string[] {
  switch (q.kind) {
    case 'rules':
      return rules(q, columns)
    case 'pairing':
      return pairing(q, columns)
    case 'setup':
      return setup(q, columns)
    case 'input':
      return input(q, columns)
    case 'found':
      return found(q, columns)
  }
}

const rules = (q: Of<'rules'>, columns: number): string[] => [
  ...bindRows(q, columns),
  ...q.added.flatMap(pattern => row('+ allow', pattern, columns)),
  ...q.removed.flatMap(pattern => row('- remove', pattern, columns)),
  '',
  ...prose(rulesCountIn(q), columns),
]

const pairing = (q: Of<'pairing'>, columns: number): string[] => [
  ...row('+ pair', q.name, columns),
  '',
  ...prose(PAIRING_MEANS, columns),
  ...row('later', toType(`pair --revoke ${q.name}`), columns),
]

const setup = (q: Of<'setup'>, columns: number): string[] => [
  ...q.files.flatMap(({ file, lines }) => ['', ...row('file', file, columns), ...numbered(lines.join('\n'), columns)]),
  '',
  ...prose(setupMeans(q.target), columns),
]

function input(q: Of<'input'>, columns: number): string[] {
  const { verdict, executes } = q
  return [
    ...wrapped(q.input.map(piece => ('text' in piece ? drawn(piece.text) : `⟨${piece.key}⟩`)).join(''), columns).map(
      words => pc.bold(words),
    ),
    '',
    ...row('program', q.command, columns),
    ...row('now', whoReads(q), columns),
    ...(executes === null ? [] : proseRows(INPUT_EXECUTES[executes], columns)),
    ...(verdict === null ? [] : row('verdict', verdict.why, columns)),
    ...row('printed', '', columns),
    ...numbered(q.printed, columns),
  ]
}

function found(q: Of<'found'>, columns: number): string[] {
  const more = foundMore(q)
  return [
    ...proseRows(FOUND_SAYS[q.when], columns),
    ...q.rows.flatMap(({ what, text, means, file }) => [
      '',
      ...row(FOUND_NAMES[what], text, columns),
      ...row('', means, columns),
      ...row('', file, columns),
    ]),

    '',
    ...proseRows('Approve: all of it counts from now on. In part: row by row in the window.', columns),
    ...proseRows(FOUND_DECLINED, columns),
    ...(more === null ? [] : proseRows(more, columns)),
  ]
}
