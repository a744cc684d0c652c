import pc from 'picocolors'
import type { Question } from '../contract/approver-frames.ts'
import { drawn, drawnRows, foreignLetters, proseRows, widthOf, wrapped } from './approve-drawn.ts'

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
  const lines = labelled(label, wrapped(drawn(text), widthBeside(columns)))
  return remark === '' ? lines : [...lines, `${' '.repeat(LABEL)}${pc.dim(remark)}`]
}

const widthBeside = (columns: number): number => Math.max(8, columns - LABEL)

const labelled = (label: string, rows: readonly string[]): string[] =>
  rows.map((words, i) => `${pc.dim((i === 0 ? label : '').padEnd(LABEL))}${words}`)

/** What may be behind a line that looks harmless (policy/display-flags.ts). */
const IN_WORDS: Readonly<Record<string, string>> = {
  bidi_control: 'characters that turn the direction of the text round',
  zero_width: 'characters that nobody can see',
  homoglyph: 'letters that look like others',
  unicode_space: 'blanks that are no ordinary blanks',
  control_char: 'control characters',
  ansi_escape: 'escape sequences, which move the cursor or change colours of a terminal',
  long_whitespace: 'long runs of blanks, which can push text out of sight',
  truncated_view: 'long: read it to its end',
  combining_stack: 'marks that are stacked on top of each other',
  html_text: 'markup',
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
    ...(verdict.flags ?? []).map(flag => IN_WORDS[flag] ?? flag),
    ...(foreign.length > 0 ? [`letters that are not ASCII: ${foreign.join(' ')}`] : []),
  ]
  return [
    ...row('verdict', verdict.why, columns),
    ...parts.flatMap(part => row(part.covered ? 'allowed' : 'asked', `${part.text} — ${part.why}`, columns)),
    ...notes.flatMap(note => labelled('careful', proseRows(note, widthBeside(columns)))),
  ]
}

const KINDS = { script: 'script', package_script: 'package script', make_target: 'make target' } as const

/** What words of the line stand for, whole, as the host read it: the plan covers it, so another body is asked about anew. */
export const bodyRows = (all: Extract<Question, { kind: 'command' }>['stands_for'], columns: number): string[] =>
  all.flatMap(({ kind, name, path, text, omitted_bytes }) => [
    '',
    ...wrapped(drawn(`It runs the ${KINDS[kind]} ${name}, in ${path}:`), columns).map(words => pc.bold(words)),
    ...numbered(text, columns),
    ...(omitted_bytes > 0 ? [pc.yellow(cut(`${omitted_bytes} more bytes are not shown here.`, columns))] : []),
    '',
  ])

export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return `${wrapped(text, columns - 1)[0]}…`
}
