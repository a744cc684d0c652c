import pc from 'picocolors'
import { ASKED_AGAIN } from '../../approving/asked-again.ts'
import { blockedBefore, blockedTitle } from '../../approving/blocked-words.ts'
import { effectLines } from '../../approving/effects.ts'
import type { Fact, FactValue } from '../../approving/facts.ts'
import { flagWords } from '../../approving/flags.ts'
import { leftRunningTitle } from '../../approving/left-running.ts'
import { previewLines } from '../../approving/preview/preview-lines.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import { partReasons, tellingReason, wholeReason } from '../../approving/reasons.ts'
import { NOT_SHOWN, notShownWords, omittedWords, SCRIPT_KINDS } from '../../approving/scripts.ts'
import type { Preview } from '../../contract/preview/preview-frames.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import type { LeftRun } from '../../contract/wire/left-run-frames.ts'
import { drawn, drawnRows, foreignLetters, proseRows, widthOf, wrapped } from './drawn.ts'

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

/** A remark of ours under a row; what it quotes of others is drawn. */
export const prose = (text: string, columns: number): string[] =>
  labelled('', proseRows(drawn(text), widthBeside(columns)).map(pc.dim))

const widthBeside = (columns: number): number => Math.max(8, columns - LABEL)

const labelled = (label: string, rows: readonly string[]): string[] =>
  rows.map((words, i) => `${pc.dim((i === 0 ? label : '').padEnd(LABEL))}${words}`)

/** The rows of a card that are one label and its values; what has a row each is drawn elsewhere. */
export const factRows = (facts: readonly Fact[], columns: number): string[] =>
  facts.flatMap(({ label, short, values, note }) =>
    row((short ?? label).toLowerCase(), values.map(factText).join(', '), columns, note),
  )

export const factText = ({ text, remark }: FactValue): string => (remark === undefined ? text : `${text} (${remark})`)

/** What the gate has against a line, and what to look at twice. */
export function verdictRows(
  verdict: CommandQuestion['verdict'],
  line: { readonly command: string; readonly args: readonly string[] | null },
  columns: number,
): string[] {
  const whole = tellingReason(verdict)
  const foreign = foreignLetters([line.command, ...(line.args ?? [])].join(''))
  const notes = [
    ...(verdict.flags ?? []).map(flag => drawn(flagWords(flag))),
    ...(foreign.length > 0 ? [`Letters in it are not ASCII: ${foreign.join(' ')}`] : []),
  ]

  return [
    ...(whole === null ? [] : row('verdict', whole, columns)),
    ...notes.flatMap(note => labelled('careful', proseRows(note, widthBeside(columns)))),
  ]
}

/** Among the details: why it needs approval, part by part. */
export function partRows(verdict: CommandQuestion['verdict'], columns: number): string[] {
  const whole = wholeReason(verdict)
  return [
    ...(whole === null || tellingReason(verdict) !== null ? [] : row('verdict', whole, columns)),
    ...partReasons(verdict).flatMap(part =>
      row(part.covered ? 'allowed' : 'approval', `${part.text} — ${part.why}`, columns),
    ),
  ]
}

/** Why it needs approval once more. */
export const changedRows = ({ changed }: CommandQuestion, columns: number): string[] =>
  changed.length === 0
    ? []
    : [
        ...proseRows(ASKED_AGAIN, columns).map(words => pc.yellow(pc.bold(words))),
        ...changed.flatMap(change => proseRows(`• ${drawn(change)}`, columns)),
        '',
      ]

/** What it does, in words; what reaches beyond the project stands out. */
export const effectRows = (asked: Parameters<typeof effectLines>[0], columns: number): string[] =>
  effectLines(asked).flatMap(({ text, tone }, i) =>
    labelled(
      i === 0 ? 'does' : '',
      proseRows(drawn(text), widthBeside(columns)).map(words =>
        tone === 'beyond' ? pc.yellow(pc.bold(words)) : words,
      ),
    ),
  )

/** What a look at this machine says, for who reads on. */
export const previewRows = (preview: Preview | undefined, columns: number): string[] =>
  (preview === undefined ? [] : previewLines(preview)).flatMap(({ text, tone, below }, i) => [
    ...labelled(
      i === 0 ? 'right now' : '',
      proseRows(drawn(text), widthBeside(columns)).map(words => (tone === 'careful' ? pc.yellow(words) : words)),
    ),
    ...below.flatMap(each => labelled('', wrapped(`  ${drawn(each)}`, widthBeside(columns)))),
  ])

/** Files that the shown ones load. */
export const notShownRows = (files: CommandQuestion['not_shown'], columns: number): string[] =>
  files.length === 0
    ? []
    : [
        ...proseRows(`${NOT_SHOWN}:`, columns).map(words => pc.yellow(words)),
        ...files.flatMap(file => wrapped(`  ${drawn(notShownWords(file))}`, columns)),
        '',
      ]

/** What words of the line stand for, whole, as the host read it: the plan covers it, so another body needs approval anew. */
export const bodyRows = (all: CommandQuestion['stands_for'], columns: number): string[] =>
  all.flatMap(body => {
    const { kind, name, path, text } = body
    const omitted = omittedWords(body)
    return [
      '',
      ...wrapped(drawn(`${SCRIPT_KINDS[kind]} ${name} in ${path}:`), columns).map(words => pc.bold(words)),
      ...numbered(text, columns),
      ...(omitted === null ? [] : [pc.yellow(cut(omitted, columns))]),
      '',
    ]
  })

export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return `${wrapped(text, columns - 1)[0]}…`
}

const MOST_LEFT = 3

/** What an interrupted agent left running; `K` ends the first of them. */
export function leftRows(runs: readonly LeftRun[], columns: number): string[] {
  if (runs.length === 0) return []
  const more = runs.length > MOST_LEFT ? [pc.dim(cut(`  and ${runs.length - MOST_LEFT} more`, columns))] : []
  return [
    pc.yellow(cut(`${drawn(leftRunningTitle(runs))} — K ends the first`, columns)),
    ...runs.slice(0, MOST_LEFT).map(({ command }) => cut(`  ${drawn(command)}`, columns)),
    ...more,
  ]
}

const MOST_BLOCKED = 5

/** What agents tried and nobody was asked about, newest first. */
export function blockedRows(
  blocked: Extract<ToApprover, { type: 'blocked_commands' }> | null,
  columns: number,
): string[] {
  if (blocked === null) return []
  const newest = blocked.items.slice(-MOST_BLOCKED).reverse()
  const before = blockedBefore(blocked.count, newest.length)
  return [
    '',
    cut(blockedTitle(blocked.count), columns),
    ...newest.flatMap(({ command, client, requester, why }) => [
      cut(`  ${drawn(command)}`, columns),
      pc.dim(cut(`    ${drawn(client || requester)}: ${drawn(why)}`, columns)),
    ]),
    ...(before === null ? [] : [pc.dim(cut(`  ${before}`, columns))]),
  ]
}
