import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { hostText, type ProofOver, pageText, sessionText } from '../../contract/window/window-proof.ts'
import type { Bearing, TicketBearer } from './ticket-bearer.ts'

/** What a page says it holds. */
export interface PageCredential {
  readonly kind: 'ticket' | 'session'
  readonly id: string
}

/** How a proof went. twice: right, but somebody was admitted with this ticket before. foreign: right, but not by the browser it is for. */
export type Proved =
  | { readonly kind: 'right'; readonly sessionSecret: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'twice'; readonly sessionId: string | null }
  | Extract<Bearing, { kind: 'foreign' }>

export interface ProofAttempt {
  readonly hostNonce: string
  readonly hostProof: string
  /** Once: a second try needs a new attempt. */
  prove(proof: string): Proved
}

interface Ticket {
  readonly secret: string
  readonly goodUntil: number
  /** The one address it is good for; null: whichever the host opens. */
  readonly origin: string | null
  /** The browser it was made for; null: a page that was admitted otherwise. */
  readonly bearer: TicketBearer | null
  /** Whoever came in with it; null: nobody yet. */
  used: { sessionId: string | null } | null
}

interface WindowSession {
  readonly secret: string
  readonly origin: string
  readonly bearer: TicketBearer | null
}

const TICKET_MS = 60_000
const MOST_TICKETS = 256
const MOST_SESSIONS = 64

/**
 * What windows are admitted with. A ticket is made for a browser that we start ourselves, is good once and for a minute; what it
 * becomes is a session, whose secret both ends work out and nobody sends. All of it is in memory and ends with this host.
 */
export class WindowTickets {
  readonly #clock: Clock
  readonly #tickets = new Map<string, Ticket>()
  readonly #sessions = new Map<string, WindowSession>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The fragment of the address to open, for one browser only. `cancel`: it is worth nothing any more, unless it was used. */
  mint(bearer: TicketBearer | null): { readonly fragment: string; cancel(): void } {
    const secret = randomBytes(32).toString('hex')
    const id = this.#lay(() => secret, null, bearer)
    const cancel = () => {
      if (this.#tickets.get(id)?.used === null) this.#tickets.delete(id)
    }
    return { fragment: `#ticket=${id}.${secret}`, cancel }
  }

  /** For a page that was admitted otherwise, on this address only: it works the same secret out. Returns the ticket's id. */
  mintFor(origin: string, secretOf: (id: string) => string): string {
    return this.#lay(secretOf, origin, null)
  }

  #lay(secretOf: (id: string) => string, origin: string | null, bearer: TicketBearer | null): string {
    for (const [id, ticket] of this.#tickets)
      if (this.#tickets.size >= MOST_TICKETS && ticket.goodUntil < this.#clock.elapsed()) this.#tickets.delete(id)
    const id = `tkt_${randomBytes(16).toString('hex')}`
    const goodUntil = this.#clock.elapsed() + TICKET_MS
    this.#tickets.set(id, { secret: secretOf(id), origin, goodUntil, bearer, used: null })
    return id
  }

  /** Null: nobody was given this, or too long ago. `peerPort`: the page's end of the connection. */
  attempt(
    credential: PageCredential,
    pageNonce: string,
    { origin, peerPort }: { origin: string; peerPort: number },
  ): ProofAttempt | null {
    const ticket = credential.kind === 'ticket' ? this.#tickets.get(credential.id) : undefined
    const session = credential.kind === 'session' ? this.#sessions.get(credential.id) : undefined
    const secret = ticket?.secret ?? session?.secret
    const goodFor = ticket?.origin ?? session?.origin ?? origin
    if (secret === undefined || goodFor !== origin) return null
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

        const bearing = (ticket ?? session)?.bearer?.at(peerPort)
        if (bearing?.kind === 'foreign') {
          // Whoever has seen it may come again: nobody gets in with it any more.
          if (ticket?.used === null) this.#tickets.delete(credential.id)
          return bearing
        }

        if (ticket?.used) return { kind: 'twice', sessionId: ticket.used.sessionId }
        if (ticket) ticket.used = { sessionId: null }
        // A session that was ended while this one proved itself is over.
        else if (this.#sessions.get(credential.id)?.secret !== secret) return { kind: 'wrong' }
        return { kind: 'right', sessionSecret: sign(secret, sessionText(over)) }
      },
    }
  }

  /** Somebody was admitted: from now on the session's own secret counts. */
  begin(session: {
    readonly id: string
    readonly secret: string
    readonly origin: string
    readonly from: PageCredential
  }): void {
    const { id, secret, origin, from } = session
    const { bearer = null } = (from.kind === 'ticket' ? this.#tickets : this.#sessions).get(from.id) ?? {}
    this.#sessions.set(id, { secret, origin, bearer })
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
