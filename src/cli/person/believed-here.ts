import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { DialError } from '../../base/link/psk-socket.ts'
import type { Log } from '../../base/log.ts'
import { peerAt } from '../../base/process/peer-process.ts'
import { processTable } from '../../base/process/process-table.ts'
import type { Configuration } from '../../config/settings.ts'
import type { Decided, DecisionsFile } from '../../contract/disk/files.ts'
import { approverIn } from '../../host/approvers/record.ts'
import { BelievedDecisions, type HostWord } from '../../mcp/headless/believed-decisions.ts'
import { helloFrom, shakeHands } from '../../mcp/host-link/host-connection.ts'
import { dialLocal, hostPort } from '../../mcp/host-link/local-dialer.ts'
import { DecisionsCopy } from '../../runs/journal/decisions-copy.ts'
import { believedOf } from '../../runs/journal/decisions-seal.ts'
import { JournalHead } from '../../runs/journal/journal-head.ts'
import { hostHolder } from '../reach/host-holder.ts'
import { livingHost } from '../reach/host-lock.ts'

interface ServerDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly version: string
}

/** What this server believes that a person has decided. */
export function believedHere(configuration: Configuration, deps: ServerDeps): BelievedDecisions {
  const { paths } = configuration
  return new BelievedDecisions({
    copy: new DecisionsCopy(paths.decisionsFile),
    log: deps.log,
    hostWord: () => hostWord(configuration, deps),
    atEnd: copy => vouchedAtEnd(configuration, copy),
  })
}

/** Whether a host runs is for the kernel to say, and its word counts only from the process that holds its place. */
async function hostWord(configuration: Configuration, { clock, ids, version }: ServerDeps): Promise<HostWord> {
  const { settings, paths } = configuration
  const { platform } = process
  const holder = hostHolder(paths.hostFile, platform)
  if (holder === null) return { at: 'none' }
  const signal = AbortSignal.timeout(settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS)
  try {
    const connection = await shakeHands(
      await dialLocal(configuration, clock, signal),
      helloFrom(ids, { name: 'interactive-terminal', version, pid: process.pid }),
      { clock, withinMs: settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS },
    )
    const { decided } = connection.ack
    const isHolder = holder === 'unknown' || peerAt(hostPort(configuration), platform, []).process?.pid === holder
    connection.goodbye('heard')
    return isHolder && decided !== undefined ? { at: 'says', digest: decided } : { at: 'unheard' }
  } catch (cause) {
    const refused = cause instanceof DialError && cause.problem === 'refused'
    const none = holder === 'unknown' && refused && livingHost(paths.hostFile, processTable(platform)) === null
    return { at: none ? 'none' : 'unheard' }
  }
}

/**
 * Without a host the journal says what counted at the last orderly end, and which passphrase counts: with one, only what that has
 * sealed is believed, however well files and journal agree (ADR 46).
 */
export async function vouchedAtEnd(
  { paths }: Pick<Configuration, 'paths'>,
  copy: DecisionsFile,
): Promise<Decided | null> {
  const { headFile, readJournal } = await import('../../runs/journal/journal.ts')
  const head = new JournalHead(headFile(paths.journalFile)).read()
  // No journal was ever written here, as in a container: then only what nothing here can have written counts.
  if (head === 'missing') return isMounted(paths.decisionsFile) ? copy.now : null
  const journal = await readJournal(paths.journalFile)
  try {
    return believedOf(copy, { approver: approverIn(journal), vouching: journal.vouching() })
  } finally {
    journal.close()
  }
}

/** Nothing here can have written it: it belongs to a host outside. */
export function isMounted(file: string): boolean {
  return [file, dirname(file)].every(each => {
    try {
      accessSync(each, constants.W_OK)
      return false
    } catch (cause) {
      return ['EROFS', 'EACCES'].includes((cause as NodeJS.ErrnoException).code ?? '')
    }
  })
}
