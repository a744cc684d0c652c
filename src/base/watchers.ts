import type { Disposable } from './disposable.ts'

/** Who wants to hear of something, each until it is disposed. Whoever comes or goes meanwhile counts the next time. */
export class Watchers<News extends readonly unknown[] = []> {
  readonly #all = new Set<(...news: News) => void>()

  add(watcher: (...news: News) => void): Disposable {
    this.#all.add(watcher)
    return { dispose: () => void this.#all.delete(watcher) }
  }

  notify(...news: News): void {
    for (const watcher of [...this.#all]) watcher(...news)
  }
}
