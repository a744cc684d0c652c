import { Watchers } from '../../base/watchers.ts'
import type { HostToWindow } from '../../contract/window/window-frames.ts'

/** One window that was admitted. */
export interface OpenWindow {
  /** Whether a person could see it just now. */
  readonly visible: boolean
  send(frame: HostToWindow): void
  /** For good. */
  refuse(reason: string): void
  close(reason: string): void
}

/** The windows that are open now, by their session. */
export class Windows {
  readonly #open = new Map<string, OpenWindow>()
  readonly #watchers = new Watchers()
  readonly #arrivals = new Watchers()

  get count(): number {
    return this.#open.size
  }

  get someVisible(): boolean {
    return [...this.#open.values()].some(({ visible }) => visible)
  }

  /** A page that came back takes the place of its earlier self. */
  add(sessionId: string, window: OpenWindow): { dispose(): void } {
    this.#open.set(sessionId, window)
    this.#arrivals.notify()
    this.#watchers.notify()
    return {
      dispose: () => {
        if (this.#open.get(sessionId) !== window) return
        this.#open.delete(sessionId)
        this.#watchers.notify()
      },
    }
  }

  find(sessionId: string): OpenWindow | null {
    return this.#open.get(sessionId) ?? null
  }

  sendAll(frame: HostToWindow): void {
    for (const window of this.#open.values()) window.send(frame)
  }

  /** Called for each window that is admitted. */
  onArrival(listener: () => void): { dispose(): void } {
    return this.#arrivals.add(listener)
  }

  watch(watcher: () => void): { dispose(): void } {
    return this.#watchers.add(watcher)
  }
}
