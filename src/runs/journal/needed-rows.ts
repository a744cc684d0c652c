import type { JournalKind, StoredRow } from './journal-row.ts'
import { kindIs, VOUCHING } from './journal-schema.ts'
import type { Database } from './open-database.ts'

/** What the host that runs still has open. In the time of the rows; Infinity: nothing. */
export interface StillOpen {
  /** The oldest question that waits for an answer. */
  readonly askedSince: number
  /** Since when approvals may have been given that hold until they are taken back. */
  readonly heldSince: number
}

/** Of these the newest row counts, however old it is. */
const NEWEST = ['host_started', 'host_ended', 'pty_host_started', 'passphrase_changed'] as const satisfies JournalKind[]

/** Of a run without an end: what says that it was asked for, approved and started. */
const OF_OPEN_RUNS: readonly JournalKind[] = ['received', 'asked', 'answered', 'starting', 'started', 'taken_back']

/** Which rows somebody will still look for: they stay, however old they are. */
export class NeededRows {
  readonly #database: Database
  readonly #open: StillOpen
  /** The newest row of each kind that is sought, the newest that vouches, and the newest anchor of each ledger. */
  readonly #newest: ReadonlySet<number>
  readonly #hasRow: (runId: string, requester: string | null, kind: JournalKind) => boolean

  constructor(database: Database, open: StillOpen, isRetired: (ledger: string) => boolean) {
    this.#database = database
    this.#open = open
    this.#newest = new Set([...this.#newestOfKinds(), ...this.#newestAnchors(isRetired)])
    const has = database.prepare('SELECT 1 FROM journal WHERE run_id = ? AND requester IS ? AND kind = ? LIMIT 1')
    this.#hasRow = (runId, requester, kind) => has.get(runId, requester, kind) !== undefined
  }

  has(row: StoredRow): boolean {
    const { seq, at, kind, requester, run_id } = row
    if (this.#newest.has(seq)) return true
    const of = (other: JournalKind) => run_id !== null && this.#hasRow(run_id, requester, other)
    if (OF_OPEN_RUNS.includes(kind) && of('received') && !of('ended')) return true
    if (kind === 'asked') return at >= this.#open.askedSince && !of('answered')
    return kind === 'answered' && at >= this.#open.heldSince && holds(row)
  }

  #newestOfKinds(): number[] {
    const seqOf = (where: string): number[] => {
      const row = this.#database.prepare(`SELECT seq FROM journal WHERE ${where} ORDER BY seq DESC LIMIT 1`).get()
      return row ? [Number(row.seq)] : []
    }
    const vouching = seqOf(`${VOUCHING} AND json_extract(body, '$.decided') IS NOT NULL`)
    return [...NEWEST.flatMap(kind => seqOf(kindIs(kind))), ...vouching]
  }

  #newestAnchors(isRetired: (ledger: string) => boolean): number[] {
    const newest = new Map<string, number>()
    for (const each of this.#database
      .prepare(`SELECT seq, body FROM journal WHERE ${kindIs('ledger_anchored')} ORDER BY seq`)
      .all()) {
      const { ledger } = JSON.parse(String(each.body)) as { ledger: string }
      newest.set(ledger, Number(each.seq))
    }
    return [...newest].flatMap(([ledger, seq]) => (isRetired(ledger) ? [] : [seq]))
  }
}

/** An approval beyond "once". */
function holds({ body }: StoredRow): boolean {
  const { scope } = JSON.parse(body) as { scope?: { kind?: unknown } }
  return scope !== undefined && scope.kind !== 'once'
}
