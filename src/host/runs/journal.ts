import type { Log } from '../../base/log.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { JournalKind } from '../../runs/journal/journal-row.ts'

export interface RunOf {
  readonly requester: string
  readonly runId: string
}

/** What the journal holds about runs: before they begin, and after. */
export class RunJournal {
  readonly #deps: { readonly journal: Journal; readonly log: Log }

  constructor(deps: { readonly journal: Journal; readonly log: Log }) {
    this.#deps = deps
  }

  /** Has no effect of its own, so it is written in the same transaction as the next row. */
  appendSoon(kind: 'received' | 'judged', about: RunOf, body: Record<string, unknown>): void {
    this.#orThrow(() => this.#deps.journal.appendSoon({ kind, ...about, body }))
  }

  /** What the gate says; before it what the sandbox did not give, where it was tried there. */
  appendJudged(about: RunOf, { verdict, why }: Pick<Verdict, 'verdict' | 'why'>, wanted: object | undefined): void {
    const { journal } = this.#deps
    if (wanted) this.#orThrow(() => journal.appendSoon({ kind: 'sandbox_refused', ...about, body: { ...wanted } }))
    this.appendSoon('judged', about, { verdict, why })
  }

  /** What was written about it, with all that was to be written soon. */
  lookUp<T>(read: () => T): T {
    return this.#orThrow(read)
  }

  /** Written before the effect: what cannot be written down does not happen. */
  appendOrThrow(kind: JournalKind, about: RunOf, body: Record<string, unknown>): void {
    this.#orThrow(() => this.#deps.journal.append({ kind, ...about, body }))
  }

  #orThrow<T>(act: () => T): T {
    try {
      return act()
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause)
      throw new TermError('PM_TERM_INTERNAL', `The journal cannot be written, so nothing was started: ${problem}`)
    }
  }

  /** It has happened already: a journal that cannot be written is no reason to lose the run. */
  appendBestEffort(kind: JournalKind, about: RunOf, body: Record<string, unknown>): void {
    try {
      this.#deps.journal.appendLater({ kind, ...about, body })
    } catch (cause) {
      this.#deps.log.error('the journal cannot be written', { run: about.runId, kind, cause })
    }
  }
}
