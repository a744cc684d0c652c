import type { Credential } from './prove.ts'

/**
 * Carries the secret of a window over a reload, in memory only. It gives it back once, to the tab that has just left, and
 * forgets it after a moment: a second tab of the same address gets nothing.
 */
export type ToKeeper =
  | { readonly type: 'keep'; readonly tab: string; readonly credential: Credential }
  | { readonly type: 'leave'; readonly tab: string }
  | { readonly type: 'give'; readonly tab: string }
export type FromKeeper = { readonly type: 'given'; readonly credential: Credential | null }

const AWAY_MS = 10_000
const kept = new Map<string, { credential: Credential; leftAt: number | null }>()

self.addEventListener('connect', event => {
  const [port] = (event as MessageEvent).ports
  if (!port) return
  port.onmessage = ({ data }: MessageEvent<ToKeeper>) => {
    switch (data.type) {
      case 'keep':
        kept.set(data.tab, { credential: data.credential, leftAt: null })
        return
      case 'leave': {
        const one = kept.get(data.tab)
        if (one) one.leftAt = performance.now()
        return
      }
      case 'give': {
        const one = kept.get(data.tab)
        const isBack = one?.leftAt != null && performance.now() - one.leftAt < AWAY_MS
        if (isBack) kept.delete(data.tab)
        const given: FromKeeper = { type: 'given', credential: isBack ? one.credential : null }
        port.postMessage(given)
      }
    }
  }
})
