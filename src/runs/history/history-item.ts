import type { RunOutcome } from '../../contract/disk/run-record.ts'
import type { HistoryItem } from '../../contract/window/history-frames.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import { journalSays } from '../receipt/run-statements.ts'
import type { StoredRun } from '../store/ledger.ts'

/** A list shows where a command begins; all of it is there for whoever opens the run. */
const LONGEST = 400

/** A run as the list has it. `line`: command and arguments as one line. `rows`: what the journal says of it. */
export function historyItem(
  { opened, allowed, started, ended }: StoredRun,
  {
    line,
    outcome,
    rows,
  }: { readonly line: string; readonly outcome: RunOutcome; readonly rows: readonly JournalRow[] },
): HistoryItem {
  const { answer, answered_at, answered_on } = journalSays(untilStart(rows))
  const { why, command_executed } = outcome
  return {
    session_id: opened.id,
    requester: opened.requester,
    client: cut(opened.client ?? ''),
    lane: opened.lane,
    is_shell: line === '',
    command: cut(line),
    is_cut: line.length > LONGEST || (command_executed?.length ?? 0) > LONGEST,
    cwd: ended?.cwd ?? started?.cwd ?? opened.cwd,
    workspace_id: opened.workspace_id,

    outcome: { ...outcome, why: why && cut(why), command_executed: command_executed && cut(command_executed) },
    verdict: (ended?.verdict ?? allowed?.verdict)?.verdict ?? null,
    approved_by: ended?.approved_by ?? allowed?.approved_by ?? null,
    answered:
      answer === undefined || answered_at === undefined
        ? null
        : { kind: answer, on: answered_on ?? null, at: Date.parse(answered_at) },
    received_at: opened.at,
    took_ms: ended?.took_ms ?? null,
    output_bytes: ended?.output_bytes ?? 0,
  }
}

/** What was answered later is about what was typed into it. */
function untilStart(rows: readonly JournalRow[]): readonly JournalRow[] {
  const start = rows.findIndex(({ kind }) => kind === 'starting')
  return start < 0 ? rows : rows.slice(0, start)
}

/** Never in the middle of a character. */
const cut = (text: string): string =>
  text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')
