import { existsSync } from 'node:fs'
import { readKeyFile } from '../../base/keys/key-file.ts'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { headFile, readJournal } from '../../runs/journal/journal.ts'
import { asText, readMark } from '../../runs/journal/journal-head.ts'
import { removalKey } from '../../runs/journal/removal-seal.ts'
import type { Removal } from '../../runs/journal/verify-journal.ts'
import { type LedgerReport, verifyLedgers } from '../../runs/store/verify-ledgers.ts'
import { say } from '../machine/say.ts'
import { verifyReceiptCommand } from './verify-receipt.ts'

/**
 * `interactive-terminal verify [row | receipt | - | run id]`: is the journal what it was when it was written? `row` is what an earlier `verify` printed:
 * kept where no command on this machine can write, it shows also what somebody has made agree here. Ends with 1 when it is not.
 * A receipt, or a run, is checked statement by statement.
 */
export async function verifyCommand(raw: RawSettings, [text]: readonly string[], version: string): Promise<number> {
  const { paths } = loadSettings(raw)
  const { journalFile, hostKeyFile, stateDir } = paths
  const noted = text === undefined ? null : readMark(text)
  if (text !== undefined && /^\d+:/.test(text) && noted === null)
    throw new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      'A row is what verify prints: its number, a colon and 64 hex digits.',
    )
  if (text !== undefined && noted === null) return verifyReceiptCommand(text, paths, version)

  if (!existsSync(journalFile)) {
    // A host makes its key and its journal: with the one and without the other, the journal was removed.
    if (noted || existsSync(headFile(journalFile)) || existsSync(hostKeyFile))
      return say(`The journal is GONE: ${journalFile}`, 1)
    say(`There is no journal yet: ${journalFile}`)
    return sayLedgers(verifyLedgers(stateDir, []))
  }

  const journal = await readJournal(journalFile)
  const verified = journal.verify(noted, existsSync(hostKeyFile) ? removalKey(readKeyFile(hostKeyFile)) : null)
  if (!verified.sound) {
    journal.close()
    return say(`The journal is NOT sound: at row ${verified.seq}, ${verified.problem}.`, 1)
  }

  const ledgers = verifyLedgers(stateDir, journal.anchors())
  journal.close()
  say(
    [
      `The journal is sound: ${verified.head.seq - (verified.removed?.rows ?? 0)} rows, the last one`,
      asText(verified.head),
      ...(verified.removed ? [removalWords(verified.removed)] : []),
      ...verified.gaps.map(gap => `But ${gap}.`),
    ].join('\n'),
  )
  return sayLedgers(ledgers)
}

function removalWords({ rows, at, first_at, last_at, because, limits }: Removal): string {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const why = because === 'age' ? `older than ${limits.days} days` : `beyond ${limits.mb} MB`
  const many = rows === 1 ? '1 older row was' : `${rows} older rows were`
  return `${many} removed by retention on ${day(at)} (${why}; from ${day(first_at)} to ${day(last_at)}); the rest is intact.`
}

/** Commands that ran without a window are in the ledgers of their servers. */
function sayLedgers({ ledgers, problems, unanchored }: LedgerReport): number {
  for (const problem of problems) say(`A ledger is NOT sound: ${problem}.`)
  if (problems.length === 0) say(`The ledgers of servers are sound: ${ledgers}.`)
  if (unanchored > 0)
    say(`No host has seen ${unanchored} of them yet: lines missing at their end cannot be noticed until one has.`)
  return problems.length === 0 ? 0 : 1
}
