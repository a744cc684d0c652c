import { createHash, randomBytes } from 'node:crypto'
import { type ApproverRecord, admissionMessage, isSignedByApprover } from '../base/keys/approver-key.ts'

/** What a host says of itself when it comes. */
export interface Heir {
  /** Known to that host's process alone: by it the same host is known again. */
  readonly token: string
  /** The public half of the passphrase that counts there. */
  readonly approver: ApproverRecord | null
}

/**
 * Who may type into which terminal. The host that opened it may, also after its connection broke. Any other one only with what a
 * passphrase signs that counted at the host that opened it: a host that ends in order takes its terminals along, so one that finds
 * some follows one that was killed, and may be anybody who can read the key file.
 */
export class Succession {
  /** By the hash of its token: what counted there. */
  readonly #hosts = new Map<string, ApproverRecord | null>()
  readonly #owners = new Map<string, string>()
  #now = ''
  #nonce = ''

  /** A host has come. Answers with what has to be signed, as the beginning of a nonce. */
  come({ token, approver }: Heir): string {
    this.#nonce = randomBytes(32).toString('hex')
    this.#now = createHash('sha256').update(token).digest('hex')
    this.trust(approver)
    return this.#nonce
  }

  /** What counts at the host that is here now. It says nothing about terminals of another one. */
  trust(approver: ApproverRecord | null): void {
    this.#hosts.set(this.#now, approver)
  }

  opened(ptyId: string): void {
    this.#owners.set(ptyId, this.#now)
  }

  forget(ptyId: string): void {
    this.#owners.delete(ptyId)
    const owners = new Set(this.#owners.values())
    for (const host of this.#hosts.keys()) if (host !== this.#now && !owners.has(host)) this.#hosts.delete(host)
  }

  mayType(ptyId: string): boolean {
    return this.#owners.get(ptyId) === this.#now
  }

  /** Whether a terminal is here that the host must not type into. */
  get locked(): boolean {
    return [...this.#owners.values()].some(owner => owner !== this.#now)
  }

  /** True: nothing is locked any more. */
  unlock(proof: { readonly nonce: string; readonly binding: string; readonly signature: string }): boolean {
    if (!proof.nonce.startsWith(this.#nonce)) return false
    const message = admissionMessage(proof.nonce, proof.binding)
    for (const [ptyId, owner] of this.#owners) {
      const approver = this.#hosts.get(owner) ?? null
      if (approver && isSignedByApprover(approver, message, proof.signature)) this.#owners.set(ptyId, this.#now)
    }
    return !this.locked
  }
}
