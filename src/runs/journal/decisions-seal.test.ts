import { describe, expect, test } from 'vitest'
import { quickRecord, quickSigner } from '../../../test/drivers/quick-passphrase.ts'
import { admissionMessage } from '../../base/keys/approver-key.ts'
import { type Decided, DecisionsFile, type Sealed } from '../../contract/disk/files.ts'
import { digestOf, NOTHING_DECIDED } from '../../policy/files/decisions.ts'
import { believedOf, SessionSeal, sealHolds, sealingOf } from './decisions-seal.ts'

const [MINE, EVIL] = [quickRecord('what I chose'), quickRecord('what it chose')]
const accepted = { base: ['expr 1 *'], headless: [] }
const DECIDED: Decided = { ...NOTHING_DECIDED, workspaces: { mine: { directory: '/work', trusted: false, accepted } } }
const WIDER: Decided = { ...DECIDED, programs: { PM_TERM_BROWSER: '/evil' } }

function sealed(decided: Decided, record = MINE, passphrase = 'what I chose'): Sealed {
  const session = new SessionSeal()
  session.certify(record, quickSigner(passphrase, record)(session.message))
  const made = session.seal(decided)
  if (!made) throw new Error('not sealed')
  return made
}
const SEALED = sealed(DECIDED)
const OTHER = sealed(WIDER)
const OF_EVIL = sealed(WIDER, EVIL, 'what it chose')

test('a session whose key the passphrase did not sign seals nothing', () => {
  const session = new SessionSeal()
  const wrong = [
    quickSigner('what it chose', MINE)(session.message),
    quickSigner('what I chose', MINE)(new SessionSeal().message),
    quickSigner('what I chose', MINE)(admissionMessage(session.publicKey, 'link')),
    '',
  ]
  expect(wrong.map(signature => session.certify(MINE, signature))).toEqual([false, false, false, false])
  expect(session.seal(DECIDED)).toBe(null)
})

describe('a seal', () => {
  test('holds for what it was made for, in whatever order that is written', () => {
    expect(sealHolds(SEALED)).toBe(true)
    expect(sealHolds(JSON.parse(JSON.stringify(SEALED)))).toBe(true)
  })

  const changed: [string, Sealed][] = [
    ['the decisions', { ...SEALED, decided: WIDER }],
    ['the decisions of another seal', { ...SEALED, decided: WIDER, signature: OTHER.signature }],
    ['the passphrase', { ...SEALED, approver: EVIL.public_key }],
    ['the key of the session', { ...SEALED, session: { ...SEALED.session, public_key: OTHER.session.public_key } }],
    ['what vouches for the session', { ...SEALED, session: { ...SEALED.session, signature: OTHER.session.signature } }],
    ['a session of another passphrase', { ...OF_EVIL, approver: MINE.public_key }],
    ['the signature', { ...SEALED, signature: OTHER.signature }],
    ['everything, to nothing', { ...SEALED, approver: '', session: { public_key: '', signature: '' }, signature: '' }],
  ]
  test.each(changed)('does not hold with %s changed', (_, each) => {
    expect(sealHolds(each)).toBe(false)
  })
})

describe('of a copy', () => {
  const copy = (more: Partial<DecisionsFile>): DecisionsFile => ({ v: 1, now: WIDER, ended: WIDER, ...more })
  const vouching = { decided: digestOf(WIDER) }

  test('with a passphrase only what that has sealed counts, whatever the journal vouches for', () => {
    expect(believedOf(copy({ sealed: SEALED }), { approver: MINE, vouching })).toEqual(DECIDED)
    expect(believedOf(copy({}), { approver: MINE, vouching })).toBe(null)
    expect(believedOf(copy({ sealed: OF_EVIL }), { approver: MINE, vouching })).toBe(null)
    expect(believedOf(copy({ sealed: { ...SEALED, decided: WIDER } }), { approver: MINE, vouching })).toBe(null)
  })

  test('without one, or before the first host, what the journal vouches for counts, unless a seal says that there was one', () => {
    for (const approver of [null, 'no_host_yet'] as const) {
      expect(believedOf(copy({}), { approver, vouching })).toEqual(WIDER)
      expect(believedOf(copy({ sealed: SEALED }), { approver, vouching })).toBe(null)
    }
  })

  test('it is told apart why nothing is sealed', () => {
    expect([
      sealingOf(null, null).at,
      sealingOf(null, MINE).at,
      sealingOf({ sealed: SEALED }, MINE).at,
      sealingOf({ sealed: OF_EVIL }, MINE).at,
      sealingOf({ sealed: { ...SEALED, signature: 'ab' } }, MINE).at,
    ]).toEqual(['not_needed', 'unsealed', 'sealed', 'foreign', 'wrong'])
  })
})

test('a copy that an earlier host wrote, with a row of the journal in it, is read as before', () => {
  const copy: DecisionsFile = { v: 1, now: WIDER, ended: WIDER }
  const row = { seq: 1, at: 1, kind: 'host_ended', requester: null, run_id: null, body: '{}', prev: '', hash: '' }
  expect(DecisionsFile.parse({ ...copy, row })).toEqual(copy)
})
