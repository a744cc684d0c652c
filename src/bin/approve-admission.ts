import { admissionMessage, signAsApprover } from '../base/approver-key.ts'
import type { Link } from '../base/link.ts'
import { APPROVER_PROTOCOL_VERSION, type FromApprover, ToApprover } from '../contract/approver-frames.ts'

/** What became of asking to be let in. */
export type Admission =
  | { readonly at: 'admitted' }
  /** No passphrase was ever set: somebody has to set one first. */
  | { readonly at: 'no_passphrase' }
  | { readonly at: 'refused'; readonly reason: string }
  | { readonly at: 'lost'; readonly reason: string }

export interface AdmissionDeps {
  readonly link: Link
  /** How other approvers see this one. */
  readonly name: string
  readonly surface: Extract<FromApprover, { type: 'attach' }>['surface']
  /** Asks the person; null when they gave up. */
  readonly passphrase: (problem: string | null) => Promise<string | null>
  /** Every frame from `admitted` on: the first questions come right behind it. */
  readonly onFrame: (frame: ToApprover) => void
}

/** Proves that a person is here: by signing the host's challenge with what only their passphrase makes. */
export function seekAdmission({ link, name, surface, passphrase, onFrame }: AdmissionDeps): Promise<Admission> {
  return new Promise(resolve => {
    let admitted = false
    const send = (frame: FromApprover) => link.send(frame)
    const prove = async ({ nonce, passphrase: record, problem }: Extract<ToApprover, { type: 'challenge' }>) => {
      if (record === null) return resolve({ at: 'no_passphrase' })
      const secret = await passphrase(problem)
      if (secret === null) return resolve({ at: 'refused', reason: 'no passphrase was given' })
      send({ type: 'prove', signature: signAsApprover(secret, record, admissionMessage(nonce, link.binding)) })
    }
    link.onClose(reason => resolve({ at: 'lost', reason }))
    link.onFrame(raw => {
      const parsed = ToApprover.safeParse(raw)
      if (!parsed.success) link.close('the host sent a frame we do not know')
      else if (admitted) onFrame(parsed.data)
      else if (parsed.data.type === 'challenge') void prove(parsed.data)
      else if (parsed.data.type === 'refused') resolve({ at: 'refused', reason: parsed.data.reason })
      else if (parsed.data.type === 'admitted') {
        admitted = true
        onFrame(parsed.data)
        resolve({ at: 'admitted' })
      }
    })
    send({ type: 'attach', protocol_version: APPROVER_PROTOCOL_VERSION, surface, name })
  })
}
