import pc from 'picocolors'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { drawn, wrapped } from './drawn.ts'
import { numbered, reachRows, row, verdictRows } from './rows.ts'
import type { Checking } from './state.ts'

/** The line that would run instead: whole, what changed in it, and what the host says about it. */
export function editedRows({ command, judged }: Checking, question: Question, columns: number): string[] {
  if (question.kind !== 'command') return []
  const asked = question.args ? [question.command, ...question.args].join(' ') : question.command
  const head = [
    pc.bold('This line runs instead, once:'),
    ...numbered(command, columns),
    '',
    ...changedRows(asked, command, columns),
  ]
  if (judged === null) return head
  return [
    ...head,
    '',
    ...(judged.problem === null ? [] : wrapped(drawn(judged.problem), columns).map(words => pc.red(pc.bold(words)))),
    ...reachRows(judged.reaches, columns),
    ...(judged.grave && judged.plan_hash !== null
      ? [pc.red(pc.bold('Hard to undo. It has to be typed out.')), '']
      : []),
    ...verdictRows(judged.verdict, { command, args: null }, columns),
    ...row('directory', question.cwd, columns),
    ...(judged.executables.length > 0 ? row('programs', judged.executables.join(', '), columns) : []),
    ...question.env.flatMap(({ name, value }) => row('sets', `${name}=${value}`, columns)),
  ]
}

/** What was taken out and what was put in, between what stayed at both ends. */
export function changeBetween(before: string, after: string): { readonly out: string; readonly in: string } {
  const [a, b] = [[...before], [...after]]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return { out: a.slice(start, a.length - end).join(''), in: b.slice(start, b.length - end).join('') }
}

function changedRows(before: string, after: string, columns: number): string[] {
  const change = changeBetween(before, after)
  if (change.out === '' && change.in === '') return row('changed', 'nothing', columns)
  return [
    ...(change.out === '' ? [] : row('taken out', change.out, columns).map(pc.red)),
    ...(change.in === '' ? [] : row('put in', change.in, columns).map(pc.green)),
  ]
}
