import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { checkDigits, commitmentTo } from '../../base/keys/admission-code.ts'
import { admissionMessage, isSignedByApprover } from '../../base/keys/approver-key.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import type { Peer } from '../../base/process/peer-process.ts'
import type { PtySuccession } from '../../base/process/pty.ts'
import type { Surface } from '../../contract/wire/admission-frames.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import type { SessionSeal } from '../../runs/journal/decisions-seal.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { Presence } from '../questions/presence.ts'
import { type ApproverAdmissions, CODE_LIVES_MS, type Newcomer, type ShownCode, whoIs } from './admissions.ts'
import type { ApproverRecordFile } from './record.ts'

export interface EntranceDeps {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Journal
  readonly record: ApproverRecordFile
  readonly presence: Presence
  readonly admissions: ApproverAdmissions
  /** Terminals of a host that was killed: whoever proves the passphrase here proves it there. */
  readonly succession: PtySuccession | null
  /** The same proof lets this host seal what is decided here. */
  readonly seal: Pick<SessionSeal, 'publicKey' | 'certify'>
}

export interface AdmissionRequest {
  readonly link: Link
  readonly process: Peer['process']
  send(frame: ToApprover): void
  admit(how: 'passphrase' | 'code'): void
  refuse(reason: string): void
}

const PROVE_WITHIN_MS = 300_000
const MOST_PASSPHRASES = 3

/**
 * Before admission: a person proves to be there.
 *
 *   nobody is admitted     challenge ─▶ passphrase
 *   somebody is            challenge ─▶ code ─(not entered within a minute, or nobody is left to show it)─▶ passphrase, or another code
 *
 * The minute is what those who are admitted have to see it and to refuse it; after it nobody is locked out by an approver that
 * is where the person is not (docs/adr/0004).
 */
export class ApproverEntrance implements Disposable {
  readonly #deps: EntranceDeps
  readonly #request: AdmissionRequest
  readonly #life = new Disposables()
  #newcomer: Newcomer = { name: 'approver', surface: 'terminal', process: null }
  #commitment: string | null = null
  #nonce: string | null = null
  #code: ShownCode | null = null
  #waiting: Disposable = { dispose() {} }
  /** A code was shown for as long as it lives, or could not be: the passphrase is taken now. */
  #waited = false
  #passphrases = 0

  constructor(deps: EntranceDeps, request: AdmissionRequest) {
    this.#deps = deps
    this.#request = request
    this.#life.add(deps.clock.after(PROVE_WITHIN_MS, () => request.link.close('not proved in time')))
    this.#life.add(deps.admissions.enter(() => request.refuse('Too many others want to be admitted.')))
    this.#life.add(deps.presence.watch(() => this.#nobodyLeft()))
    this.#life.defer(() => this.#waiting.dispose())
    this.#life.defer(() => this.#code?.leave())
  }

  dispose(): void {
    this.#life.dispose()
  }

  attach(frame: { readonly name: string; readonly surface: Surface; readonly commitment: string }): void {
    this.#newcomer = { name: frame.name, surface: frame.surface, process: this.#request.process }
    this.#commitment = frame.commitment
    this.#challenge(null)
  }

