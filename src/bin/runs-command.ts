import { existsSync } from 'node:fs'
import { loadSettings, type RawSettings } from '../config/settings.ts'
import { readJournal } from '../runs/journal.ts'
import type { JournalRow } from '../runs/journal-row.ts'

const MOST = 50

/** `interactive-terminal runs [id]`: what was asked and what became of it, from the journal. */
export async function runsCommand(raw: RawSettings, [id]: readonly string[]): Promise<number> {
  const { journalFile } = loadSettings(raw).paths
  if (!existsSync(journalFile)) return say('Nothing was asked yet.')
  const journal = await readJournal(journalFile)
  try {
    if (id !== undefined) {
      const rows = journal.rowsOf(id)
      if (rows.length === 0) return say(`There is no run ${id}.`, 1)
      say(summary(rows))
      for (const row of rows) say(`${time(row)}  ${row.kind.padEnd(10)} ${drawn(JSON.stringify(row.body))}`)
      return 0
    }
    for (const row of journal.newest('received', MOST)) {
      const how = row.runId === null ? 'open' : howItStands(journal.rowsOf(row.runId))
      say(
        `${time(row)}  ${String(row.runId).padEnd(38)} ${how.padEnd(14)} ${drawn(String(row.body.command)).slice(0, 120)}`,
      )
    }
    return 0
  } finally {
    journal.close()
  }
}

/** Where it stands, by whose leave it ran, and as what. */
function summary(rows: readonly JournalRow[]): string {
  const answered = rows.findLast(({ kind, body }) => kind === 'answered' && body.counted !== false)
  const started = rows.find(({ kind }) => kind === 'starting' || kind === 'started')
  const by = answered
    ? `answered by ${drawn(String(answered.body.by))}`
    : started
      ? 'allowed by a rule'
      : 'never started'
  const instead = answered?.body.kind === 'edit' ? `, who wrote instead: ${drawn(String(answered.body.command))}` : ''
  const command = rows.find(({ kind }) => kind === 'received')?.body.command
  return `${howItStands(rows)} · ${by}${instead}\n${drawn(String(command ?? ''))}`
}

function howItStands(rows: readonly JournalRow[]): string {
  const ended = rows.findLast(each => each.kind === 'ended')
  if (ended) return `${ended.body.state} ${ended.body.exit_code ?? ''}`.trim()
  return rows.some(({ kind }) => kind === 'started') ? 'running' : 'open'
}

const time = ({ at }: JournalRow): string => new Date(at).toISOString()

/** A command may hold anything; a listing of it must not move the cursor or hide text. */
const drawn = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, char => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)

function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`)
  return code
}
