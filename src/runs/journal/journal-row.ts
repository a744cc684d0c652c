import { createHash } from 'node:crypto'

/** What may be in the journal. */
export const JOURNAL_KINDS = [
  'host_started',
  'host_ended',
  'host_declared_here',
  'pty_host_started',
  'pty_host_lost',
  'received',
  'judged',
  'asked',
  'answered',
  'decline_ended',
  'agent_cut_off',
  'sandbox_refused',
  'starting',
  'started',
  'taken_back',
  'ended',
  'rules_changed',
  'terminal_changed',
  'person_input',
  'agent_input',
  'permit_asked',
  'permit_granted',
  'permit_used',
  'pairing_changed',
  'passphrase_changed',
  'program_changed',
  'approver_admitted',
  'approver_refused',
  'ledger_anchored',
  'rows_removed',
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

/** Rows that may say which decisions counted: at an orderly end, and at a person's act while no host ran. */
export const VOUCHING_KINDS = [
  'host_ended',
  'rules_changed',
  'pairing_changed',
  'program_changed',
] as const satisfies JournalKind[]

/** The hash of the decisions that this row vouches for; null: it does not. */
export function decidedIn({ kind, body }: Pick<StoredRow, 'kind' | 'body'>): string | null {
  if (!(VOUCHING_KINDS as readonly string[]).includes(kind)) return null
  const { decided } = JSON.parse(body) as { decided?: unknown }
  return typeof decided === 'string' ? decided : null
}

export function hashOf(row: Omit<JournalRow, 'hash' | 'body'> & { readonly body: string }): string {
  const { seq, at, kind, requester, runId, body, prev } = row
  return createHash('sha256')
    .update(JSON.stringify([seq, at, kind, requester, runId, body, prev]))
    .digest('hex')
}
