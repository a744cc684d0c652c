import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seekAdmission } from '../../src/admission/seek-admission.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readCode } from '../../src/base/keys/admission-code.ts'
import { readKeyFile } from '../../src/base/keys/key-file.ts'
import { linkPair } from '../../src/base/link/link.ts'
import { listenPsk } from '../../src/base/link/psk-socket.ts'
import { readJournal } from '../../src/runs/journal/journal.ts'
import { type FakeApprover, type LiveHost, openLiveHost, setPassphrase } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'

let at: LiveHost
let first: FakeApprover
beforeEach(async () => {
  at = await openLiveHost()
  first = await at.approver()
})
afterEach(() => at.close())

const journal = async () => {
  const reader = await readJournal(join(at.state, 'journal.db'))
  const rows = [...reader.newest('approver_admitted', 9), ...reader.newest('approver_refused', 9)]
  reader.close()
  return rows.map(({ kind, body }) => ({ kind, ...body }))
}

/** Attached, and its code is on the first one's screen. */
async function knocking() {
  const newcomer = await at.unproved()
  newcomer.attach('ada@ssh')
  const challenge = await newcomer.heard.next('challenge')
  newcomer.askCode()
  const asked = await first.heard.next('admission_asked', ({ code }) => code.endsWith(newcomer.check(challenge)))
  return { newcomer, challenge, asked, secret: readCode(asked.code)?.secret ?? '' }
}

test('a second approver is let in by the code that the first one shows, and the journal says how', async () => {
  const { newcomer, challenge, asked, secret } = await knocking()
  expect([challenge.passphrase, challenge.code]).toEqual([null, { shown_in: ['tester'] }])
  expect(asked).toMatchObject({ name: 'ada@ssh', surface: 'terminal', process: { pid: process.pid } })
  newcomer.send({ type: 'enter_code', secret })
  await newcomer.heard.next('admitted')
  expect(await first.heard.next('admission_over')).toMatchObject({ outcome: 'admitted' })
  expect(await first.heard.next('approver_joined')).toMatchObject({ name: 'ada@ssh', how: 'code' })
  const rows = await journal()
  expect(rows).toMatchObject([
    { kind: 'approver_admitted', name: 'ada@ssh', admission: 'code' },
    { kind: 'approver_admitted', name: 'tester', admission: 'passphrase' },
  ])
  const written = readFileSync(join(at.state, 'journal.db'), 'latin1') + JSON.stringify(rows)
  expect([written.includes(secret), written.includes(asked.code)]).toEqual([false, false])
})

test('three wrong codes cut the connection, alarm those who are admitted, and are written down', async () => {
  const { newcomer, secret } = await knocking()
  const wrong = String((Number(secret) + 1) % 1_000_000).padStart(6, '0')
  for (let i = 0; i < 3; i++) newcomer.send({ type: 'enter_code', secret: wrong })
  await newcomer.heard.next('refused', frame => frame.reason.includes('not the code'))
  await eventually('it is cut', () => newcomer.closed !== null)
  expect(await first.heard.next('alarm')).toMatchObject({ message: expect.stringContaining('ada@ssh') })
  expect(await journal()).toContainEqual(
    expect.objectContaining({ kind: 'approver_refused', name: 'ada@ssh', how: 'code', why: 'three wrong codes' }),
  )
})

test('the code of one connection lets nobody in on another', async () => {
  const { newcomer, secret } = await knocking()
  const thief = await knocking()
  thief.newcomer.send({ type: 'enter_code', secret })
  await thief.newcomer.heard.next('code_shown', ({ problem }) => problem !== null)
  newcomer.send({ type: 'enter_code', secret })
  await newcomer.heard.next('admitted')
})

test('a person who is admitted refuses whoever is not them', async () => {
  const { newcomer, asked, secret } = await knocking()
  first.send({ type: 'refuse_admission', admission_id: asked.admission_id })
  await newcomer.heard.next('refused', frame => frame.reason.includes('refused'))
  newcomer.send({ type: 'enter_code', secret })
  await eventually('it is cut', () => newcomer.closed !== null)
  expect(newcomer.heard.all.some(frame => frame.type === 'admitted')).toBe(false)
})

