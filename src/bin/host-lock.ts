import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { privateDirectory, writeAtomically } from '../base/atomic-file.ts'
import type { ProcessTable } from '../base/process-table.ts'

/** The reason of a refusal that is no fault: the one that runs can show its window. */
export const ALREADY_RUNS = 'already_runs'

/** What a running host writes down about itself, for those who look for it. It grants nothing. */
const HostFile = z.object({
  instance_id: z.string(),
  pid: z.int(),
  start: z.string().nullable(),
  port: z.int(),
  approver_port: z.int(),
  version: z.string(),
})
export type HostFile = z.infer<typeof HostFile>

export interface HostLock {
  tell(file: HostFile): void
  release(): void
}

/** One host at a time on one state directory, whatever ports they have. Null: another one holds it and lives. */
export function takeHostLock(hostFile: string, table: ProcessTable): HostLock | null {
  const lock = `${hostFile}.lock`
  privateDirectory(dirname(hostFile))
  const mine = `${process.pid} ${table.row(process.pid)?.start ?? ''}`
  const beside = `${lock}.${process.pid}`
  writeFileSync(beside, mine, { mode: 0o600 })
  try {
    for (let tries = 0; tries < 3; tries++) {
      try {
        linkSync(beside, lock)
        return {
          tell: file => writeAtomically(hostFile, `${JSON.stringify(file, null, 2)}\n`),
          release: () => {
            rmSync(hostFile, { force: true })
            rmSync(lock, { force: true })
          },
        }
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
      }
      if (holderLives(lock, table)) return null
      rmSync(lock, { force: true })
    }
    return null
  } finally {
    rmSync(beside, { force: true })
  }
}

/** The host that says it runs here; null when none does. */
export function readHostFile(path: string): HostFile | null {
  try {
    return HostFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null // no host has written one, or it was cut short
  }
}

function holderLives(lock: string, table: ProcessTable): boolean {
  try {
    const [pid, start] = readFileSync(lock, 'utf8').split(' ')
    const row = table.row(Number(pid))
    return row !== null && (start === '' || row.start === null || row.start === start)
  } catch {
    return false // released meanwhile
  }
}
