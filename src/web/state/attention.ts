import { isArmedSince } from '../../approving/arming.ts'

/**
 * Whether a person can have read the card that is in front of them, and whether what they press now can be meant for it.
 *
 *   shown (on a visible page) → seen (every part of it was in view) → heard (the host knows that) → armed (and no key for a while)
 *
 * Pure: times are milliseconds of a clock that only grows. A card that comes up, a page that was hidden, a key that was typed:
 * each starts the wait anew, so keys in flight never decide. Keys that only read on are no touch; the chord that approves is one
 * until the card was armed once: before that it may have been meant for the card before, after that it is only impatient.
 */
export interface Attention {
  readonly askId: string
  readonly revision: number
  readonly pageVisible: boolean
  /** What was in view so far, from top to bottom, without overlaps. */
  readonly seen: readonly ReadStretch[]
  /** How high the card is; null until it was measured. */
  readonly height: number | null
  /** When all of it had been in view; null before. */
  readonly seenAt: number | null
  /** When the host had heard of that: it counts from when it hears, so an approval before would be refused. */
  readonly heardAt: number | null
  /** No approval counts sooner than the arming time after this. */
  readonly touchedAt: number
  /** It was armed once: whoever sits there has had it before them. */
  readonly armedOnce: boolean
}

interface ReadStretch {
  readonly from: number
  readonly to: number
}

export type Noticed =
  | { readonly type: 'viewed'; readonly from: number; readonly to: number; readonly height: number }
  | { readonly type: 'key' | 'chord' | 'armed' }
  /** The host knows that all of it was in view. */
  | { readonly type: 'shown_heard'; readonly ask_id: string; readonly revision: number }
  | { readonly type: 'page'; readonly visible: boolean }
  /** What would run has changed before their eyes (an edited line, another rule). */
  | { readonly type: 'changed' }

// Browsers give places of scrolled things in fractions.
const SLACK = 2

export const attentionTo = (askId: string, pageVisible: boolean, now: number, revision = 0): Attention => ({
  askId,
  revision,
  pageVisible,
  seen: [],
  height: null,
  seenAt: null,
  heardAt: null,
  touchedAt: now,
  armedOnce: false,
})

export function notice(attention: Attention, noticed: Noticed, now: number): Attention {
  switch (noticed.type) {
    case 'key':
    case 'changed':
      return { ...attention, touchedAt: now }
    case 'chord':
      return attention.armedOnce ? attention : { ...attention, touchedAt: now }
    case 'armed':
      return attention.armedOnce ? attention : { ...attention, armedOnce: true }
    case 'shown_heard': {
      const isThis = noticed.ask_id === attention.askId && noticed.revision === attention.revision
      return isThis && attention.heardAt === null ? { ...attention, heardAt: now } : attention
    }

    case 'page':
      return noticed.visible === attention.pageVisible
        ? attention
        : { ...attention, pageVisible: noticed.visible, touchedAt: now }

    case 'viewed': {
      if (!attention.pageVisible) return attention
      const { height } = noticed
      // Another height is another layout: what was seen at the old places says nothing about the new ones.
      const before = attention.height === null || Math.abs(attention.height - height) <= SLACK ? attention.seen : []
      const seen = joined([...before, { from: noticed.from, to: noticed.to }])
      const whole = seen.some(({ from, to }) => from <= SLACK && to >= height - SLACK)
      const seenAt = attention.seenAt ?? (whole ? now : null)
      return { ...attention, seen, height, seenAt }
    }
  }
}

function joined(stretches: readonly ReadStretch[]): ReadStretch[] {
  const whole: { from: number; to: number }[] = []
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last && from <= last.to + SLACK) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}

/** What still keeps an approval from counting. */
export type Readiness = 'hidden' | 'unseen' | 'arming' | 'armed'

export function readiness(attention: Attention, now: number, armingMs: number): Readiness {
  if (!attention.pageVisible) return 'hidden'
  if (attention.seenAt === null) return 'unseen'
  const { heardAt } = attention
  const heard = heardAt !== null && isArmedSince(heardAt, now, armingMs)
  return heard && isSettled(attention, now, armingMs) ? 'armed' : 'arming'
}

/** What was true when a key or a button went down: a click counts as it was meant then, not as it lands. */
export interface Press {
  readonly askId: string
  readonly ready: Readiness
  readonly settled: boolean
  /** It came in the middle of words that were typed for something else. */
  readonly amidWords: boolean
}

/** Long enough since the last touch for an approval, or for a letter that opens something. Declining needs no such wait. */
export const isSettled = ({ touchedAt, seenAt }: Attention, now: number, armingMs: number): boolean =>
  isArmedSince(Math.max(touchedAt, seenAt ?? touchedAt), now, armingMs)

/** The first place that was not in view yet; null when all of it was. */
export function firstUnseen({ seen, height }: Attention): number | null {
  const [first] = seen
  if (height === null || !first || first.from > SLACK) return 0
  return first.to >= height - SLACK ? null : first.to
}
