import type { Log } from '../base/log.ts'
import type { Decided, DecisionsFile, Sealed } from '../contract/disk/files.ts'
import { Decisions, digestOf, NOTHING_DECIDED } from '../policy/files/decisions.ts'
import { DecisionsCopy } from '../runs/journal/decisions-copy.ts'
import {
  believedOf,
  type CountingApprover,
  type Sealing,
  type SessionSeal,
  sealingOf,
} from '../runs/journal/decisions-seal.ts'
import type { Journal } from '../runs/journal/journal.ts'

export const COPY_CHANGED =
  'Another program wrote into decisions.v1.json, where servers read what you have decided. It was put back; nothing of it counts.'

interface HostDecisionsDeps {
  readonly file: string
  readonly journal: Journal
  readonly log: Log
  /** The journal is what it was: else nothing that it vouches for counts. */
  readonly sound: boolean
  /** The passphrase that counted before this host: then only what it has sealed does. */
  readonly approver: CountingApprover
  readonly seal: Pick<SessionSeal, 'seal'>
}

/**
 * What a person has decided, as the host knows it: what counted at the last orderly end, or with a passphrase what that has
 * sealed, and since then what was answered here. Nobody else changes it; the copy on disk is for servers, and is put back when
 * somebody does change it (ADR 44, 46).
 */
export class HostDecisions {
  readonly decisions: Decisions
  readonly #deps: HostDecisionsDeps
  readonly #copy: DecisionsCopy
  #ended: DecisionsFile['ended'] = null
  readonly #found: Sealed | undefined
  /** How what was found is sealed. */
  readonly sealing: Sealing['at']
  #written = ''
  #stamp: string | null = null
  /** Called when another program has changed the copy. */
  onForeign: () => void = () => {}

  constructor(deps: HostDecisionsDeps) {
    this.#deps = deps
    this.#copy = new DecisionsCopy(deps.file)
    const vouching = deps.sound ? deps.journal.vouching() : null
    const found = this.#copy.read()
    this.#found = found?.sealed
    this.sealing = sealingOf(found, deps.approver).at
    const believed = deps.sound ? believedOf(found, { approver: deps.approver, vouching }) : null
    if (believed && vouching?.decided === digestOf(believed)) this.#ended = believed
    else if (vouching && !believed) deps.log.error('what a person decided is not what it was at the last orderly end')
    const now = believed ?? NOTHING_DECIDED
    this.decisions = new Decisions(now, next => this.#write(next))
    this.#tryToWrite(now)
  }

  /** The hash of what counts now; the copy on disk is the right one after this. */
  digest(): string {
    this.#putBack()
    return this.decisions.digest
  }

  /** The passphrase was given to this host: what counts here, a person decided. */
  sealNow(): void {
    this.#tryToWrite(this.decisions.now)
  }

  /** The last words of a host that ends in order. */
  end(body: Readonly<Record<string, unknown>>): void {
    const { journal } = this.#deps
    const { now, digest } = this.decisions
    journal.append({ kind: 'host_ended', requester: null, runId: null, body: { ...body, decided: digest } })
    this.#ended = now
    this.#tryToWrite(now)
  }

  #putBack(): void {
    const stamp = this.#copy.stamp()
    if (stamp !== null && stamp === this.#stamp) return
    if (this.#copy.text() === this.#written) {
      this.#stamp = stamp
      return
    }
    this.#deps.log.error('another program changed what a person decided; it is put back', { file: this.#deps.file })
    this.#tryToWrite(this.decisions.now)
    this.onForeign()
  }

  #tryToWrite(now: Decided): void {
    try {
      this.#write(now)
    } catch (cause) {
      this.#deps.log.error('what a person decided cannot be written down for servers', { cause })
    }
  }

  #write(now: Decided): void {
    // Without a passphrase in this life, what an earlier one has sealed is what the next host believes.
    const sealed = this.#deps.seal.seal(now) ?? this.#found
    this.#written = this.#copy.write({ v: 1, now, ended: this.#ended, ...(sealed && { sealed }) })
    this.#stamp = this.#copy.stamp()
  }
}
