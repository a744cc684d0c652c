import type { Peer } from '../../base/process/peer-process.ts'

/** What the machine says about processes; passed in. */
export interface PeerSight {
  /** Everybody who holds the other end of a connection of ours; null: this system does not say. */
  at(peerPort: number): readonly NonNullable<Peer['process']>[] | null
  /** Whether a process is this one, or was started by it, or by one that was. */
  isBelow(pid: number, ancestor: number): boolean
}

/** Who used what was made for one browser: that browser, or somebody else. */
export type Bearing = { readonly kind: 'ours' } | { readonly kind: 'foreign'; readonly process: Peer['process'] }

/**
 * The browser that was started for one ticket. Only its own processes use that ticket and what it becomes: a file in which a ticket
 * lies for a moment can be read by every command of the same person.
 */
export class TicketBearer {
  readonly #sight: PeerSight
  #pid: number | null = null
  #over = false

  constructor(sight: PeerSight) {
    this.#sight = sight
  }

  started(pid: number): void {
    this.#pid = pid
  }

  /** It has ended: whoever comes now is somebody else. */
  ended(): void {
    this.#over = true
  }

  at(peerPort: number): Bearing {
    const holders = this.#sight.at(peerPort)
    // A system that does not say who connects: the ticket itself is all there is (SECURITY.md says so).
    if (holders === null) return this.#over ? { kind: 'foreign', process: null } : { kind: 'ours' }
    const browser = this.#over ? null : this.#pid
    const stranger = holders.find(({ pid }) => browser === null || !this.#sight.isBelow(pid, browser))
    if (stranger) return { kind: 'foreign', process: stranger }
    // Nobody is seen to hold it: not one of ours, then.
    return holders.length > 0 ? { kind: 'ours' } : { kind: 'foreign', process: null }
  }
}
