import type { Clock } from '../../base/clock.ts'
import type { Waited } from '../../contract/tool/wait.ts'

/** What ended a wait, and what is to be said about it. */
export interface Woke {
  readonly by: Waited
  /** The line that matched, and where it is. */
  readonly line?: string
  readonly offset?: number
  readonly note?: string
}

/** What somebody who watches for the one thing reports. */
export interface Finder {
  readonly clock: Clock
  here(more?: Omit<Woke, 'by'>): void
  note(text: string | undefined): void
  failed(cause: unknown): void
}
