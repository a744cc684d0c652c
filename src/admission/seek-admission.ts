import { checkDigits, commitmentTo, newOpening, readCode } from '../base/keys/admission-code.ts'
import { admissionMessage, approverSigner, sealKeyMessage } from '../base/keys/approver-key.ts'
import type { Link } from '../base/link/link.ts'
import type { Surface } from '../contract/wire/admission-frames.ts'
import { APPROVER_PROTOCOL_VERSION, type FromApprover, ToApprover } from '../contract/wire/approver-frames.ts'

/** What became of asking to be admitted. */
export type Admission =
  | { readonly at: 'admitted' }
  /** No passphrase was ever set: somebody has to set one first. */
  | { readonly at: 'no_passphrase' }
  | { readonly at: 'refused'; readonly reason: string }
  | { readonly at: 'lost'; readonly reason: string }

/** What the person is asked. Each resolves with null when they gave up, or when the signal says that it is asked no more. */
export interface AdmissionPrompts {
  /** `orCode`: an empty answer asks for another code instead. */
  passphrase(
    about: { readonly problem: string | null; readonly orCode: boolean },
    signal: AbortSignal,
  ): Promise<string | null>
  code(
    about: { readonly problem: string | null; readonly shown: CodeShown },
    signal: AbortSignal,
  ): Promise<string | null>
}

export interface AdmissionDeps {
  readonly link: Link
  /** How other approvers see this one. */
  readonly name: string
  readonly surface: Surface
  readonly prompts: AdmissionPrompts
  /** The other end is the process that holds the host's place: a program in between is given no key to seal with. */
  readonly isHost: () => boolean
  /** Every frame from `admitted` on: the first questions come right behind it. */
  readonly onFrame: (frame: ToApprover) => void
  /** Those of a page that is shown elsewhere are not looked at here, but handed on. True: this one was. */
  readonly relay?: (raw: object) => boolean
}

type Challenge = Extract<ToApprover, { type: 'challenge' }>
export type CodeShown = Extract<ToApprover, { type: 'code_shown' }>

const MOST_WRONG_CHECKS = 3
const NOT_FOR_HERE = 'That code does not belong to this connection; nothing was sent. Look at it again.'

/** Proves that a person is here: by what only their passphrase makes, or by a code that only an admitted approver shows. */
export function seekAdmission({
  link,
  name,
  surface,
  prompts,
  isHost,
  onFrame,
  relay,
}: AdmissionDeps): Promise<Admission> {
  return new Promise(resolve => {
    let admitted = false
    let opening = newOpening()
    let nonce = ''
    let wrongChecks = 0
    let asking = new AbortController()

    /** Whatever was asked before is asked no more. */
    const anew = (): AbortSignal => {
      asking.abort()
      asking = new AbortController()
      return asking.signal
    }
    const end = (admission: Admission) => {
      asking.abort()
      resolve(admission)
    }

    const send = (frame: FromApprover) => link.send(frame)
    const attach = () => {
      opening = newOpening()
      const commitment = commitmentTo(opening)
      send({ type: 'attach', protocol_version: APPROVER_PROTOCOL_VERSION, surface, name, commitment })
    }

    const challenged = async ({ passphrase: record, code, problem, ...challenge }: Challenge) => {
      nonce = challenge.nonce
      const signal = anew()
      if (record === null) return code === null ? end({ at: 'no_passphrase' }) : send({ type: 'ask_code', opening })
      const secret = await prompts.passphrase({ problem, orCode: code !== null }, signal)
      if (signal.aborted) return
      if (secret === null) return end({ at: 'refused', reason: 'no passphrase was given' })
      if (secret === '' && code !== null) return attach()
      const sign = approverSigner(secret, record)
      const { seal_key } = challenge
      const seal = seal_key !== undefined && isHost() ? { seal_signature: sign(sealKeyMessage(seal_key)) } : {}
      send({ type: 'prove', signature: sign(admissionMessage(nonce, link.binding)), ...seal })
    }

    const codeShown = async (shown: CodeShown) => {
      const signal = anew()
      const check = checkDigits({ nonce, opening, binding: link.binding })
      let wrong = shown.problem
      for (;;) {
        const typed = await prompts.code({ problem: wrong, shown }, signal)
        if (signal.aborted) return
        if (typed === null) return end({ at: 'refused', reason: 'no code was given' })
        // There is none to type: this only waits.
        if (shown.shown_in.length === 0) continue
        const read = readCode(typed)
        wrong = read === null ? 'A code has nine digits.' : NOT_FOR_HERE
        if (read === null) continue
        if (read.check === check) return send({ type: 'enter_code', secret: read.secret })
        wrongChecks += 1
        if (wrongChecks >= MOST_WRONG_CHECKS)
          return end({ at: 'refused', reason: `${NOT_FOR_HERE} If it was typed right, somebody is in between.` })
      }
    }

    link.onClose(reason => end({ at: 'lost', reason }))
    link.onFrame(raw => {
      if (admitted && relay?.(raw)) return
      const parsed = ToApprover.safeParse(raw)
      if (!parsed.success) link.close('the host sent a frame we do not know')
      else if (admitted) onFrame(parsed.data)
      else if (parsed.data.type === 'challenge') void challenged(parsed.data)
      else if (parsed.data.type === 'code_shown') void codeShown(parsed.data)
      else if (parsed.data.type === 'refused') end({ at: 'refused', reason: parsed.data.reason })
      else if (parsed.data.type === 'admitted') {
        admitted = true
        // Before the first frame: whoever listens to keys from now on is the only one.
        asking.abort()
        onFrame(parsed.data)
        end({ at: 'admitted' })
      }
    })
    attach()
  })
}
