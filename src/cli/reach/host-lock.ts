import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { privateDirectory, writeAtomically } from '../../base/atomic-file.ts'
import { readJsonFile } from '../../base/json-file.ts'
import { toType } from '../../base/own-command.ts'
import { peerAt } from '../../base/process/peer-process.ts'
import { isAlive, type ProcessTable } from '../../base/process/process-table.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { holdFile } from '../../runs/journal/open-database.ts'
import type { BrokenHostFile } from './found-host.ts'

/** The reason of a refusal that is no fault: the host that runs can show its window. */
export const ALREADY_RUNS = 'already_runs'

/** What a running host writes down about itself, for those who look for it. It grants nothing. */
const HostFile = z.object({
  instance_id: z.string(),
  pid: z.int(),
  start: z.string().nullable(),
  /** Of the machine: after another one the same pid and start time may be somebody else's. */
  boot: z.string().nullable().default(null),
  port: z.int(),
  approver_port: z.int(),
  version: z.string(),
  /** A person has made this container their machine: which start of which container (docs/spec.md D25). */
  here: z.object({ boot: z.string(), hostname: z.string() }).optional(),
})
export type HostFile = z.infer<typeof HostFile>

export interface HostLock {
  /** Writes host.json: from then on others find this host. */
  publish(file: HostFile): void
  release(): void
}

/**
 * One host at a time on one state directory, whatever ports they have: whoever holds the file beside host.json. The kernel lets go
 * of it when its holder ends, so there is nothing stale to remove, and nobody removes what another one holds. Null: another one
 * holds it and lives.
 */
export async function takeHostLock(hostFile: string): Promise<HostLock | null> {
  const lock = lockFile(hostFile)
  privateDirectory(dirname(hostFile))
  // Before SQLite makes it: only the owner may look inside.
  closeSync(openSync(lock, 'a', 0o600))
  const held = await holdFile(lock)
  if (held === null) return null
  let published: HostFile | null = null
  return {
    publish: file => {
      published = file
      writeAtomically(hostFile, `${JSON.stringify(file, null, 2)}\n`)
    },
    release: () => {
      // What an earlier one left stays: `status` says so.
      if (published !== null && readHostFile(hostFile)?.instance_id === published.instance_id)
        rmSync(hostFile, { force: true })
      held.release()
    },
  }
}

export const lockFile = (hostFile: string): string => hostFile.replace(/\.json$/, '.lock')

/** The host that says it runs here; null when none does, or what it said cannot be read. */
export function readHostFile(path: string): HostFile | null {
  const read = readJsonFile(path, HostFile)
  return 'content' in read ? read.content : null
}

/** What is wrong with the file; null: nothing, or no host has written one. */
export function hostFileProblem(path: string): string | null {
  const read = readJsonFile(path, HostFile)
  return 'problem' in read ? read.problem : null
}

/** A file that says where the host is and cannot be read: whether one runs all the same, and what to do about it. */
export async function brokenHostFile(path: string): Promise<BrokenHostFile | null> {
  const problem = hostFileProblem(path)
  if (problem === null) return null
  const lock = await takeHostLock(path)
  lock?.release()
  return lock === null
    ? { runs: true, why: runsUnseen(path, problem) }
    : {
        runs: false,
        why: `${path} ${problem}; one that did not end in order may have left it so. The next start ("${toType()}") replaces it.`,
      }
}

const runsUnseen = (path: string, problem: string): string =>
  `The host already runs, but ${path}, which says where it listens, ${problem}. End that host (Ctrl+C where it was started; "fuser ${lockFile(path)}" names its process) and start it again with "${toType()}": it writes the file anew.`

/** The host that says it runs here, and does: pid, start time and boot of the machine say so. */
export function livingHost(path: string, table: ProcessTable): HostFile | null {
  const file = readHostFile(path)
  return file && isAlive(table, file) ? file : null
}

/** Who is there, for whoever wanted to start another one. */
export function alreadyRuns(hostFile: string): TermError {
  const there = readHostFile(hostFile)
  const problem = hostFileProblem(hostFile)
  if (problem !== null)
    return new TermError('PM_TERM_GUI_UNAVAILABLE', runsUnseen(hostFile, problem), { details: { held: 'lock' } })
  return new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    there
      ? `The host already runs: pid ${there.pid}, MCP servers reach it on 127.0.0.1:${there.port}, approvers on 127.0.0.1:${there.approver_port}.\nAnswer its questions with "${toType('approve')}".`
      : 'The host already runs, or is just starting.',
    { details: { reason: ALREADY_RUNS, held: 'lock' } },
  )
}

/** Who holds a port of the host, as far as the machine knows, and what to do about it. */
export function portTaken(cause: { readonly port?: number }): TermError {
  const { port = 0 } = cause
  const holder = peerAt(port, process.platform, []).process
  const who = holder ? `pid ${holder.pid} (${holder.program})` : 'a host with another PM_TERM_HOME, or another program'
  return new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    `A port of the host is taken (EADDRINUSE ${port}) by ${who}. End that, or choose others: interactive-terminal --port 9110 --approver-port 9111 (for good: PM_TERM_PORT and PM_TERM_APPROVER_PORT in settings.json, which agents' servers read as well).`,
    { cause, details: { held: 'port', port, ...(holder && { held_by: holder }) } },
  )
}
