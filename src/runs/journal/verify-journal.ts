import type { RemovedRows } from '../../contract/disk/removed-rows.ts'
import { ChainWalk } from './chain-walk.ts'
import type { Head, RowMark } from './journal-head.ts'
import type { StoredRow } from './journal-row.ts'
import { kindIs } from './journal-schema.ts'
import type { Database } from './open-database.ts'
import { type RemovalKey, readRemoval } from './removal-seal.ts'

export interface Removal extends RemovedRows {
  /** When. */
  readonly at: number
}

export type Verification =
  /** `gaps`: rows that are gone and that a power cut can take: everything after the last answer. */
  | {
      readonly sound: true
      readonly head: RowMark
      readonly gaps: readonly string[]
      /** What retention has removed; null: nothing. */
      readonly removed: Removal | null
    }
  | { readonly sound: false; readonly seq: number; readonly problem: string }

/** What the newest rows show. Written in the row of the host that found it. */
export interface Finding {
  readonly journal_problem?: string
  readonly journal_gap?: string
}

/** A row that somebody wrote down elsewhere, and what tells a removal of ours; null: no host has ever been here. */
export interface VerifyBy {
  readonly noted: RowMark | null
  readonly key: RemovalKey | null
}

/** Goes through every row: is each what it was when it was written, none missing in between, and none at the end? */
export function verifyJournal(
  database: Database,
  head: Head | 'missing' | 'unreadable',
  { noted, key }: VerifyBy,
): Verification {
  const claim = newestRemoval(database)
  const removed = claim && key ? readRemoval(claim.body, key) : null
  if (claim && !removed) return { sound: false, seq: claim.seq, problem: key ? FORGED : NO_KEY }
  const known = typeof head === 'string' ? [] : [head.synced, head.last]
  const expected = new Map([...known, ...(noted ? [noted] : [])].map(({ seq, hash }) => [seq, hash]))
  const gaps = [...(removed?.found.gaps ?? []), ...(removed ? notComparable(removed, noted) : [])]
  if (removed?.found.problem) return { sound: false, seq: removed.last.seq, problem: removed.found.problem }

  const walk = new ChainWalk(removed?.ranges ?? [])
  for (const each of database.prepare('SELECT * FROM journal ORDER BY seq').iterate()) {
    const stored = each as unknown as StoredRow
    const { seq } = stored
    const step = walk.step(stored)
    if ('problem' in step) return { sound: false, ...step }
    const marked = step.crossed === null ? undefined : expected.get(step.crossed.to)
    if ((marked ?? step.crossed?.hash) !== step.crossed?.hash || (expected.get(seq) ?? stored.hash) !== stored.hash)
      return { sound: false, seq, problem: 'another row stood here before' }
    const { journal_problem, journal_gap } = foundBy(stored)
    if (journal_problem) return { sound: false, seq, problem: `a host found: ${journal_problem}` }
    if (journal_gap) gaps.push(`at row ${seq} a host found: ${journal_gap}`)
  }

  const { last, ahead } = walk
  if (ahead[0])
    return { sound: false, seq: ahead[0].from, problem: 'rows are there that retention is said to have removed' }
  const end = missingAtEnd(last, head, noted)
  if (end.journal_problem) return { sound: false, seq: last.seq + 1, problem: end.journal_problem }
  return {
    sound: true,
    head: last,
    gaps: [...gaps, ...(end.journal_gap ? [end.journal_gap] : [])],
    removed: claim && removed && { ...removed, at: claim.at },
  }
}

const FORGED = 'it says that retention removed rows, and no host has written that'
const NO_KEY = 'retention removed rows, and host.key, by which a removal of ours is known, is gone'

/** The newest row that says what retention has removed: it says all that earlier ones did. */
export const newestRemoval = (database: Database): StoredRow | null =>
  (database.prepare(`SELECT * FROM journal WHERE ${kindIs('rows_removed')} ORDER BY seq DESC LIMIT 1`).get() as
    | StoredRow
    | undefined) ?? null

function notComparable({ ranges }: RemovedRows, noted: RowMark | null): string[] {
  const gone = noted && ranges.some(({ from, to }) => from <= noted.seq && noted.seq < to)
  return gone ? [`the noted row ${noted.seq} was removed by retention and cannot be compared any more`] : []
}

export function missingAtEnd(last: RowMark, head: Head | 'missing' | 'unreadable', noted: RowMark | null): Finding {
  const gone = (to: number) =>
    `${to === last.seq + 1 ? `row ${to} is` : `rows ${last.seq + 1} to ${to} are`} missing at the end`
  const blind = (what: string) => ({
    journal_problem: `journal.head ${what}, so nobody can tell what is missing at the end`,
  })
  if (noted && noted.seq > last.seq) return { journal_problem: gone(noted.seq) }
  if (head === 'missing') return last.seq === 0 ? {} : blind('is gone')
  if (head === 'unreadable') return blind('cannot be read')
  if (head.synced.seq > last.seq) return { journal_problem: gone(head.last.seq) }
  return head.last.seq > last.seq ? { journal_gap: `${gone(head.last.seq)}, as after a power cut` } : {}
}

/** What a host found when it started. */
export function foundBy({ kind, body }: StoredRow): Finding {
  return kind === 'host_started' ? (JSON.parse(body) as Finding) : {}
}
