import pc from 'picocolors'
import { editedFacts } from '../../approving/facts.ts'
import { lineOf } from '../../approving/question.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { type CardRows, graveRows } from './command-rows.ts'
import { drawn, wrapped } from './drawn.ts'
import { effectRows, factRows, numbered, partRows, previewRows, row, verdictRows } from './rows.ts'
import type { Checking } from './state.ts'
import { variableRows } from './variables.ts'

/** The line that would run instead: whole, what changed in it, and what the host says about it. */
export function editedRows(
  { command, judged, preview }: Checking,
  question: Question,
  columns: number,
  revealed: boolean,
): CardRows {
  if (question.kind !== 'command') return { read: [], details: [] }
  const head = [
    pc.bold('This line runs instead, once:'),
    ...numbered(command, columns),
    '',
    ...changedRows(lineOf(question), command, columns),
  ]
  if (judged === null) return { read: head, details: [] }
  const facts = editedFacts(question, judged)
  const read = [
    ...head,
    '',
    ...(judged.problem === null ? [] : wrapped(drawn(judged.problem), columns).map(words => pc.red(pc.bold(words)))),
    ...effectRows(judged, columns),
    ...(judged.grave && judged.plan_hash !== null ? graveRows() : []),
    ...verdictRows(judged.verdict, { command, args: null }, columns),
    ...partRows(judged.verdict, columns),
    ...factRows(
      facts.filter(({ id }) => id !== 'variables'),
      columns,
    ),
    ...variableRows(facts, revealed, columns),
  ]
  return { read, details: previewRows(preview, columns) }
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
