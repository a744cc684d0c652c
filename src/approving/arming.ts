const SHORTEST_ARMING_MS = 400

/** How long no key may have been pressed before an approval counts: as the host says, and never less than this. */
export const armingTime = (hostMs = 0): number => Math.max(SHORTEST_ARMING_MS, hostMs)

/** Long enough since `touchedAt` for an approval. */
export const isArmedSince = (touchedAt: number, now: number, hostMs: number): boolean =>
  now - touchedAt >= armingTime(hostMs)

export const TOO_FAST = 'Too fast: nothing was decided. Wait a moment, then press again.'
export const UNSEEN = 'Not all of it was on the screen yet: nothing was decided.'
