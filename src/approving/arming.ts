const SHORTEST_ARMING_MS = 400

/** How long no key may have been pressed before an approval counts: as the host says, and never less than this. */
export const armingTime = (hostMs = 0): number => Math.max(SHORTEST_ARMING_MS, hostMs)

/** Long enough since `touchedAt` for an approval. */
export const isArmedSince = (touchedAt: number, now: number, hostMs: number): boolean =>
  now - touchedAt >= armingTime(hostMs)

export const TOO_FAST = 'Too fast: nothing was decided. Wait a moment, then press again.'
export const UNSEEN = 'Not all of it was on the screen yet: nothing was decided.'

/** An approval sooner than this after the question has hardly been read. */
const REFLEX_MS = 1000
/** So many of them in a row are a habit. */
const HABIT = 3

/** How many approvals in a row came like a reflex, after one more answer of this person's. */
export const reflexesAfter = (
  before: number,
  { outcome, tookMs }: { readonly outcome: 'approved' | 'declined'; readonly tookMs: number },
): number => (outcome === 'approved' && tookMs < REFLEX_MS ? before + 1 : 0)

/** Then a rule is offered, where there is one to offer: one that was read once is better than questions nobody reads. */
export const isHabit = (reflexes: number): boolean => reflexes >= HABIT

export const HABIT_OFFER = 'You approved the last ones within a second. A rule you read once asks you less:'
