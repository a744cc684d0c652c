import { randomBytes } from 'node:crypto'
import { admissionMessage } from '../../base/keys/approver-key.ts'
import type { FoundPty, PtyOwner, PtySuccession } from '../../base/process/pty.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { ApproverRecordFile } from './record.ts'

/** How a host ends in order. terminal: a person quit it where it was started · idle: nobody needed it · signal: somebody sent it one · fault. */
export type HostEndedBy = 'terminal' | 'idle' | 'signal' | 'fault'

/** The host that ran before on this state directory. */
export interface Predecessor {
  /** killed: it wrote no end. */
  readonly end: 'killed' | HostEndedBy
  /** On this start of the machine. */
  readonly sameBoot: boolean
}

/** passphrase: of an approver, as from anybody · end_terminals: nobody can prove anything, so what was left running ends first. */
export type ProofNeeded = 'none' | 'passphrase' | 'end_terminals'

/** Null: this is the first. */
export function predecessorIn(journal: Pick<Journal, 'newest'>, boot: string | null): Predecessor | null {
  const [started] = journal.newest('host_started', 1)
  if (!started) return null
  const [ended] = journal.newest('host_ended', 1)
  const inOrder = ended?.body.instance_id === started.body.instance_id
  // A host of an earlier version did not say by whom: it ended in order.
  const end = inOrder ? ((ended?.body.by as HostEndedBy | undefined) ?? 'terminal') : 'killed'
  return { end, sameBoot: boot !== null && started.body.boot === boot }
}

/**
 * Whoever ends the host of a person and starts another in another terminal would be asked in the person's place. So after an
 * end that was not the person's, nor nobody's, whoever is in front of the next one proves the passphrase; and where none is set,
 * takes over no terminal that still lives.
 */
export function proofNeeded(
  before: Predecessor | null,
  now: { readonly passphrase: boolean; readonly locked: boolean },
): ProofNeeded {
  if (before === null || !before.sameBoot || before.end === 'terminal' || before.end === 'idle') return 'none'
  if (now.passphrase) return 'passphrase'
  return before.end === 'killed' && now.locked ? 'end_terminals' : 'none'
}

export const wasKilled = (now: { readonly passphrase: boolean; readonly locked: boolean }): string =>
  [
    'The last host was killed: it did not end in order. If neither you nor a crash of the machine did that, something that runs as you did.',
    now.locked &&
      'What ran there runs on and can be read and ended; nothing is typed into it before you have given your passphrase, under the shield or in a terminal.',
    now.locked && !now.passphrase && 'You have none, so close those terminals and open new ones.',
    !now.passphrase && 'Set a passphrase, under the shield: without one, whoever can end the host can answer for you.',
  ]
    .filter(Boolean)
    .join(' ')

export interface HostSuccession {
  /** What the terminal this host was started in has to show before it answers, because of how the host before it ended. */
  readonly needsProof: ProofNeeded
  /** Ends what runs on from a host that was killed. */
  endLeftTerminals(): Promise<void>
}

/** What follows from how the host before ended, for the one that is just starting. */
export function succession(
  before: Predecessor | null,
  deps: {
    readonly record: Pick<ApproverRecordFile, 'isSet'>
    readonly pty: Pick<PtyOwner, 'succession'>
    readonly left: readonly FoundPty[]
  },
): HostSuccession & { readonly alarm: string | null } {
  const { record, pty, left } = deps
  // As it was at the start: one that is set in front of this host is proof enough.
  const passphrase = record.isSet
  const now = () => ({ passphrase, locked: pty.succession?.locked != null })
  return {
    get needsProof() {
      return proofNeeded(before, now())
    },
    alarm: before?.end === 'killed' ? wasKilled(now()) : null,
    async endLeftTerminals() {
      // Whichever comes first: what has ended is forgotten, and nobody hears any more that it was killed.
      await Promise.all(left.map(({ process: each }) => Promise.race([each.kill(0), each.ended])))
    },
  }
}

/** The person gives the passphrase where the host vouches for them. False: that is not the one. */
export function unlockWith(
  passphrase: string,
  record: Pick<ApproverRecordFile, 'signed'>,
  succession: PtySuccession | null,
): boolean {
  const nonce = `${succession?.locked?.nonce ?? ''}${randomBytes(32).toString('hex')}`
  const binding = 'given to the host'
  const signature = record.signed(passphrase, admissionMessage(nonce, binding))
  if (signature === null) return false
  succession?.unlock({ nonce, binding, signature })
  return true
}
