/**
 * What both ends of a window's WebSocket put under HMAC-SHA-256. The key is the 32 bytes a ticket's or a session's secret stands
 * for (lower-case hex in the fragment); results are lower-case hex.
 *
 *   fragment of the opening URL:   #ticket=<id>.<secret>, and &theme=dark or light when the person chose one
 *   host's proof    HMAC(secret, hostText(...))      page's proof   HMAC(secret, pageText(...))
 *   session secret  HMAC(secret, sessionText(...))   session id     the approver_id of `admitted`
 *
 * Each text names the speaker, so that nobody can send back what he was sent.
 */
export interface ProofOver {
  readonly credentialId: string
  readonly pageNonce: string
  readonly hostNonce: string
  /** The page's own origin, as both know it: a proof made for one port is worth nothing on another. */
  readonly origin: string
}

const over = (speaker: string, { credentialId, pageNonce, hostNonce, origin }: ProofOver): string =>
  `interactive-terminal window ${speaker} ${origin} ${credentialId} ${pageNonce} ${hostNonce}`

export const hostText = (proof: ProofOver): string => over('host', proof)
export const pageText = (proof: ProofOver): string => over('page', proof)
/** A new secret at each admission: the one before is worth nothing then. */
export const sessionText = (proof: ProofOver): string => over('session', proof)

/** The ticket in a URL's fragment; null when there is none, or not one of ours. */
export function ticketOf(fragment: string): { readonly id: string; readonly secret: string } | null {
  const found = /^#ticket=(tkt_[A-Za-z0-9_-]{1,64})\.([0-9a-f]{64})(?:&theme=[a-z]+)?$/.exec(fragment)
  return found?.[1] && found[2] ? { id: found[1], secret: found[2] } : null
}

/** How the page is to be drawn until the host says it over the feed; null: as the system says. */
export function themeIn(fragment: string): 'light' | 'dark' | null {
  const found = /&theme=(light|dark)$/.exec(fragment)?.[1]
  return found === 'light' || found === 'dark' ? found : null
}
