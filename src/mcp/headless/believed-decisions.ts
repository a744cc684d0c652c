import type { Log } from '../../base/log.ts'
import type { Decided, DecisionsFile } from '../../contract/disk/files.ts'
import { Decisions, digestOf, NOTHING_DECIDED } from '../../policy/files/decisions.ts'
import type { DecisionsCopy } from '../../runs/journal/decisions-copy.ts'

/** What the host that runs says its decisions are. `unheard`: one runs, and this process cannot be sure what it says. */
export type HostWord = { readonly at: 'says'; readonly digest: string } | { readonly at: 'none' | 'unheard' }

export interface BelievedDeps {
  readonly copy: Pick<DecisionsCopy, 'stamp' | 'read'>
  readonly log: Log
  readonly hostWord: () => Promise<HostWord>
  /** What of the copy the journal vouches for while no host runs. */
  readonly atEnd: (copy: DecisionsFile) => Promise<Decided | null>
}

const TRIES = 2

/**
 * What a person has decided, as a server may believe it: the copy on disk, once whoever knows has vouched for it (ADR 44). A call
 * costs one look at the file's time; only when it changed is somebody asked. What is not vouched for changes nothing.
 */
export class BelievedDecisions {
  readonly decisions = new Decisions()
  readonly #deps: BelievedDeps
  #settled: string | null = null
  #looking: Promise<void> | null = null

  constructor(deps: BelievedDeps) {
    this.#deps = deps
  }

  /** null: nothing has changed since the last time. */
  fresh(): Promise<void> | null {
    if (this.#looking === null && this.#deps.copy.stamp() === this.#settled) return null
    this.#looking ??= this.#look()
      .catch(cause => this.#deps.log.warn('nothing new that a person decided counts', { cause }))
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { copy, hostWord, atEnd, log } = this.#deps
    for (let tries = 0; tries < TRIES; tries++) {
      const stamp = copy.stamp()
      const found = copy.read()
      if (found === null) {
        this.decisions.believe(NOTHING_DECIDED)
        this.#settled = stamp
        return
      }
      const word = await hostWord()
      const vouched = word.at === 'says' && word.digest === digestOf(found.now) ? found.now : null
      const believed = word.at === 'none' ? await atEnd(found) : vouched
      if (believed) this.decisions.believe(believed)
      // The host may have written it a moment ago, or has just put it back: once more. Without an answer: with the next call.
      if (believed || word.at === 'none') this.#settled = stamp
      if (this.#settled === stamp) {
        if (!believed) log.warn('what a person decided is not vouched for by the journal, so nothing new of it counts')
        return
      }
    }
    log.warn('the host does not vouch for what a person decided, so nothing new of it counts')
  }
}
