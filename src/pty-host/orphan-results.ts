import { writeAtomically } from '../base/atomic-file.ts'
import type { Log } from '../base/log.ts'
import { type LeftEnd, leftEndFile } from '../contract/disk/left-end.ts'
import type { OwnedPty } from './owned-pty.ts'

/** Nobody is there to hear how these ended: it is left beside their output, for the host that comes some day. */
export function leaveEnds(ptys: readonly OwnedPty[], killed: ReadonlySet<OwnedPty>, log: Log): void {
  for (const pty of ptys) {
    if (pty.exit === null) continue
    const { exitCode: exit_code, signal, at } = pty.exit
    const end: LeftEnd = { exit_code, signal, at, started_at: pty.startedAt, killed: killed.has(pty) }
    try {
      writeAtomically(leftEndFile(pty.command.log.directory), `${JSON.stringify(end)}\n`)
    } catch (cause) {
      log.warn('how a command ended could not be left', { run: pty.command.runId, cause })
    }
  }
}
