import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { hostText, type ProofOver, pageText, sessionText } from '../contract/window-proof.ts'

/** What a page says it holds. */
export interface Credential {
  readonly kind: 'ticket' | 'session'
  readonly id: string
}

/** How a proof went. twice: right, but somebody was let in with this ticket before. */
export type Proved =
  | { readonly kind: 'right'; readonly sessionSecret: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'twice'; readonly sessionId: string | null }

export interface Attempt {
  readonly hostNonce: string
  readonly hostProof: string
  /** Once: a second try needs a new attempt. */
  prove(proof: string): Proved
}

interface Ticket {
  readonly secret: string
  readonly goodUntil: number
  /** Whoever came in with it; null: nobody yet. */
  used: { sessionId: string | null } | null
}

const TICKET_MS = 60_000
const MOST_TICKETS = 256
const MOST_SESSIONS = 64

/**
 * What windows are let in with. A ticket is made for a browser that we start ourselves, is good once and for a minute; what it
 * becomes is a session, whose secret both ends work out and nobody sends. All of it is in memory and ends with this host.
 */
export class WindowTickets {
  readonly #clock: Clock
  readonly #tickets = new Map<string, Ticket>()
  readonly #sessions = new Map<string, string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The fragment of the address to open. */
  mint(): string {
    for (const [id, ticket] of this.#tickets)
      if (this.#tickets.size >= MOST_TICKETS && ticket.goodUntil < this.#clock.elapsed()) this.#tickets.delete(id)
    const id = `tkt_${randomBytes(16).toString('hex')}`
    const secret = randomBytes(32).toString('hex')
    this.#tickets.set(id, { secret, goodUntil: this.#clock.elapsed() + TICKET_MS, used: null })
    return `#ticket=${id}.${secret}`
  }

  /** Null: nobody was given this, or too long ago. */
  attempt(credential: Credential, pageNonce: string, origin: string): Attempt | null {
    const ticket = credential.kind === 'ticket' ? this.#tickets.get(credential.id) : undefined
    const secret = ticket?.secret ?? (credential.kind === 'session' ? this.#sessions.get(credential.id) : undefined)
    if (secret === undefined) return null
    if (ticket?.used === null && ticket.goodUntil < this.#clock.elapsed()) return null
    const hostNonce = randomBytes(32).toString('hex')
    const over: ProofOver = { credentialId: credential.id, pageNonce, hostNonce, origin }
    let tried = false
    return {
      hostNonce,
      hostProof: sign(secret, hostText(over)),
      prove: proof => {
        if (tried) return { kind: 'wrong' }
        tried = true
        if (!equal(proof, sign(secret, pageText(over)))) return { kind: 'wrong' }
        if (ticket?.used) return { kind: 'twice', sessionId: ticket.used.sessionId }
        if (ticket) ticket.used = { sessionId: null }
        // A session that was ended while this one proved itself is over.
        else if (this.#sessions.get(credential.id) !== secret) return { kind: 'wrong' }
        return { kind: 'right', sessionSecret: sign(secret, sessionText(over)) }
      },
    }
  }

  /** Somebody was let in: from now on the session's own secret counts. */
  begin(session: { readonly id: string; readonly secret: string; readonly from: Credential }): void {
    const { id, secret, from } = session
    this.#sessions.set(id, secret)
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
    for (const [ticketId, { used }] of this.#tickets)
      if (used && ((from.kind === 'ticket' && ticketId === from.id) || used.sessionId === from.id)) used.sessionId = id
  }

  /** What the page came back with is worth nothing any more. */
  end(sessionId: string): void {
    this.#sessions.delete(sessionId)
  }
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex')

const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
