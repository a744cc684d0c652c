import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Watchers } from '../../base/watchers.ts'
import type { BlockedCommand } from '../../contract/wire/blocked-frames.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Run } from '../../runs/run/run.ts'

const MOST_KEPT = 20
const LONGEST_COMMAND = 500

/** What an agent tried and no person was asked about, because it may never run: they hear of it all the same. */
export class BlockedCommandList {
  readonly #clock: Clock
  readonly #watchers = new Watchers()
  #items: readonly BlockedCommand[] = []
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#count
  }

  /** The newest, oldest first. */
  get items(): readonly BlockedCommand[] {
    return this.#items
  }

  watch(watcher: () => void): Disposable {
    return this.#watchers.add(watcher)
  }

  /** Nothing when the verdict lets it run, or asks. */
  note({ request }: Pick<Run, 'request'>, { verdict, why }: Pick<Verdict, 'verdict' | 'why'>, client: string): void {
    if (verdict !== 'blocked' && verdict !== 'destructive') return
    const command = cut([request.command, ...(request.args ?? [])].join(' '))
    const at = new Date(this.#clock.now()).toISOString()
    const item = { request_id: request.id, requester: request.requester, client, command, why: cut(why), at }
    this.#items = [...this.#items, item].slice(-MOST_KEPT)
    this.#count += 1
    this.#watchers.notify()
  }
}

/** By characters: half of one is no text. */
function cut(text: string): string {
  const chars = [...text.slice(0, 2 * LONGEST_COMMAND + 1)]
  return chars.length > LONGEST_COMMAND ? `${chars.slice(0, LONGEST_COMMAND).join('')}…` : text
}
