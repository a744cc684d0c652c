import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { Paths } from '../../config/paths.ts'
import { Receipt } from '../../contract/disk/receipt.ts'
import { isId } from '../../contract/field.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { type Journal, readJournal } from '../../runs/journal/journal.ts'
import type { JournalRow } from '../../runs/journal/journal-row.ts'
import { keptOutput } from '../../runs/receipt/kept-output.ts'
import { makeReceipt } from '../../runs/receipt/make-receipt.ts'
import { knownSealKey, type SealFinding, sealFinding } from '../../runs/receipt/receipt-seal.ts'
import { type RecordsNow, type Statement, verifyReceipt } from '../../runs/receipt/verify-receipt.ts'
import { lookAtWorkTree } from '../../runs/receipt/work-tree.ts'
import { Ledger } from '../../runs/store/ledger.ts'
import { type LedgerAnchor, ledgerProblem, ledgersIn, retiredIn } from '../../runs/store/verify-ledgers.ts'
import { drawn, say } from '../machine/say.ts'

const LARGEST_RECEIPT_BYTES = 1024 * 1024

/** `verify <receipt | - | run id>`: ends with 1 when a record contradicts it. */
export async function verifyReceiptCommand(what: string, paths: Paths, version: string): Promise<number> {
  const journal = existsSync(paths.journalFile) ? await readJournal(paths.journalFile) : null
  try {
    if (what !== '-' && !existsSync(what)) return await verifyRun(what, paths, { journal, version })
    const raw = what === '-' ? await textOf(process.stdin) : readFileSync(what, 'utf8')
    const { receipt, fields } = parsed(raw)
    return await report(receipt, paths, { journal, seal: sealFinding(fields, knownSealKey(paths.receiptKeyFile)) })
  } finally {
    journal?.close()
  }
}

/** What the records of a run say, and whether they agree with each other. */
async function verifyRun(
  id: string,
  paths: Paths,
  { journal, version }: { journal: Journal | null; version: string },
): Promise<number> {
  if (!isId(id))
    throw new TermError('PM_TERM_INVALID_PAYLOAD', `There is no file ${drawn(id)}, and it is no id of a run.`)
  const found = ledgersIn(paths.stateDir).flatMap(({ ledger, file }) => {
    const record = new Ledger(dirname(file)).record(id)
    return record ? [{ ...record, ledger: ledger.replace(/^clients\/[^/]+\//, '') }] : []
  })
  if (found.length === 0) return say(`There is no file and no run ${id} here: nothing was checked.`, 2)

  let worst = 0
  for (const record of found) {
    const { requester } = record.run.opened
    const rows = journal && rowsOf(journal, id, requester)
    const made = { record, rows, key: { problem: 'made to be checked' }, version, now: () => 0, lookAtWorkTree: null }
    worst = Math.max(worst, await report(await makeReceipt(made), paths, { journal, seal: null }))
  }
  return worst
}

async function report(
  receipt: Receipt,
  paths: Paths,
  { journal, seal }: { journal: Journal | null; seal: SealFinding | null },
): Promise<number> {
  const statements = verifyReceipt(receipt, {
    seal,
    ...(await recordsNow(receipt, paths, journal)),
    workTree: seal === 'whole' ? await workTreeNow(receipt) : null,
  })
  say(`Run ${receipt.session_id} of ${drawn(receipt.requester)}: ${drawn(receipt.command)}`)
  for (const statement of statements) say(lineOf(statement))
  const count = (finding: Statement['finding']) => statements.filter(each => each.finding === finding).length
  const contradicted = count('contradicted')
  const verdict = contradicted === 0 ? 'Nothing contradicts it' : `${contradicted} of its statements are CONTRADICTED`
  return say(
    `${verdict}: ${count('holds')} hold, ${count('not_known')} can no longer be known.`,
    contradicted > 0 ? 1 : 0,
  )
}

const WORDS = { holds: 'holds', contradicted: 'CONTRADICTED', not_known: 'not known' } as const
const lineOf = ({ about, finding, said }: Statement): string =>
  `  ${WORDS[finding].padEnd(12)}  ${about.padEnd(18)} ${drawn(said)}`

async function recordsNow(
  receipt: Receipt,
  paths: Paths,
  journal: Journal | null,
): Promise<Omit<RecordsNow, 'seal' | 'workTree'>> {
  const { name } = receipt.ledger
  const file = ledgersIn(paths.stateDir).find(({ ledger }) => ledger === name)?.file
  const anchor = journal?.anchors().find(({ ledger }) => ledger === name) ?? null
  const directory = file && new Ledger(dirname(file)).outputDirectory(receipt.session_id)
  return {
    ledger: ledgerNow(file, anchor, () => retiredIn(paths.stateDir).has(name)),
    journal: journal && { problem: problemOf(journal), rows: rowsOf(journal, receipt.session_id, receipt.requester) },
    output: directory === undefined ? null : await keptOutput(directory, receipt.output_bytes ?? 0),
  }
}

/** Of a receipt that was made here and not changed: another one may name any directory. */
const workTreeNow = async ({ work_tree, repository }: Receipt): Promise<RecordsNow['workTree']> =>
  work_tree && repository ? lookAtWorkTree(repository.top) : null

function ledgerNow(
  file: string | undefined,
  anchor: LedgerAnchor | null,
  isRetired: () => boolean,
): RecordsNow['ledger'] {
  if (file === undefined) return isRetired() ? { kind: 'retired' } : { kind: 'missing', seen: anchor !== null }
  const seenTo = anchor?.seq ?? null
  return { kind: 'there', text: readFileSync(file, 'utf8'), problem: ledgerProblem(file, anchor), seenTo }
}

function problemOf(journal: Journal): string | null {
  const verified = journal.verify()
  return verified.sound ? null : `the journal is NOT sound at row ${verified.seq}: ${verified.problem}`
}

const rowsOf = (journal: Journal, id: string, requester: string): JournalRow[] =>
  journal.rowsOf(id).filter(row => row.requester === requester)

function parsed(text: string): { receipt: Receipt; fields: Record<string, unknown> } {
  try {
    if (text.length > LARGEST_RECEIPT_BYTES) throw new Error('it is too long')
    const fields = JSON.parse(text) as Record<string, unknown>
    return { receipt: Receipt.parse(fields), fields }
  } catch (cause) {
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      'This is no receipt: it is not what terminal://runs/<id>/receipt gives.',
      {
        cause,
      },
    )
  }
}
