import { createPrivateKey, createPublicKey, scryptSync } from 'node:crypto'
import { type ApproverRecord, approverSigner } from '../../src/base/keys/approver-key.ts'

/** The smallest that a host takes: working a passphrase out is slow on purpose, and nearly every test does it. */
const COST = 2 ** 14
const SALT = '00112233445566778899aabbccddeeff'
// The fixed head of an Ed25519 private key in PKCS #8; the seed follows.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The record of a passphrase as `makeApproverRecord` makes it, but for the cost. */
export function quickRecord(passphrase: string): ApproverRecord {
  const seed = scryptSync(passphrase, Buffer.from(SALT, 'hex'), 32, { N: COST, r: 8, p: 1, maxmem: 2 ** 28 })
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex')
  return { v: 1, salt: SALT, cost: COST, public_key: publicKey }
}

const signers = new Map<string, (message: string) => string>()

/** Whoever signs with it again does not work it out again. */
export function quickSigner(
  passphrase: string,
  record: Pick<ApproverRecord, 'salt' | 'cost'>,
): (message: string) => string {
  const key = `${record.cost} ${record.salt} ${passphrase}`
  const sign = signers.get(key) ?? approverSigner(passphrase, record)
  signers.set(key, sign)
  return sign
}
