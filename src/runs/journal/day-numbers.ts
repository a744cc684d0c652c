import type { DayNumbers } from '../../contract/window/status-frames.ts'
import type { JournalRow } from './journal-row.ts'

/** Sooner nobody has read a command. */
const READ_WITHIN_MS = 1000

/** What a person was asked and said, out of the rows `asked`, `answered` and `judged`, in any order. */
export function dayNumbers(rows: readonly JournalRow[]): Omit<DayNumbers, 'is_part'> {
  const askedAt = new Map<string, number>()
  for (const { kind, runId, at } of rows) if (kind === 'asked' && runId !== null) askedAt.set(runId, at)
  const verdicts = rows.filter(({ kind }) => kind === 'judged').map(({ body }) => body.verdict)

  const answers = rows.flatMap(({ kind, runId, at, body }) => {
    const asked = kind === 'answered' && runId !== null ? askedAt.get(runId) : undefined
    if (asked === undefined || body.counted === false) return []
    return [{ approved: body.kind !== 'decline', tookMs: Math.max(0, at - asked) }]
  })
  const took = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  const approved = answers.filter(answer => answer.approved)
  return {
    asked: askedAt.size,
    approved: approved.length,
    declined: answers.length - approved.length,
    median_ms: took[Math.floor(took.length / 2)] ?? null,
    under_a_second: approved.filter(({ tookMs }) => tookMs < READ_WITHIN_MS).length,
    by_rule: verdicts.filter(verdict => verdict === 'auto' || verdict === 'try').length,
    refused: verdicts.filter(verdict => verdict === 'blocked' || verdict === 'destructive').length,
  }
}
