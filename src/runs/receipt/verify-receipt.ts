import { type KeptOutput, type Receipt, RunStatements, type WorkTree } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import { storedRun } from '../store/ledger.ts'
import { markIn } from '../store/ledger-chain.ts'
import { canonical, type SealFinding } from './receipt-seal.ts'
import { journalSays, ledgerSays } from './run-statements.ts'
import type { WorkTreeLook } from './work-tree.ts'

/** One thing that a receipt says, and what became of it. */
export interface Statement {
  readonly about: string
  /** not_known: nothing is left that could say so. */
  readonly finding: 'holds' | 'contradicted' | 'not_known'
  readonly said: string
}

/** What is on disk now about the run of a receipt. */
export interface RecordsNow {
  /** null: it was made just now. */
  readonly seal: SealFinding | null
  readonly ledger:
    | {
        readonly kind: 'there'
        readonly text: string
        readonly problem: string | null
        /** The newest line that a host has seen; null: none has. */
        readonly seenTo: number | null
      }
    | { readonly kind: 'retired' }
    | { readonly kind: 'missing'; readonly seen: boolean }
  /** `rows`: of this run. null: there is no journal here. */
  readonly journal: { readonly problem: string | null; readonly rows: readonly JournalRow[] } | null
  readonly output: KeptOutput | null
  /** null: nobody looked. */
  readonly workTree: WorkTreeLook | null
}

/** Each statement of a receipt against the records: what holds, what is contradicted, and what can no longer be known. */
export function verifyReceipt(receipt: Receipt, now: RecordsNow): Statement[] {
  const lines = linesOf(receipt, now.ledger)
  const rows = (receipt.journal ?? []).flatMap(
    ({ seq, hash }) => now.journal?.rows.find(row => row.seq === seq && row.hash === hash) ?? [],
  )
  const run = storedRun(lines, () => '')
  const sources = [
    { name: 'ledger', says: run ? ledgerSays(run) : {} },
    { name: 'journal', says: journalSays(rows) },
  ]
  return [
    ...(now.seal === null ? [] : [ofSeal(now.seal)]),
    ...ofLedger(receipt, now.ledger, lines),
    ...ofJournal(receipt, now.journal),
    ...Object.keys(RunStatements.shape).flatMap(field => ofField(receipt, field as keyof RunStatements, sources)),
    ...ofOutput(receipt.output, now.output),
    ...ofWorkTree(receipt.work_tree, now.workTree),
  ]
}

const SEALS: Readonly<Record<SealFinding, Omit<Statement, 'about'>>> = {
  whole: { finding: 'holds', said: 'made on this machine, and not a byte was changed since' },
  changed: { finding: 'contradicted', said: 'it was changed after it was made' },
  foreign: { finding: 'not_known', said: 'it was sealed with a key that is not here' },
  none: { finding: 'not_known', said: 'it has none: whether it was changed shows only where records contradict it' },
}
const ofSeal = (finding: SealFinding): Statement => ({ about: 'seal', ...SEALS[finding] })

/** The lines that it names, as they are now: only those that are still what they were, and of this run. */
function linesOf(receipt: Receipt, ledger: RecordsNow['ledger']): string[] {
  if (ledger.kind !== 'there') return []
  const all = ledger.text.split('\n')
  return receipt.ledger.lines.flatMap(({ seq, hash }) => {
    const line = all.find(each => {
      const mark = markIn(each)
      return mark?.seq === seq && mark.hash === hash
    })
    return line !== undefined && idIn(line) === receipt.session_id ? [line] : []
  })
}

const idIn = (line: string): string | undefined => /^\{"type":"\w+"(?:,"v":1)?,"id":"([^"\\]*)"/.exec(line)?.[1]

