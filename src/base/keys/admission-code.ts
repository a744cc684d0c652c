import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/**
 * The code by which an approver is admitted: nine digits, shown in one that is admitted and typed into the new one.
 *
 *   493 027   secret: the host made it up for this one admission
 *   118       check: both ends of one link work it out alike
 *
 * The new end compares the check before it sends the secret, so somebody between two links learns no secret: what is
 * shown belongs to his link with the host, and not to the one the person types into. He cannot choose the check either. The
 * new end commits to its opening before it gets the host's nonce, and opens it after.
 */
export interface CodeLink {
  /** The host's, from its challenge. */
  readonly nonce: string
  readonly opening: string
  readonly binding: string
}

export const newOpening = (): string => randomBytes(32).toString('hex')
export const commitmentTo = (opening: string): string => sha256(`opening ${opening}`)
export const newSecret = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export const checkDigits = ({ nonce, opening, binding }: CodeLink): string =>
  String(
    Number.parseInt(sha256(`interactive-terminal code ${nonce} ${opening} ${binding}`).slice(0, 12), 16) % 1000,
  ).padStart(3, '0')

export const codeToShow = (secret: string, check: string): string => `${secret.slice(0, 3)} ${secret.slice(3)} ${check}`

/** What a person typed, in whatever groups; null when it is no code at all. */
export function readCode(typed: string): { readonly secret: string; readonly check: string } | null {
  const digits = typed.replaceAll(/[\s-]/g, '')
  return /^\d{9}$/.test(digits) ? { secret: digits.slice(0, 6), check: digits.slice(6) } : null
}

export const isSameSecret = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
