import { beforeEach, expect, test } from 'vitest'
import { quickRecord, quickSigner } from '../../test/drivers/quick-passphrase.ts'
import { admissionMessage } from '../base/keys/approver-key.ts'
import { Succession } from './succession.ts'

const [MINE, EVIL] = [quickRecord('what I chose'), quickRecord('what it chose')]
const FIRST = { token: 'a'.repeat(64), approver: MINE }
const NEXT = { token: 'b'.repeat(64), approver: MINE }
const THIEF = { token: 'c'.repeat(64), approver: EVIL }
let succession: Succession
beforeEach(() => {
  succession = new Succession()
  succession.come(FIRST)
  succession.opened('pty_1')
})

const signed = (begin: string, passphrase: string, record: typeof MINE) => {
  const nonce = `${begin}more`
  return { nonce, binding: 'link', signature: quickSigner(passphrase, record)(admissionMessage(nonce, 'link')) }
}

test('the same host types on after its connection broke', () => {
  succession.come(FIRST)
  expect([succession.locked, succession.mayType('pty_1')]).toEqual([false, true])
})

test('A8c: another host types into nothing that was there before it, but into what it opens itself, also when it comes back', () => {
  succession.come(THIEF)
  succession.opened('pty_2')
  expect([succession.locked, succession.mayType('pty_1'), succession.mayType('pty_2')]).toEqual([true, false, true])
  succession.come(THIEF)
  expect([succession.mayType('pty_1'), succession.mayType('pty_2')]).toEqual([false, true])
})

test('A8c: a passphrase of its own unlocks nothing, whatever it says that counts', () => {
  const nonce = succession.come(THIEF)
  succession.trust(EVIL)
  expect(succession.unlock(signed(nonce, 'what it chose', EVIL))).toBe(false)
  expect(succession.mayType('pty_1')).toBe(false)
})

test('the person’s passphrase unlocks it for the host that is here, once', () => {
  const old = succession.come(THIEF)
  const nonce = succession.come(NEXT)
  expect(succession.unlock(signed(old, 'what I chose', MINE))).toBe(false)
  expect(succession.unlock(signed(nonce, 'what I chose', MINE))).toBe(true)
  expect([succession.locked, succession.mayType('pty_1')]).toEqual([false, true])
  succession.come(THIEF)
  expect(succession.mayType('pty_1')).toBe(false)
})

test('where no passphrase counted, nothing unlocks it', () => {
  const without = new Succession()
  without.come({ ...FIRST, approver: null })
  without.opened('pty_1')
  const nonce = without.come(NEXT)
  expect(without.unlock(signed(nonce, 'what I chose', MINE))).toBe(false)
  without.forget('pty_1')
  expect(without.locked).toBe(false)
})

test('one that was set while the host ran unlocks it', () => {
  const late = new Succession()
  late.come({ ...FIRST, approver: null })
  late.opened('pty_1')
  late.trust(MINE)
  const nonce = late.come(NEXT)
  expect(late.unlock(signed(nonce, 'what I chose', MINE))).toBe(true)
})
