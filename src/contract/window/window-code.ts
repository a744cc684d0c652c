import * as z from 'zod'

/**
 * How a page without a ticket is admitted: by a code that an admitted approver shows, typed into the page. Only a host that a person
 * has started in a container listens to these frames (docs/spec.md D25); they go over the same WebSocket, before anything else.
 *
 *   window_ask_code (the page's key, and what it commits to) → window_code_nonce (the host's key and nonce) → window_open_code
 *   → window_code_shown → window_enter_code (a proof of the six digits) → window_code_right (a ticket) → window_hello as ever
 *
 * Both ends work a key out of their two public keys (ECDH, P-256, hex of the uncompressed points). What they sign (contract/window/window-code-proof.ts) is
 * HMAC-SHA-256 in hex with it, so the digits and the ticket's secret are never sent. Of the nine digits the last three are a check over both ends
 * of one connection: whoever is in between has two of them, and the page sends nothing for a code of the other one.
 */
const Hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const Point = z.string().regex(/^04[0-9a-f]{128}$/)

export const OfCodePage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('window_ask_code'),
    protocol_version: z.int(),
    public_key: Point,
    /** SHA-256 of "opening <opening>": chosen before the host's nonce is known. */
    commitment: Hex32,
  }),
  z.object({ type: z.literal('window_open_code'), opening: Hex32 }),
  z.object({ type: z.literal('window_enter_code'), proof: Hex32 }),
])
export type OfCodePage = z.infer<typeof OfCodePage>

export const ToCodePage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('window_code_nonce'), nonce: Hex32, public_key: Point }),
  /** Every admitted approver shows it now. */
  z.object({
    type: z.literal('window_code_shown'),
    expires_in_ms: z.int(),
    problem: z.enum(['wrong']).nullable(),
  }),
  /** Why no page is admitted on this connection. nobody: no approver is open that could show a code · later: too many ask. */
  z.object({
    type: z.literal('window_code_over'),
    why: z.enum(['expired', 'refused', 'wrong', 'nobody', 'later']),
  }),
  z.object({ type: z.literal('window_code_right'), ticket_id: z.string().max(128) }),
])
export type ToCodePage = z.infer<typeof ToCodePage>
