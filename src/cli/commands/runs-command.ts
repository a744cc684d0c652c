import { existsSync } from 'node:fs'
import { runEnding, runEndingInShort } from '../../approving/run-ending.ts'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { RunOutcome } from '../../contract/disk/run-record.ts'
import { readJournal } from '../../runs/journal/journal.ts'
import type { JournalRow } from '../../runs/journal/journal-row.ts'
import { drawn, say } from '../machine/say.ts'
import { table } from '../machine/table.ts'

const MOST = 50
const NOTHING_YET = 'Nothing was requested yet.'

/** `interactive-terminal runs [id]`: what was requested and what became of it, from the journal. */
export async function runsCommand(
  raw: RawSettings,
  [id]: readonly string[],
  { json }: { readonly json?: unknown },
): Promise<number> {
  const { journalFile } = loadSettings(raw).paths
  if (!existsSync(journalFile)) return say(json ? '[]' : NOTHING_YET)
  const journal = await readJournal(journalFile)
  try {
    if (id !== undefined) {
      const rows = journal.rowsOf(id)
      if (rows.length === 0) return say(`There is no run ${id}.`, 1)
      if (json) return say(JSON.stringify({ ...inShort(rows), rows }, null, 2))
      say(summary(rows))
      for (const row of rows) say(`${time(row)}  ${row.kind.padEnd(10)} ${drawn(JSON.stringify(row.body))}`)
      return 0
    }

    const received = journal.newest('received', MOST)
    const runs = received.map(row => (row.runId === null ? [row] : journal.rowsOf(row.runId)))
    if (json) return say(JSON.stringify(runs.map(inShort), null, 2))
    if (runs.length === 0) return say(NOTHING_YET)
    say(table(['WHEN', 'RUN', 'ENDED', 'COMMAND'], runs.map(asRow)))
    return 0
  } finally {
    journal.close()
  }
}

/** For programs: nothing is shortened or drawn. */
function inShort(rows: readonly JournalRow[]): object {
  const received = rows.find(({ kind }) => kind === 'received')
  const { state, exit_code, signal } = outcomeIn(rows)
  return {
    run: rows[0]?.runId ?? null,
    at: new Date(received?.at ?? 0).toISOString(),
    state,
    exit_code,
    signal,
    command: received?.body.command ?? null,
    ran_instead: insteadOf(rows),
    answered_by: answerIn(rows)?.body.by ?? null,
  }
}

function asRow(rows: readonly JournalRow[]): string[] {
  const [first] = rows
  const asked = drawn(String(rows.find(({ kind }) => kind === 'received')?.body.command))
  const instead = insteadOf(rows)
  const line = instead === null ? asked : `${drawn(instead)}   (you ran it instead of: ${asked})`
  return [first ? time(first) : '', String(first?.runId), runEndingInShort(outcomeIn(rows)), line.slice(0, 120)]
}

/** Its state, who approved it, and what ran. */
function summary(rows: readonly JournalRow[]): string {
  const answered = answerIn(rows)
  const started = rows.find(({ kind }) => kind === 'starting' || kind === 'started')
  const by = answered
    ? `answered by ${drawn(String(answered.body.by))}`
    : started
      ? 'allowed by a rule'
      : 'never started'
  const command = drawn(String(rows.find(({ kind }) => kind === 'received')?.body.command ?? ''))
  const instead = insteadOf(rows)
  const lines = instead === null ? [command] : [drawn(instead), `instead of: ${command}`]
  return [`${drawn(runEnding(outcomeIn(rows)).text)} · ${by}`, ...lines].join('\n')
}

const answerIn = (rows: readonly JournalRow[]): JournalRow | undefined =>
  rows.findLast(({ kind, body }) => kind === 'answered' && body.counted !== false)

/** The line a person wrote, if that one ran. */
function insteadOf(rows: readonly JournalRow[]): string | null {
  const answered = answerIn(rows)
  return answered?.body.kind === 'edit' ? String(answered.body.command) : null
}

function outcomeIn(rows: readonly JournalRow[]): RunOutcome {
  const ended = rows.findLast(({ kind }) => kind === 'ended')?.body ?? { state: openState(rows) }
  const ending = { exit_code: null, signal: null, ended_by: null, why: null, reason: null, ...ended }
  return RunOutcome.parse({ ...ending, command_executed: insteadOf(rows) })
}

function openState(rows: readonly JournalRow[]): RunOutcome['state'] {
  if (rows.some(({ kind }) => kind === 'started')) return 'running'
  return rows.some(({ kind }) => kind === 'asked') ? 'awaiting_approval' : 'received'
}

const time = ({ at }: JournalRow): string => new Date(at).toISOString()
