import { expect, test } from 'vitest'
import { isSignedByApprover, makeApproverRecord, sealKeyMessage } from '../base/keys/approver-key.ts'
import { linkPair } from '../base/link/link.ts'
import type { FromApprover } from '../contract/wire/approver-frames.ts'
import { seekAdmission } from './seek-admission.ts'

const RECORD = makeApproverRecord('what I chose')

/** What is sent to whoever asks for the passphrase and for a signature of its key. */
function proved(isHost: boolean): Promise<Extract<FromApprover, { type: 'prove' }>> {
  const [end, link] = linkPair('approver')
  const passphrase = { salt: RECORD.salt, cost: RECORD.cost }
  return new Promise(resolve => {
    end.onFrame(raw => {
      const frame = raw as FromApprover
      if (frame.type === 'prove') resolve(frame)
      if (frame.type !== 'attach') return
      end.send({ type: 'challenge', nonce: 'ab', passphrase, seal_key: 'cd', code: null, problem: null })
    })
    const prompts = { passphrase: async () => 'what I chose', code: async () => null }
    void seekAdmission({ link, name: 'ada', surface: 'terminal', prompts, isHost: () => isHost, onFrame() {} })
  })
}

test('the key of the host is signed with the proof, so that it can seal', async () => {
  const { seal_signature } = await proved(true)
  expect(isSignedByApprover(RECORD, sealKeyMessage('cd'), seal_signature ?? '')).toBe(true)
})

test('a program that does not hold the host’s place is given no key to seal with', async () => {
  expect(await proved(false)).not.toHaveProperty('seal_signature')
})