test('A10x: while somebody is admitted the passphrase alone lets nobody in', async () => {
  const newcomer = await at.unproved()
  newcomer.attach()
  newcomer.prove(await newcomer.heard.next('challenge'))
  await newcomer.heard.next('challenge', ({ problem }) => problem !== null)
  expect(newcomer.heard.all.some(frame => frame.type === 'admitted')).toBe(false)
})

test('an opening that was not committed to gets no code', async () => {
  const newcomer = await at.unproved()
  newcomer.attach()
  await newcomer.heard.next('challenge')
  newcomer.send({ type: 'ask_code', opening: 'ab'.repeat(32) })
  await newcomer.heard.next('refused')
  expect(first.heard.all.some(frame => frame.type === 'admission_asked')).toBe(false)
})

test('somebody who is not admitted hears of no code and refuses nobody', async () => {
  const stranger = await at.unproved()
  stranger.attach()
  await stranger.heard.next('challenge')
  const { newcomer, asked, secret } = await knocking()
  stranger.send({ type: 'refuse_admission', admission_id: asked.admission_id })
  stranger.attach()
  await stranger.heard.next('challenge', frame => frame !== stranger.heard.all[0])
  newcomer.send({ type: 'enter_code', secret })
  await newcomer.heard.next('admitted')
  expect(stranger.heard.all.map(({ type }) => type)).toEqual(['challenge', 'challenge'])
})

test('when those who could show the code leave, the passphrase is taken again', async () => {
  const { newcomer } = await knocking()
  first.link.close('gone')
  const again = await newcomer.heard.next('challenge', ({ passphrase }) => passphrase !== null)
  expect(again.code).toBe(null)
  newcomer.prove(again)
  await newcomer.heard.next('admitted')
})

test('A10: a passphrase that somebody sets while another is admitted counts for nobody', async () => {
  await at.close()
  at = await openLiveHost()
  const [hostEnd, own] = linkPair('approver')
  at.host.attach(hostEnd)
  own.send({ type: 'attach', protocol_version: 2, surface: 'host_terminal', name: 'own', commitment: '00'.repeat(32) })
  setPassphrase(at.place)
  const newcomer = await at.unproved()
  newcomer.attach()
  newcomer.prove(await newcomer.heard.next('challenge', ({ code }) => code !== null))
  await newcomer.heard.next('challenge', ({ problem }) => problem !== null)
  expect(newcomer.heard.all.some(frame => frame.type === 'admitted')).toBe(false)
})

test('a program between the new terminal and the host is told no code', async () => {
  const key = readKeyFile(join(at.state, 'local.key'))
  const heard: string[] = []
  const between = await listenPsk({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    keyFor: () => key,
    refusal: () => ({}),
    onLink: victim =>
      void at.dial('approver', key, at.host.approverPort).then(toHost => {
        victim.onFrame(frame => {
          heard.push((frame as { type: string }).type)
          toHost.send(frame)
        })
        toHost.onFrame(frame => victim.send(frame))
      }),
  })
  const tryOnce = async (): Promise<string> => {
    const link = await at.dial('approver', key, between.port)
    const seen = first.heard.all.length
    const code = async () => {
      const isNew = (frame: object) => first.heard.all.indexOf(frame as never) >= seen
      return (await first.heard.next('admission_asked', isNew)).code
    }
    const prompts = { code, passphrase: async () => null }
    const isHost = () => true
    const admission = await seekAdmission({ link, name: 'ada', surface: 'terminal', prompts, isHost, onFrame() {} })
    link.close('done')
    return admission.at
  }
  // Once in a thousand the check digits are the same by chance; twice in a row they are not.
  const outcomes = [await tryOnce(), await tryOnce()]
  await between.close()
  expect(outcomes).toContain('refused')
  expect(heard.filter(type => type === 'enter_code').length).toBeLessThan(2)
})
