export interface Disposable {
  dispose(): void
}

/** Owns what was started, ends it in reverse order. A second `dispose` does nothing; late arrivals end at once. */
export class Disposables implements Disposable {
  #owned: Disposable[] = []
  #over = false

  add<T extends Disposable>(thing: T): T {
    if (this.#over) thing.dispose()
    else this.#owned.push(thing)
    return thing
  }

  defer(end: () => void): void {
    this.add({ dispose: end })
  }

  dispose(): void {
    if (this.#over) return
    this.#over = true
    for (const thing of this.#owned.reverse()) thing.dispose()
    this.#owned = []
  }
}

/** Calls `then` once, also when the signal has already aborted. Disposing stops listening. */
export function onAbort(signal: AbortSignal, then: () => void): Disposable {
  if (signal.aborted) {
    then()
    return { dispose() {} }
  }
  signal.addEventListener('abort', then, { once: true })
  return { dispose: () => signal.removeEventListener('abort', then) }
}