function ofLedger({ ledger: { name, lines } }: Receipt, now: RecordsNow['ledger'], found: string[]): Statement[] {
  const about = 'ledger'
  if (now.kind === 'retired') return [{ about, finding: 'not_known', said: `${name} was let go for its age` }]
  if (now.kind === 'missing')
    return [
      now.seen
        ? { about, finding: 'contradicted', said: `${name} is gone, although a host has seen it` }
        : { about, finding: 'not_known', said: `${name} is not here` },
    ]
  if (now.problem !== null) return [{ about, finding: 'contradicted', said: `${name}: ${now.problem}` }]
  const gone = lines.filter(({ seq }) => !found.some(line => markIn(line)?.seq === seq))
  if (gone.length > 0 || lines.length === 0) {
    const which = gone.map(({ type, seq }) => `${type} (${seq})`).join(', ')
    const said = lines.length === 0 ? 'it names no line' : `${name} has no such line of this run: ${which}`
    return [{ about, finding: 'contradicted', said }]
  }
  const last = Math.max(...lines.map(({ seq }) => seq))
  return [
    { about, finding: 'holds', said: `${name}, ${lines.length} lines up to ${last}: the chain is whole` },
    now.seenTo !== null && now.seenTo >= last
      ? { about: 'anchor', finding: 'holds', said: `a host has seen the ledger up to line ${now.seenTo}` }
      : { about: 'anchor', finding: 'not_known', said: 'no host has seen these lines yet, so only the chain vouches' },
  ]
}

function ofJournal({ journal: marks }: Receipt, now: RecordsNow['journal']): Statement[] {
  if (marks === undefined) return []
  const about = 'journal'
  if (now === null) return [{ about, finding: 'not_known', said: 'there is no journal here' }]
  if (now.problem !== null) return [{ about, finding: 'contradicted', said: now.problem }]
  const first = Math.min(...now.rows.map(({ seq }) => seq))
  const gone = marks.filter(({ seq, hash }) => !now.rows.some(row => row.seq === seq && row.hash === hash))
  const which = gone.map(({ kind, seq }) => `${kind} (${seq})`).join(', ')
  // Rows go for their age, oldest first: what is older than all that is left of a run may have gone so.
  if (gone.some(({ seq }) => seq >= first))
    return [{ about, finding: 'contradicted', said: `it has no such row of this run: ${which}` }]
  return [
    gone.length > 0
      ? { about, finding: 'not_known', said: `no longer there: ${which}` }
      : { about, finding: 'holds', said: `${marks.length} rows: the chain is whole` },
  ]
}

interface RecordSource {
  readonly name: string
  readonly says: Partial<RunStatements>
}

function ofField(receipt: Receipt, field: keyof RunStatements, sources: readonly RecordSource[]): Statement[] {
  const claimed = receipt[field]
  const knowing = sources.filter(({ says }) => says[field] !== undefined)
  const other = knowing.find(({ says }) => canonical(says[field]) !== canonical(claimed))
  if (other) {
    const instead = `the ${other.name} says ${JSON.stringify(other.says[field])}`
    const said = claimed === undefined ? `left out; ${instead}` : `${JSON.stringify(claimed)}, but ${instead}`
    return [{ about: field, finding: 'contradicted', said }]
  }
  if (claimed === undefined) return []
  const by = knowing.map(({ name }) => name).join(', ')
  return [
    knowing.length > 0
      ? { about: field, finding: 'holds', said: `${JSON.stringify(claimed)} (${by})` }
      : { about: field, finding: 'not_known', said: `${JSON.stringify(claimed)}: no record of it is left` },
  ]
}

function ofOutput(claimed: KeptOutput | undefined, now: KeptOutput | null): Statement[] {
  if (claimed === undefined) return []
  const about = 'output'
  const hash = claimed.sha256 === undefined ? 'nothing of it was kept' : `sha256 ${claimed.sha256}`
  if (canonical(claimed) === canonical(now))
    return [{ about, finding: 'holds', said: `${hash}, ${claimed.kept_bytes} bytes kept` }]
  if (now === null || now.kept_bytes < claimed.kept_bytes)
    return [
      { about, finding: 'not_known', said: `${hash}: ${now?.kept_bytes ?? 0} of ${claimed.kept_bytes} bytes are left` },
    ]
  return [{ about, finding: 'contradicted', said: `${hash}, but what is kept is ${now.sha256 ?? 'nothing'}` }]
}

/** That files have changed since contradicts nothing: it was true when it was taken. */
function ofWorkTree(claimed: WorkTree | undefined, now: WorkTreeLook | null): Statement[] {
  if (claimed === undefined) return []
  const about = 'work_tree'
  const was = `${claimed.files} changed or untracked files at ${claimed.taken_at}, sha256 ${claimed.sha256}`
  if (now === null || 'problem' in now)
    return [{ about, finding: 'not_known', said: `${was}: ${now?.problem ?? 'nobody looked at it now'}` }]
  return now.sha256 === claimed.sha256
    ? [{ about, finding: 'holds', said: `${was}: the same now` }]
    : [{ about, finding: 'not_known', said: `${was}: the tree is another one now, with ${now.files} such files` }]
}
