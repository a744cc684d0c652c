import { hostText, type ProofOver, pageText, sessionText } from '../../contract/window/window-proof.ts'

/** What admits this page: a ticket's or a session's id, and the key its secret stands for. The secret is never sent. */
export interface Credential {
  readonly kind: 'ticket' | 'session'
  readonly id: string
  readonly secret: string
}

export const freshNonce = (): string => hex(crypto.getRandomValues(new Uint8Array(32)))

/** Whether the host knows the secret, too. Whoever does not is not the host that opened this window. */
export const isHostProof = async (credential: Credential, over: ProofOver, proof: string): Promise<boolean> =>
  crypto.subtle.verify('HMAC', await keyOf(credential.secret), bytesOf(proof), encoded(hostText(over)))

export const pageProof = (credential: Credential, over: ProofOver): Promise<string> =>
  sign(credential.secret, pageText(over))

/** The secret to come back with. Both ends work it out; it goes over no wire. */
export const sessionSecret = (credential: Credential, over: ProofOver): Promise<string> =>
  sign(credential.secret, sessionText(over))

/** `secret`: 32 bytes in hex. */
export const sign = async (secret: string, text: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), encoded(text))))

const keyOf = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

export const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const hex = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
