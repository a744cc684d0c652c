import { rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { namesIn } from '../../base/process/quiet-reads.ts'
import type { Ledger } from './ledger.ts'
import { retire } from './verify-ledgers.ts'

export interface EvictLimits {
  /** Days before this one go whole: 2026-01-31. */
  readonly oldestDay: string
  readonly totalBytes: number
}

const FILES_AT_ONCE = 256

/** Lets others have their turn: a process with a hundred thousand runs must not stop to count them. */
export const breathe = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Lets go of what is too old, then of the oldest output until the rest fits. Never of a run that is not over. As long as all that
 * was ever kept fits, nobody looks at the runs one by one; else what is on disk counts, not what was written about it.
 */
export async function evictRuns(ledgers: readonly Ledger[], limits: EvictLimits, rest = breathe): Promise<void> {
  const kept: Ledger[] = []
  for (const ledger of ledgers) {
    const tooOld = basename(dirname(ledger.directory)) < limits.oldestDay
    if (!tooOld || !ledger.closed) await ledger.catchUp(rest)
    if (tooOld && (ledger.closed || ledger.openDirectories().size === 0)) release(ledger.directory)
    else kept.push(ledger)
    await rest()
  }

  const outputs: Output[] = []
  const unseen = kept.filter(ledger => ledger.keptBytes !== null)
  for (const ledger of kept) if (ledger.keptBytes === null) await lookAt(ledger, outputs, rest)
  const recorded = unseen.reduce((sum, { keptBytes }) => sum + (keptBytes ?? 0), 0)
  if (recorded + sumOf(outputs) <= limits.totalBytes) return
  for (const ledger of unseen) await lookAt(ledger, outputs, rest)

  // The oldest go first, and only as much as must.
  let total = sumOf(outputs)
  for (const { directory, bytes } of outputs.sort((a, b) => a.at - b.at)) {
    if (total <= limits.totalBytes) return
    rmSync(directory, { recursive: true, force: true })
    total -= bytes
    await rest()
  }
}

const sumOf = (outputs: readonly Output[]): number => outputs.reduce((sum, { bytes }) => sum + bytes, 0)

/** Output of its runs that are over. */
async function lookAt(ledger: Ledger, outputs: Output[], rest: () => Promise<void>): Promise<void> {
  const open = ledger.openDirectories()
  for (const name of namesIn(ledger.directory)) {
    const directory = join(ledger.directory, name)
    if (name.startsWith('run-') && !open.has(directory)) outputs.push(outputIn(directory))
    if (outputs.length % FILES_AT_ONCE === 0) await rest()
  }
}

function release(directory: string): void {
  retire(directory)
  rmSync(directory, { recursive: true, force: true })
}

interface Output {
  readonly directory: string
  readonly bytes: number
  /** When it was last written to. */
  readonly at: number
}

function outputIn(directory: string): Output {
  let bytes = 0
  let at = 0
  for (const name of namesIn(directory)) {
    const file = statSync(join(directory, name), { throwIfNoEntry: false })
    bytes += file?.size ?? 0
    at = Math.max(at, file?.mtimeMs ?? 0)
  }
  return { directory, bytes, at }
}
