import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type ApproverRecord, isSignedBy, isSignedByApprover, sealKeyMessage } from '../../base/keys/approver-key.ts'
import type { Decided, DecisionsFile, Sealed } from '../../contract/disk/files.ts'
import { digestOf } from '../../policy/files/decisions.ts'
import { withDigest } from './decisions-copy.ts'

/** The passphrase that counts by the journal. no_host_yet: what the first one finds is taken as it is. */
export type CountingApprover = ApproverRecord | null | 'no_host_yet'

/**
 * A key for as long as this process lives. Once the passphrase has signed it, it seals what a person decides here, so that the next
 * process knows it from what anybody wrote into the files (ADR 46).
 */
export class SessionSeal {
  readonly publicKey: string
  readonly #key: KeyObject
  #certified: { readonly approver: string; readonly signature: string } | null = null
  /** From now on it seals, or under another passphrase than before. */
  onCertified: () => void = () => {}

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    this.publicKey = publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
    this.#key = privateKey
  }

  /** What has to be signed for it. */
  get message(): string {
    return sealKeyMessage(this.publicKey)
  }

  /** False: that is no signature of this passphrase, and nothing has changed. */
  certify(approver: ApproverRecord, signature: string): boolean {
    if (!isSignedByApprover(approver, this.message, signature)) return false
    if (this.isFor(approver)) return true
    this.#certified = { approver: approver.public_key, signature }
    this.onCertified()
    return true
  }

  isFor(approver: ApproverRecord | null): boolean {
    return approver !== null && this.#certified?.approver === approver.public_key
  }

  /** null: the passphrase was not given to this process. */
  seal(decided: Decided): Sealed | null {
    if (this.#certified === null) return null
    const { approver, signature } = this.#certified
    return {
      decided,
      approver,
      session: { public_key: this.publicKey, signature },
      signature: sign(null, Buffer.from(decisionsMessage(decided, approver)), this.#key).toString('hex'),
    }
  }
}

const decisionsMessage = (decided: Decided, approver: string): string =>
  `interactive-terminal decisions ${digestOf(decided)} for ${approver}`

/** The passphrase named in it stands behind exactly these decisions. Whether it is the one that counts is another question. */
export const sealHolds = ({ decided, approver, session, signature }: Sealed): boolean =>
  isSignedBy(approver, sealKeyMessage(session.public_key), session.signature) &&
  isSignedBy(session.public_key, decisionsMessage(decided, approver), signature)

export type Sealing =
  /** No passphrase counts, and no seal is there. */
  | { readonly at: 'not_needed' }
  | { readonly at: 'sealed'; readonly decided: Decided }
  /** A passphrase counts, and nothing was ever sealed by it. */
  | { readonly at: 'unsealed' }
  /** wrong: somebody wrote it · foreign: another passphrase than the one that counts has sealed it. */
  | { readonly at: 'wrong' | 'foreign' }

export function sealingOf(copy: Pick<DecisionsFile, 'sealed'> | null, approver: CountingApprover): Sealing {
  const key = approver === 'no_host_yet' ? null : (approver?.public_key ?? null)
  const sealed = copy?.sealed
  if (!sealed) return { at: key === null ? 'not_needed' : 'unsealed' }
  if (!sealHolds(sealed)) return { at: 'wrong' }
  return sealed.approver === key ? { at: 'sealed', decided: sealed.decided } : { at: 'foreign' }
}

/** What of a copy counts while no host says so: what is sealed, and where no seal is needed what the journal vouches for. */
export function believedOf(
  copy: DecisionsFile | null,
  by: { readonly approver: CountingApprover; readonly vouching: { readonly decided: string } | null },
): Decided | null {
  const sealing = sealingOf(copy, by.approver)
  if (sealing.at === 'sealed') return sealing.decided
  if (sealing.at !== 'not_needed' || !copy || !by.vouching) return null
  return withDigest(copy, by.vouching.decided)
}
