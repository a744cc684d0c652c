/** How long something has waited or still has: 12 s, 1 min 30 s, 2 h 5 min. */
export function inWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How long something took: 40 ms, 1.2 s, then as above. */
export function tookInWords(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : inWords(ms)
}

/** A limit that a request sets, exactly: 0.5 s, 90 s, 1 h 30 min. */
export const limitInWords = (ms: number): string =>
  ms < 3_600_000 || ms % 60_000 !== 0 ? `${ms / 1000} s` : inWords(ms)

/** 4:05 */
export function clock(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** It may have waited before this approver came: its time counts from when it was asked. `wallNow`: the time of day. */
export function timesOf(
  asked: { readonly asked_at: string; readonly expires_in_ms: number },
  now: number,
  wallNow: number,
): { readonly askedAt: number; readonly expiresAt: number } {
  const waited = Math.min(Math.max(0, wallNow - Date.parse(asked.asked_at)), asked.expires_in_ms)
  return { askedAt: now - waited, expiresAt: now - waited + asked.expires_in_ms }
}
