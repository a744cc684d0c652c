import type { Disposable } from '../../base/disposable.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import type { ResourceFront } from './resource-front.ts'

/** How a client hears of changes. */
export interface ResourceNews {
  updated(uri: string): void
  listChanged(): void
}

/** What one client may watch at the same time. */
export const MOST_WATCHED = 64

/**
 * What the clients of one connection want to hear of. One that wants the same twice, in two of the later generation's requests, is
 * watched once. That the list has changed is said once: whoever has not looked since knows it.
 */
export class ResourceWatches {
  readonly #resources: ResourceFront
  readonly #news: ResourceNews
  readonly #watched = new Map<string, { readonly wanted: Set<unknown>; readonly watching: Promise<Disposable> }>()
  readonly #listeners = new Set<unknown>()
  #appeared: Promise<Disposable> | null = null
  #looked = false
  #over = false

  constructor(resources: ResourceFront, news: ResourceNews) {
    this.#resources = resources
    this.#news = news
  }

  /** Rejects when there is no such resource for this client. `who`: what it is given up with. */
  async add(who: unknown, uri: string, asker: Asker): Promise<void> {
    if (this.#over) return
    const before = this.#watched.get(uri)
    if (!before && this.#watched.size >= MOST_WATCHED) throw new TooManyWatched()
    const entry = before ?? {
      wanted: new Set(),
      watching: this.#resources.watch(uri, asker, () => this.#news.updated(uri)),
    }
    entry.wanted.add(who)
    this.#watched.set(uri, entry)
    await entry.watching.catch(cause => {
      if (this.#watched.get(uri) === entry) this.#watched.delete(uri)
      throw cause
    })
  }

  remove(who: unknown, uri: string): void {
    const entry = this.#watched.get(uri)
    if (!entry?.wanted.delete(who) || entry.wanted.size > 0) return
    this.#watched.delete(uri)
    release(entry.watching)
  }

  /** A request of the later generation: all that it wants to hear of, for as long as it is open. */
  listen(who: unknown, params: unknown, asker: Asker): void {
    const { notifications } = (params ?? {}) as { notifications?: Record<string, unknown> }
    const { resourceSubscriptions: uris, resourcesListChanged } = notifications ?? {}
    // What it names and may not read is never told of; the protocol has no answer for that.
    for (const uri of Array.isArray(uris) ? uris.slice(0, MOST_WATCHED) : [])
      this.add(who, String(uri), asker).catch(() => {})
    if (resourcesListChanged !== true) return
    this.#listeners.add(who)
    this.#watchList()
  }

  /** That request is over. */
  unlisten(who: unknown): void {
    this.#listeners.delete(who)
    for (const uri of [...this.#watched.keys()]) this.remove(who, uri)
  }

  /** The list was read: the next change of it is news. */
  looked(): void {
    this.#looked = true
    this.#watchList()
  }

  dispose(): void {
    this.#over = true
    for (const { watching } of this.#watched.values()) release(watching)
    this.#watched.clear()
    if (this.#appeared) release(this.#appeared)
  }

  #watchList(): void {
    if (this.#over) return
    this.#appeared ??= this.#resources.onAppeared(() => {
      if (!this.#looked && this.#listeners.size === 0) return
      this.#looked = false
      this.#news.listChanged()
    })
    this.#appeared.catch(() => {
      this.#appeared = null
    })
  }
}

export class TooManyWatched extends Error {
  readonly code = 'PM_TERM_INVALID_PAYLOAD'
  constructor() {
    super(`${MOST_WATCHED} resources are subscribed to already. Unsubscribe from one first.`)
  }
}

/** One that never began has nothing to end. */
const release = (watching: Promise<Disposable>): void =>
  void watching.then(
    each => each.dispose(),
    () => {},
  )
