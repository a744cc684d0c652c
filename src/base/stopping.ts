/**
 * An AbortController that costs next to nothing: every call has two of them, and hardly one is ever used. Its signal is what this program
 * needs of one; what Node itself is to be given a signal for (`AbortSignal.any`, timers) takes a real one.
 */
export class Stopping {
  readonly signal: AbortSignal = new LightSignal()

  abort(reason?: unknown): void {
    ;(this.signal as LightSignal).stop(reason)
  }
}

type AbortListener = EventListenerOrEventListenerObject

class LightSignal implements AbortSignal {
  aborted = false
  reason: unknown = undefined
  onabort: AbortSignal['onabort'] = null
  readonly #listeners: AbortListener[] = []

  addEventListener(type: string, listener: AbortListener | null): void {
    if (type === 'abort' && listener !== null && !this.#listeners.includes(listener)) this.#listeners.push(listener)
  }

  removeEventListener(_type: string, listener: AbortListener | null): void {
    const at = listener === null ? -1 : this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  dispatchEvent(event: Event): boolean {
    this.onabort?.(event)
    for (const listener of this.#listeners.splice(0))
      if (typeof listener === 'function') listener.call(this, event)
      else listener.handleEvent(event)
    return true
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  /** Once, whatever comes later. */
  stop(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason ?? new DOMException('This operation was aborted', 'AbortError')
    this.dispatchEvent(new Event('abort'))
  }
}
