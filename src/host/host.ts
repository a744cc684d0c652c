import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import type { ApproverRecord } from '../base/keys/approver-key.ts'
import type { Link } from '../base/link/link.ts'
import type { Log } from '../base/log.ts'
import type { PtyHealth, PtyOwner } from '../base/process/pty.ts'
import type { Configuration } from '../config/settings.ts'
import type { CommandRequest } from '../contract/wire/host-frames.ts'
import type { Decisions } from '../policy/files/decisions.ts'
import type { HostEndedBy, HostSuccession } from './approvers/predecessor.ts'
import type { ApproverRecordFile } from './approvers/record.ts'
import type { Shown } from './approvers/shown.ts'
import type { BridgeListener } from './clients/bridge-listener.ts'
import type { HostWorld } from './gate/gate.ts'
import type { WindowParts } from './open-approvers.ts'
import type { Previewer } from './questions/previews.ts'
import type { LateQuestions } from './questions/reminders.ts'

export interface HostDeps {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Who owns the terminals of this host. */
  readonly ownPtys: (host: {
    readonly id: string
    /** The public half of the passphrase that counts. */
    readonly approver: () => ApproverRecord | null
    readonly record: (kind: 'pty_host_started' | 'pty_host_lost', body: Readonly<Record<string, unknown>>) => void
  }) => PtyOwner
  readonly world: HostWorld
  readonly version: string
  /** null: no window; those who answer do it in a terminal. */
  readonly window: WindowParts | null
  /** Starts the program of the person's that notifies them elsewhere, if there is one. */
  readonly notify: (late: LateQuestions) => void
  /** Who looks up what a command would do. */
  readonly previewer: Previewer
  /** A person has made the container it runs in their machine (docs/spec.md D25): who, where, and by which marks it is one. */
  readonly here: Readonly<Record<string, unknown>> | null
  /** Asks this host for a command, as a client does: what the person wants to run in their window takes the way of every request. */
  readonly ask: (about: {
    readonly port: number
    readonly name: string
    readonly request: Partial<CommandRequest>
  }) => Promise<void>
  /** Called once when nothing has happened for the idle time; null: the host stays. */
  readonly onIdle: (() => void) | null
}

export interface Host extends HostSuccession {
  readonly instanceId: string
  readonly port: number
  readonly approverPort: number
  /** Where containers reach it now. */
  readonly bridge: BridgeListener['state']
  readonly ptyHealth: PtyHealth
  /** What a person has decided, as this host knows it. */
  readonly decisions: Decisions
  /** The terminal this host was started in becomes an approver: at once, or like any other, as `needsProof` says. */
  attach(link: Link): void
  /** The approver passphrase, for the terminal this host was started in. */
  readonly passphrase: Pick<ApproverRecordFile, 'isSet' | 'fits' | 'set'>
  /** Every approver hears it; if no window is there, the next one does, too. */
  alarm(message: string): void
  /** Opens the window, or says why there is none. */
  showWindow(): Promise<Shown>
  /** Ends every tree it started, then itself. */
  close(by: HostEndedBy): Promise<void>
  closeAtOnce(): void
}