  /** `sealSignature`: none from an older client, which is admitted all the same. */
  prove(signature: string, sealSignature?: string): void {
    const record = this.#record()
    const nonce = this.#nonce
    // A challenge is good for one try.
    this.#nonce = null
    const message = admissionMessage(nonce ?? '', this.#request.link.binding)
    if (nonce !== null && record && isSignedByApprover(record, message, signature)) {
      this.#deps.succession?.unlock({ nonce, binding: this.#request.link.binding, signature })
      if (sealSignature !== undefined && !this.#deps.seal.certify(record, sealSignature))
        this.#deps.log.warn('the key of this host was not signed by the passphrase: it does not seal')
      this.#request.admit('passphrase')
      return
    }
    this.#passphrases += 1
    this.#writeRefusal('passphrase', 'wrong')
    if (this.#passphrases >= MOST_PASSPHRASES) this.#request.refuse('That was not the passphrase.')
    else this.#challenge('That was not the passphrase.')
  }

  askCode(opening: string): void {
    const nonce = this.#nonce
    const opens = this.#commitment !== null && commitmentTo(opening) === this.#commitment
    this.#commitment = null
    this.#nonce = null
    if (nonce === null || !opens) this.#request.refuse('A code is asked for once after each attach.')
    else if (this.#deps.presence.count === 0) this.#challenge(null)
    else this.#showCode(checkDigits({ nonce, opening, binding: this.#request.link.binding }))
  }

  enterCode(secret: string): void {
    const entered = this.#code?.enter(secret)
    if (entered === 'wrong') this.#sendShown('That was not the code.')
    if (entered === 'right' || entered === 'cut') this.#code = null
    if (entered === 'right') this.#request.admit('code')
    if (entered !== 'cut') return
    this.#deps.log.warn('three wrong codes: somebody tried to become an approver', { ...this.#newcomer })
    this.#writeRefusal('code', 'three wrong codes')
    this.#request.refuse('That was not the code.')
  }

  #showCode(check: string): void {
    this.#code?.leave()
    this.#code = this.#deps.admissions.show(this.#newcomer, check, outcome =>
      outcome === 'refused' ? this.#refusedByPerson() : this.#codeIsOver('The code has expired.'),
    )
    this.#waiting.dispose()
    if (this.#code) {
      this.#sendShown(null)
      return
    }
    this.#waiting = this.#deps.clock.after(CODE_LIVES_MS, () => this.#codeIsOver('No code could be shown.'))
    this.#sendShown(null)
  }

  #challenge(problem: string | null): void {
    const { presence } = this.#deps
    this.#nonce = `${this.#deps.succession?.locked?.nonce ?? ''}${randomBytes(32).toString('hex')}`
    const record = this.#record()
    this.#request.send({
      type: 'challenge',
      nonce: this.#nonce,
      passphrase: record && { salt: record.salt, cost: record.cost },
      ...(record && { seal_key: this.#deps.seal.publicKey }),
      code: presence.count === 0 ? null : { shown_in: presence.names },
      problem,
    })
  }

  /** The passphrase, if it is taken now. */
  #record() {
    const { presence, record } = this.#deps
    return presence.count === 0 || this.#waited ? record.current : null
  }

  #sendShown(problem: string | null): void {
    const { presence, record } = this.#deps
    this.#request.send({
      type: 'code_shown',
      shown_in: this.#code ? presence.names : [],
      expires_in_ms: this.#code?.remainingMs ?? CODE_LIVES_MS,
      passphrase_then: record.current !== null,
      problem,
    })
  }

  #codeIsOver(problem: string): void {
    this.#code = null
    this.#waiting.dispose()
    this.#waited = true
    this.#challenge(problem)
  }

  /** Those who could show the code have gone. */
  #nobodyLeft(): void {
    if (this.#deps.presence.count > 0 || this.#code === null) return
    this.#code.leave()
    this.#codeIsOver('Nobody is there any more who could show the code.')
  }

  #refusedByPerson(): void {
    this.#code = null
    this.#deps.log.warn('a person did not admit an approver', { ...this.#newcomer })
    this.#writeRefusal('code', 'refused by a person')
    this.#request.refuse(`A person refused to admit ${whoIs(this.#newcomer)}.`)
  }

  #writeRefusal(how: 'passphrase' | 'code', why: string): void {
    const { journal, log } = this.#deps
    try {
      journal.append({ kind: 'approver_refused', requester: null, runId: null, body: { ...this.#newcomer, how, why } })
    } catch (cause) {
      log.error('the journal cannot be written', { kind: 'approver_refused', cause })
    }
  }
}
