import { appendFileSync, existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { namesIn, textIn } from '../../base/process/quiet-reads.ts'
import { type LineMark, lastMark, verifyLedger } from './ledger-chain.ts'

/** A ledger's newest line as the host's journal knew it. */
export interface LedgerAnchor extends LineMark {
  /** "2026-01-31/srv_…", and for a client paired by name "clients/box/2026-01-31/srv_…". */
  readonly ledger: string
}

export interface LedgerReport {
  readonly ledgers: number
  readonly problems: readonly string[]
  /** Ledgers that no host has seen: what is missing at their end cannot be known. */
  readonly unanchored: number
}

const RETIRED = 'retired.jsonl'

/** Every ledger below a state directory: its name, and its file. */
export function ledgersIn(stateDir: string): { readonly ledger: string; readonly file: string }[] {
  const clients = namesIn(join(stateDir, 'clients')).map(name => join('clients', name))
  return ['', ...clients].flatMap(owner =>
    namesIn(join(stateDir, owner, 'runs')).flatMap(day =>
      namesIn(join(stateDir, owner, 'runs', day)).flatMap(server => {
        const file = join(stateDir, owner, 'runs', day, server, 'ledger.jsonl')
        return existsSync(file) ? [{ ledger: join(owner, day, server).replaceAll('\\', '/'), file }] : []
      }),
    ),
  )
}

/** Before a ledger is let go for its age: what it was stays, so that its absence is no riddle. */
export function retire(directory: string): void {
  const file = join(directory, 'ledger.jsonl')
  if (!existsSync(file)) return
  const day = dirname(directory)
  const { first } = verifyLedger(file)
  const { seq, hash } = lastMark(file)
  const stub = { ledger: `${basename(day)}/${basename(directory)}`, first: first?.hash ?? null, last: hash, lines: seq }
  appendFileSync(join(dirname(day), RETIRED), `${JSON.stringify(stub)}\n`, { mode: 0o600 })
}

/** Is every ledger what it was, and is every one there that a host has seen? */
export function verifyLedgers(stateDir: string, anchors: readonly LedgerAnchor[]): LedgerReport {
  const problems: string[] = []
  const found = ledgersIn(stateDir)
  const newest = new Map<string, LedgerAnchor>()
  for (const anchor of anchors) newest.set(anchor.ledger, anchor)

  for (const { ledger, file } of found) {
    for (const problem of problemsOf(file, newest.get(ledger) ?? null)) problems.push(`${ledger}: ${problem}`)
  }

  const there = new Set(found.map(({ ledger }) => ledger))
  const retired = retiredIn(stateDir)
  for (const { ledger } of newest.values())
    if (!there.has(ledger) && !retired.has(ledger)) problems.push(`${ledger}: it is missing`)
  const unanchored = found.filter(({ ledger }) => !newest.has(ledger)).length
  return { ledgers: found.length, problems, unanchored }
}

/** What is wrong with one ledger; null: every line is what it was, up to where a host has seen it. */
export const ledgerProblem = (file: string, anchor: LineMark | null): string | null =>
  problemsOf(file, anchor)[0] ?? null

function problemsOf(file: string, anchor: LineMark | null): string[] {
  const { problem, last, hashes } = verifyLedger(file)
  const problems = problem === null ? [] : [problem]
  if (anchor === null) return problems
  if (anchor.seq > last.seq) problems.push(`it ends at line ${last.seq}, a host saw line ${anchor.seq}`)
  else if (!hashes.get(anchor.seq)?.includes(anchor.hash)) problems.push(`line ${anchor.seq} is not the one a host saw`)
  return problems
}

/** Ledgers that were let go for their age. */
export function retiredIn(stateDir: string): Set<string> {
  const owners = ['', ...namesIn(join(stateDir, 'clients')).map(name => `clients/${name}/`)]
  const all = owners.flatMap(owner =>
    textIn(join(stateDir, owner, 'runs', RETIRED))
      .split('\n')
      .flatMap(line => {
        const name = /^\{"ledger":"([^"\\]+)"/.exec(line)?.[1]
        return name === undefined ? [] : [`${owner}${name}`]
      }),
  )
  return new Set(all)
}
