import { createHash } from 'node:crypto'

/** What may stand in the journal. */
export const JOURNAL_KINDS = [
  'host_started',
  'host_ended',
  'pty_host_started',
  'pty_host_lost',
  'received',
  'judged',
  'asked',
  'answered',
  'starting',
  'started',
  'taken_back',
  'ended',
  'rules_changed',
  'terminal_changed',
  'person_input',
  'pairing_changed',
  'approver_admitted',
  'approver_refused',
] as const
export type JournalKind = (typeof JOURNAL_KINDS)[number]

export interface JournalEntry {
  readonly kind: JournalKind
  readonly requester: string | null
  readonly runId: string | null
  readonly body: Readonly<Record<string, unknown>>
}

export interface JournalRow extends JournalEntry {
  readonly seq: number
  readonly at: number
  readonly prev: string
  readonly hash: string
}

/** A row as the database has it. */
export interface StoredRow {
  readonly seq: number
  readonly at: number
  readonly kind: JournalKind
  readonly requester: string | null
  readonly run_id: string | null
  readonly body: string
  readonly prev: string
  readonly hash: string
}

export const asRow = (each: unknown): JournalRow => {
  const { run_id, body, ...row } = each as StoredRow
  return { ...row, runId: run_id, body: JSON.parse(body) as Record<string, unknown> }
}

export function hashOf(row: Omit<JournalRow, 'hash' | 'body'> & { readonly body: string }): string {
  const { seq, at, kind, requester, runId, body, prev } = row
  return createHash('sha256')
    .update(JSON.stringify([seq, at, kind, requester, runId, body, prev]))
    .digest('hex')
}
