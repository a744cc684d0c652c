import type { Presence } from '../questions/presence.ts'
import type { FileAdditions } from '../questions/rule-file-additions.ts'
import { askFound, FILES, type FoundDeps, type FoundRow } from './ask-found.ts'
import { type FoundPlaces, foundPairings, foundPrograms, foundWorkspaces } from './found-rows.ts'

interface OutsideDeps extends FoundDeps, FoundPlaces {
  readonly presence: Presence
  readonly additions: FileAdditions
}

/**
 * What files of ours say and no person is known to have decided. At the start that is one card with everything that differs from
 * the last orderly end, or is older than all this; while the host runs each key file and program that turns up is one. Until a
 * person agrees nothing of it counts (docs/spec.md D26).
 */
export class OutsideChanges {
  readonly #deps: OutsideDeps
  readonly #asked = new Set<string>()
  /** What was there at the start waits for its answer. */
  #atStart: boolean
  #asking = false

  constructor(deps: OutsideDeps) {
    this.#deps = deps
    this.#atStart = this.#all().length > 0
    // Not one by one as well.
    if (this.#atStart) deps.additions.leaveToOthers()
    const { presence, queue } = deps
    presence.watch(() => this.look())
    queue.listen({ asked: ({ kind }) => kind === 'command' && this.look(), answered() {}, withdrawn() {} })
  }

  /** Whoever can answer is asked about what is new. */
  look(): void {
    const { presence, queue } = this.#deps
    if (this.#asking || presence.count === 0 || !queue.hasRoom(FILES)) return
    if (this.#atStart) {
      this.#ask(this.#all(), 'start')
      return
    }
    const rows = [...foundPairings(this.#deps), ...foundPrograms(this.#deps)].filter(
      row => !this.#asked.has(keyOf(row)),
    )
    this.#ask(rows, 'now')
  }

  #ask(rows: readonly FoundRow[], when: 'start' | 'now'): void {
    if (rows.length === 0) {
      if (when === 'start') this.#atStart = false
      return
    }
    this.#asking = true
    for (const row of rows) this.#asked.add(keyOf(row))
    askFound(this.#deps, rows, when)
      .then(outcome => {
        // Silence is no answer, and no reason to go on asking: whoever comes next is asked again.
        if (outcome.kind === 'answered') this.#atStart = false
        else for (const row of rows) this.#asked.delete(keyOf(row))
      })
      .catch(cause => this.#deps.log.warn('what files say is not put to a person', { cause }))
      .finally(() => {
        this.#asking = false
      })
  }

  #all(): FoundRow[] {
    return [...foundWorkspaces(this.#deps), ...foundPairings(this.#deps), ...foundPrograms(this.#deps)]
  }
}

const keyOf = ({ entry }: FoundRow): string => JSON.stringify(entry)
