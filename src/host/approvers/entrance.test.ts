import { beforeEach, expect, test } from 'vitest'
import { quickRecord, quickSigner } from '../../../test/drivers/quick-passphrase.ts'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { commitmentTo, readCode } from '../../base/keys/admission-code.ts'
import { admissionMessage, sealKeyMessage } from '../../base/keys/approver-key.ts'
import { linkPair } from '../../base/link/link.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import { SessionSeal } from '../../runs/journal/decisions-seal.ts'
import { Presence } from '../questions/presence.ts'
import { type AdmissionNews, ApproverAdmissions } from './admissions.ts'
import { ApproverEntrance } from './entrance.ts'

const PASSPHRASE = 'a passphrase for tests'
const RECORD = quickRecord(PASSPHRASE)
const OPENING = 'ab'.repeat(32)

let clock: FakeClock
let presence: Presence
let admissions: ApproverAdmissions
let shown: AdmissionNews[]
let sent: ToApprover[]
let ends: string[]
let written: unknown[]
let pinned: typeof RECORD | null
let seal: SessionSeal

beforeEach(() => {
  clock = new FakeClock()
  presence = new Presence(clock)
  admissions = new ApproverAdmissions({ clock, ids: randomIds() })
  shown = []
  sent = []
  ends = []
  written = []
  pinned = RECORD
  seal = new SessionSeal()
  admissions.listen(news => shown.push(news), 'window')
})

function enter(): ApproverEntrance {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const journal = { append: (row: { body: unknown }) => void written.push(row.body) } as never
  const record = { current: pinned } as never
  const entrance = new ApproverEntrance(
    { clock, log, journal, record, presence, admissions, succession: null, seal },
    {
      link: linkPair('approver')[0],
      process: null,
      send: frame => void sent.push(frame),
      admit: how => void ends.push(how),
      refuse: reason => void ends.push(reason),
    },
  )
  entrance.attach({ name: 'ada', surface: 'terminal', commitment: commitmentTo(OPENING) })
  return entrance
}

const last = () => sent.at(-1)
const sign = (): string => {
  const frame = sent.findLast(each => each.type === 'challenge')
  return quickSigner(PASSPHRASE, RECORD)(admissionMessage(frame?.nonce ?? '', 'same-process'))
}
const secret = () => {
  const asked = shown.findLast(news => news.type === 'admission_asked')
  return readCode(asked?.code ?? '')?.secret ?? ''
}

test('the proof lets the host seal, if the passphrase signed the key of the challenge; without it the person is let in all the same', () => {
  const signed = (message: string) => quickSigner(PASSPHRASE, RECORD)(message)
  enter().prove(sign())
  enter().prove(sign(), signed(sealKeyMessage(new SessionSeal().publicKey)))
  expect([ends, seal.isFor(RECORD)]).toEqual([['passphrase', 'passphrase'], false])
  const entrance = enter()
  const challenge = sent.findLast(each => each.type === 'challenge')
  entrance.prove(sign(), signed(sealKeyMessage(challenge?.seal_key ?? '')))
  expect(seal.isFor(RECORD)).toBe(true)
})

test('with nobody admitted, the passphrase is the way in', () => {
  const entrance = enter()
  expect(last()).toMatchObject({ passphrase: { salt: RECORD.salt }, code: null })
  entrance.prove(sign())
  expect(ends).toEqual(['passphrase'])
})

test('with somebody admitted, the code is', () => {
  presence.add('apr_1', 'bob')
  const entrance = enter()
  expect(last()).toMatchObject({ passphrase: null, code: { shown_in: ['bob'] } })
  entrance.askCode(OPENING)
  expect(last()).toMatchObject({ type: 'code_shown', shown_in: ['bob'], expires_in_ms: 60_000 })
  entrance.enterCode(secret())
  expect(ends).toEqual(['code'])
})

test('nobody is locked out: after a minute in which the code was not typed, the passphrase is taken', async () => {
  presence.add('apr_1', 'somewhere else')
  const entrance = enter()
  entrance.askCode(OPENING)
  await clock.advance(60_000)
  expect(last()).toMatchObject({
    type: 'challenge',
    passphrase: { salt: RECORD.salt },
    problem: 'The code has expired.',
  })
  entrance.prove(sign())
  expect(ends).toEqual(['passphrase'])
})

test('nobody is locked out by a crowd that fills the screens with codes', async () => {
  presence.add('apr_1', 'bob')
  for (let i = 0; i < 4; i++) enter().askCode(OPENING)
  const entrance = enter()
  entrance.askCode(OPENING)
  expect(last()).toMatchObject({ type: 'code_shown', shown_in: [] })
  await clock.advance(60_000)
  entrance.prove(sign())
  expect(ends).toEqual(['passphrase'])
})

test('whoever never asked for a code has not waited for one', async () => {
  presence.add('apr_1', 'bob')
  const entrance = enter()
  await clock.advance(120_000)
  entrance.prove(sign())
  expect([ends, last()]).toMatchObject([[], { type: 'challenge', passphrase: null }])
})

test('after a minute it is a passphrase that was there before, or another code', async () => {
  pinned = null
  presence.add('apr_1', 'bob')
  const entrance = enter()
  entrance.askCode(OPENING)
  await clock.advance(60_000)
  expect(last()).toMatchObject({ type: 'challenge', passphrase: null, code: { shown_in: ['bob'] } })
  entrance.prove(sign())
  expect(ends).toEqual([])
  entrance.attach({ name: 'ada', surface: 'terminal', commitment: commitmentTo(OPENING) })
  entrance.askCode(OPENING)
  entrance.enterCode(secret())
  expect(ends).toEqual(['code'])
})

test('a challenge is good for one try, and three are enough', () => {
  const entrance = enter()
  const signature = sign()
  entrance.prove('00'.repeat(64))
  entrance.prove(signature)
  entrance.prove('00'.repeat(64))
  expect(ends).toEqual(['That was not the passphrase.'])
  expect(written).toHaveLength(3)
})

test('whoever proves nothing goes after a while, and takes the code along', async () => {
  presence.add('apr_1', 'bob')
  const entrance = enter()
  entrance.askCode(OPENING)
  entrance.dispose()
  expect([shown.at(-1), clock.pending]).toMatchObject([{ type: 'admission_over', outcome: 'left' }, 0])
})
