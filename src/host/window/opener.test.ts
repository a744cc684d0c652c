import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { systemClock } from '../../base/clock.ts'
import { jsonLog } from '../../base/log.ts'
import { pageText, ticketOf } from '../../contract/window/window-proof.ts'
import { type Browser, WindowOpener } from './opener.ts'
import type { PeerSight } from './ticket-bearer.ts'
import { WindowTickets } from './tickets.ts'
import { Windows } from './windows.ts'

test('what an earlier window left and nobody can remove keeps no host from starting, and is said when a window is wanted', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'it-opener-')), 'in-the-way')
  writeFileSync(file, '')
  const said: string[] = []
  const opener = new WindowOpener({
    clock: systemClock,
    log: jsonLog({ level: 'warn', write: line => said.push(line), now: systemClock.now }),
    tickets: new WindowTickets(systemClock),
    windows: new Windows(),
    browser: async () => null,
    sight: { at: () => null, isBelow: () => false },
    origin: 'http://localhost:1',
    theme: () => null,
    directory: join(file, 'window'),
  })
  expect(said).toEqual([expect.stringContaining('could not be removed')])
  expect(await opener.show()).toMatchObject({
    shown: false,
    message: expect.stringContaining('No window could be opened'),
  })
})

const ORIGIN = 'http://localhost:9101'

function opening(browser: Browser) {
  const clock = new FakeClock()
  const tickets = new WindowTickets(clock)
  const sight: PeerSight = { at: port => [{ pid: port, program: 'some' }], isBelow: (pid, top) => pid === top }
  let url = ''
  const opener = new WindowOpener({
    clock,
    log: jsonLog({ level: 'silent', write: () => {}, now: clock.now }),
    tickets,
    windows: new Windows(),
    browser: async page => {
      url = /url=([^"]+)"/.exec(readFileSync(fileURLToPath(page.url), 'utf8'))?.[1] ?? ''
      return browser(page)
    },
    sight,
    origin: ORIGIN,
    theme: () => null,
    directory: join(mkdtempSync(join(tmpdir(), 'it-opener-')), 'window'),
  })
  const shown = opener.show()
  /** What becomes of it when the process with that pid comes with the ticket. */
  const comes = (pid: number): string => {
    const ticket = ticketOf(new URL(url).hash)
    if (!ticket) return 'no ticket'
    const pageNonce = 'ab'.repeat(32)
    const attempt = tickets.attempt({ kind: 'ticket', id: ticket.id }, pageNonce, { origin: ORIGIN, peerPort: pid })
    if (!attempt) return 'unknown'
    const over = { credentialId: ticket.id, pageNonce, hostNonce: attempt.hostNonce, origin: ORIGIN }
    const proof = createHmac('sha256', Buffer.from(ticket.secret, 'hex')).update(pageText(over)).digest('hex')
    return attempt.prove(proof).kind
  }
  return { clock, opener, shown, comes }
}

const started = (pid: number, onEnd: (listener: () => void) => void = () => {}): Browser => {
  return async page => page.started({ pid, end() {}, onEnd })
}

test('A9: only the browser that was started uses the ticket, and whoever else tries makes it void', async () => {
  const { comes, shown, clock } = opening(started(7))
  await clock.advance(0)
  expect([comes(8), comes(7)]).toEqual(['foreign', 'unknown'])
  await clock.advance(15_000)
  await shown
})

test('A9: once used it is void for everybody; who comes from elsewhere then does not shut the person out', async () => {
  const { comes, shown, clock } = opening(started(7))
  await clock.advance(0)
  expect([comes(7), comes(8), comes(7)]).toEqual(['right', 'foreign', 'twice'])
  await clock.advance(15_000)
  await shown
})

test('A9: the ticket ends with its browser', async () => {
  let end = () => {}
  const { comes, shown, clock } = opening(
    started(7, listener => {
      end = listener
    }),
  )
  await clock.advance(0)
  end()
  expect(comes(7)).toBe('unknown')
  await clock.advance(15_000)
  await shown
})

test('A9: the ticket ends when nobody waits for the window any more', async () => {
  const { comes, shown, clock } = opening(started(7))
  await clock.advance(14_999)
  expect(comes(9)).toBe('foreign')
  const late = opening(started(7))
  await late.clock.advance(15_000)
  await late.shown
  expect(late.comes(7)).toBe('unknown')
  await clock.advance(1)
  await shown
})

test('A9: a browser that is not ours gets no ticket: its page asks for a code', async () => {
  let plain = ''
  const { comes, shown, clock, opener } = opening(async page => {
    page.notOurs()
    plain = page.plainUrl
  })
  expect(opener.byCode).toBe(true)
  await clock.advance(15_000)
  expect(await shown).toMatchObject({ shown: false, message: expect.stringContaining('admitted by the code') })
  expect([plain, comes(7)]).toEqual([`${ORIGIN}/`, 'unknown'])
})
