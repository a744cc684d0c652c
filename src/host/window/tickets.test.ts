import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { pageText, ticketOf } from '../../contract/window/window-proof.ts'
import { type ProofAttempt, WindowTickets } from './tickets.ts'

const ORIGIN = 'http://localhost:9101'
const AT = { origin: ORIGIN, peerPort: 1 }
const NONCE = 'ab'.repeat(32)

function opened() {
  const clock = new FakeClock()
  const tickets = new WindowTickets(clock)
  const ticket = ticketOf(tickets.mint(null).fragment)
  if (!ticket) throw new Error('no ticket')
  const credential = { kind: 'ticket' as const, id: ticket.id }
  const prove = (attempt: ProofAttempt | null, origin = ORIGIN) => {
    const over = { credentialId: ticket.id, pageNonce: NONCE, hostNonce: attempt?.hostNonce ?? '', origin }
    return createHmac('sha256', Buffer.from(ticket.secret, 'hex')).update(pageText(over)).digest('hex')
  }
  return { clock, tickets, credential, prove, attempt: () => tickets.attempt(credential, NONCE, AT) }
}

test('a ticket is good for a minute', () => {
  const { clock, attempt } = opened()
  clock.advance(59_999)
  expect(attempt()).not.toBeNull()
  clock.advance(2)
  expect(attempt()).toBeNull()
})

test('a ticket lets in once; who proves it again is found out, also after the minute', () => {
  const { clock, tickets, credential, prove, attempt } = opened()
  const first = attempt()
  expect(first?.prove(prove(first))).toMatchObject({ kind: 'right' })
  tickets.begin({ id: 'apr_1', secret: 'cd'.repeat(32), origin: ORIGIN, from: credential })
  clock.advance(120_000)
  const second = attempt()
  expect(second?.prove(prove(second))).toEqual({ kind: 'twice', sessionId: 'apr_1' })
})

test('who is let in with a ticket stays the one to shut out, also after coming back', () => {
  const { tickets, credential, prove, attempt } = opened()
  const first = attempt()
  first?.prove(prove(first))
  tickets.begin({ id: 'apr_1', secret: 'cd'.repeat(32), origin: ORIGIN, from: credential })
  tickets.begin({ id: 'apr_2', secret: 'ef'.repeat(32), origin: ORIGIN, from: { kind: 'session', id: 'apr_1' } })
  const second = attempt()
  expect(second?.prove(prove(second))).toEqual({ kind: 'twice', sessionId: 'apr_2' })
})

test('a proof is good for one attempt, and for this origin only', () => {
  const { prove, attempt } = opened()
  const [one, other] = [attempt(), attempt()]
  expect(other?.prove(prove(one))).toEqual({ kind: 'wrong' })
  expect(other?.prove(prove(other))).toEqual({ kind: 'wrong' })
  expect(one?.prove(prove(one, 'http://localhost:3000'))).toEqual({ kind: 'wrong' })
})

test('what the host proves cannot be sent back to it', () => {
  const { attempt } = opened()
  const one = attempt()
  expect(one?.prove(one.hostProof)).toEqual({ kind: 'wrong' })
})
