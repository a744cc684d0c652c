import pc from 'picocolors'
import type { Question } from '../contract/approver-frames.ts'
import { drawn, drawnRows, foreignLetters, widthOf, wrapped } from './approve-drawn.ts'

/** Rows of a screen. Everything that came from an agent goes through `drawn`. */

const LABEL = 13

/** Text of the agent with the lines numbered in a margin that is ours. */
export function numbered(text: string, columns: number, label = ''): string[] {
  const margin = Math.max(LABEL - 2, label.length + 1)
  return drawnRows(text, Math.max(8, columns - margin - 2)).map(({ line, text: words }) => {
    const sign = line === null ? '┆' : line === 1 && label !== '' ? label : String(line)
    return `${pc.dim(`${sign.padStart(margin)}│`)} ${pc.cyan(words)}`
  })
}

export function row(label: string, text: string, columns: number, remark = ''): string[] {
  const rows = wrapped(drawn(text), Math.max(8, columns - LABEL))
  const lines = rows.map((words, i) => `${pc.dim((i === 0 ? label : '').padEnd(LABEL))}${words}`)
  return remark === '' ? lines : [...lines, `${' '.repeat(LABEL)}${pc.dim(remark)}`]
}

/** What the gate says about a line, part by part, and what to look at twice. */
export function verdictRows(
  verdict: Extract<Question, { kind: 'command' }>['verdict'],
  line: { readonly command: string; readonly args: readonly string[] | null },
  columns: number,
): string[] {
  const parts = (verdict.parts ?? []).filter(({ text }) => text !== line.command || (verdict.parts?.length ?? 0) > 1)
  const foreign = foreignLetters([line.command, ...(line.args ?? [])].join(''))
  const notes = [
    ...(verdict.flags ?? []),
    ...(foreign.length > 0 ? [`letters that are not ASCII: ${foreign.join(' ')}`] : []),
  ]
  return [
    ...row('verdict', verdict.why, columns),
    ...parts.flatMap(part => row(part.covered ? 'allowed' : 'asked', `${part.text} — ${part.why}`, columns)),
    ...notes.flatMap(note => row('careful', note, columns)),
  ]
}

export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return `${wrapped(text, columns - 1)[0]}…`
}
