import { statSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import type { Journal } from '../runs/journal/journal.ts'
import { lastMark } from '../runs/store/ledger-chain.ts'
import { ledgersIn } from '../runs/store/verify-ledgers.ts'

const EVERY_MS = 10 * 60_000
const SOON_MS = 1000

export interface AnchorDeps {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Journal
  readonly stateDir: string
  readonly sessions: { watch(watcher: () => void): Disposable }
}

/**
 * Writes the newest line of every ledger that has grown into the journal, so that `verify` can tell when one was shortened or
 * removed afterwards. Servers write their ledgers without the host; it looks when one of them comes, now and then, and at its end.
 */
export class LedgerAnchors implements Disposable {
  readonly #deps: AnchorDeps
  /** By ledger: its size when it was anchored, or minus the line an earlier host has anchored. */
  readonly #known = new Map<string, number>()
  readonly #watching: Disposable
  #timer: Disposable
  #isSoon = false

  constructor(deps: AnchorDeps) {
    this.#deps = deps
    for (const { ledger, seq } of deps.journal.anchors()) this.#known.set(ledger, -seq)
    this.anchor()
    this.#timer = this.#after(EVERY_MS)
    this.#watching = deps.sessions.watch(() => this.#soon())
  }

  anchor(): void {
    const { journal, stateDir, log } = this.#deps
    try {
      for (const { ledger, file } of ledgersIn(stateDir)) {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
        const before = this.#known.get(ledger)
        if (before === size) continue
        const { seq, hash } = lastMark(file)
        this.#known.set(ledger, size)
        // Known from an earlier host, up to this very line; or without a line that could be anchored.
        if (seq === 0 || before === -seq) continue
        journal.appendSoon({ kind: 'ledger_anchored', requester: null, runId: null, body: { ledger, seq, hash } })
      }
    } catch (cause) {
      log.warn('the ledgers of servers could not be anchored', { cause })
    }
  }

  dispose(): void {
    this.#watching.dispose()
    this.#timer.dispose()
  }

  /** A server came or went: its ledger has grown, or will not grow any more. */
  #soon(): void {
    if (this.#isSoon) return
    this.#isSoon = true
    this.#timer.dispose()
    this.#timer = this.#after(SOON_MS)
  }

  #after(ms: number): Disposable {
    return this.#deps.clock.after(ms, () => {
      this.#isSoon = false
      this.anchor()
      this.#timer = this.#after(EVERY_MS)
    })
  }
}
