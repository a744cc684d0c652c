import { fstatSync, readFileSync, readSync } from 'node:fs'
import { withFile } from '../../base/output/with-file.ts'
import { sha256Of } from '../../base/sha256.ts'
import type { RecordLine } from '../../contract/disk/run-record.ts'

/** A line of a ledger by its number and hash: whoever has both can check that it is still there. */
export interface LineMark {
  readonly seq: number
  readonly hash: string
}

export const NO_LINE: LineMark = { seq: 0, hash: '0'.repeat(64) }

const TAIL_BYTES = 256 * 1024
const CHAINED = /^(.*),"seq":(\d{1,15}),"hash":"([0-9a-f]{64})"\}$/
/** Two servers may write to one ledger at the same moment: then two lines follow the same one. */
const MOST_AT_ONE_MOMENT = 64

/** A line as it is written: it carries its number, and a hash over itself and the line before. */
export function chained(line: RecordLine, before: LineMark): { readonly text: string; readonly mark: LineMark } {
  const seq = before.seq + 1
  const body = JSON.stringify(line).slice(0, -1)
  const hash = hashOf(before.hash, body, seq)
  return { text: `${body},"seq":${seq},"hash":"${hash}"}\n`, mark: { seq, hash } }
}

/** The number and hash that a line carries; null: it was cut short, or is from before there were any. */
export function markIn(line: string): LineMark | null {
  const known = CHAINED.exec(line)
  return known ? { seq: Number(known[2]), hash: known[3] ?? '' } : null
}

/** The last whole line of a ledger. One without a hash is from before there were any, or cut short. */
export function lastMark(file: string): LineMark {
  const found = withFile(file, fd => {
    const { size } = fstatSync(fd)
    const bytes = Buffer.alloc(Math.min(TAIL_BYTES, size))
    readSync(fd, bytes, 0, bytes.length, size - bytes.length)
    for (const line of bytes.toString('utf8').split('\n').reverse()) {
      const known = markIn(line)
      if (known) return known
    }
    return null
  })
  return found ?? NO_LINE
}

export interface LedgerFinding {
  /** null: every line is what it was when it was written. */
  readonly problem: string | null
  readonly first: LineMark | null
  readonly last: LineMark
  /** Hashes by number: a number that two servers took at the same moment has two. */
  readonly hashes: ReadonlyMap<number, readonly string[]>
}

/** Goes through every line: is each what it was, and none missing in between? */
export function verifyLedger(file: string): LedgerFinding {
  const hashes = new Map<number, readonly string[]>()
  const recent: LineMark[] = [NO_LINE]
  let first: LineMark | null = null
  let problem: string | null = null
  let number = 0
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    number += 1
    const known = CHAINED.exec(line)
    if (!known) {
      // Cut short by a crash, or from before lines were chained; after one that is chained every whole line must be.
      if (first !== null && isWhole(line)) problem ??= `line ${number} is not chained`
      continue
    }
    const [, body = '', digits, hash = ''] = known
    const mark = { seq: Number(digits), hash }
    const follows = recent.some(before => mark.seq === before.seq + 1 && hashOf(before.hash, body, mark.seq) === hash)
    if (!follows) problem ??= `line ${number} was changed, or a line before it is missing`
    first ??= mark
    hashes.set(mark.seq, [...(hashes.get(mark.seq) ?? []), hash])
    recent.push(mark)
    if (recent.length > MOST_AT_ONE_MOMENT) recent.shift()
  }
  return { problem, first, last: recent.at(-1) ?? NO_LINE, hashes }
}

const hashOf = (before: string, body: string, seq: number): string => sha256Of(`${before}\n${body},"seq":${seq}`)

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
