import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, scryptSync, sign, verify } from 'node:crypto'

/**
 * A passphrase as a key pair. The state directory holds the public half only: whoever reads that file can check a
 * signature but not make one, and a signature made for one link is worth nothing on another.
 */
export interface ApproverRecord {
  readonly v: 1
  readonly salt: string
  readonly cost: number
  readonly public_key: string
}

const COST = 2 ** 16
const SEED_BYTES = 32
// The fixed head of an Ed25519 private key in PKCS #8; the seed follows.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function makeApproverRecord(passphrase: string): ApproverRecord {
  const salt = randomBytes(16).toString('hex')
  const publicKey = createPublicKey(privateKey(passphrase, salt, COST))
  return {
    v: 1,
    salt,
    cost: COST,
    public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
  }
}

/** Signs what the host asked for, with the binding of the link. The passphrase is worked out once, which is slow on purpose. */
export function approverSigner(
  passphrase: string,
  { salt, cost }: Pick<ApproverRecord, 'salt' | 'cost'>,
): (message: string) => string {
  const key = privateKey(passphrase, salt, cost)
  return message => sign(null, Buffer.from(message), key).toString('hex')
}

export const isSignedByApprover = (record: ApproverRecord, message: string, signature: string): boolean =>
  isSignedBy(record.public_key, message, signature)

/** `publicKey`: as in a record. */
export function isSignedBy(publicKey: string, message: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(message), key, Buffer.from(signature, 'hex'))
  } catch {
    return false // no key, no signature: no approver
  }
}

/** What an approver signs to be admitted. */
export const admissionMessage = (nonce: string, binding: string): string =>
  `interactive-terminal approver ${nonce} ${binding}`

/** What an approver signs so that a host can seal what the person decides there. It begins like nothing else that is signed. */
export const sealKeyMessage = (sessionKey: string): string => `interactive-terminal seal key ${sessionKey}`

function privateKey(passphrase: string, salt: string, cost: number): KeyObject {
  const seed = scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), SEED_BYTES, {
    N: cost,
    r: 8,
    p: 1,
    maxmem: 256 * 1024 * 1024,
  })
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}
