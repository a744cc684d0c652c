import { type ReadonlySignal, signal } from '@preact/signals'
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

export function inWords(ms: number): string {
  const whole = Math.max(0, Math.round(ms / 1000))
  if (whole < 60) return `${whole} s`
  return whole < 3600 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 3600)} h`
}

/** 4:05 */
export function clock(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
