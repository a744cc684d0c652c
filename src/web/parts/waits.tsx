import { type ReadonlySignal, signal } from '@preact/signals'
import { clock, inWords } from '../../approving/durations.ts'
import type { Card } from '../state/card.ts'

const beat = signal(0)

/** The page's clock, for what counts down on the screen. Nothing is ever decided by it. */
export const seconds: ReadonlySignal<number> = beat
export const startClock = (now: () => number): void => {
  beat.value = now()
  setInterval(() => {
    beat.value = now()
  }, 1000)
}

/** How long it has waited, and a ring that empties until it expires. */
export function Waits({ card, size = 16 }: { card: Card; size?: number }) {
  const left = Math.max(0, card.expiresAt - seconds.value)
  const share = left / Math.max(1, card.expiresAt - card.askedAt)
  const round = 2 * Math.PI * 7
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 18 18" class="shrink-0 -rotate-90" fill="none">
      <circle cx="9" cy="9" r="7" stroke="var(--line)" stroke-width="2.5" />
      <circle
        cx="9"
        cy="9"
        r="7"
        stroke={left < 30_000 ? 'var(--grave)' : 'var(--open)'}
        stroke-width="2.5"
        stroke-dasharray={round}
        stroke-dashoffset={round * (1 - share)}
      />
    </svg>
  )
}

export const WaitsInWords = ({ card }: { card: Card }) => (
  <span class="tabular-nums">
    waiting {inWords(seconds.value - card.askedAt)} · expires in {clock(card.expiresAt - seconds.value)}
  </span>
)
