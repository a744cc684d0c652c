import type { Clock } from '../../base/clock.ts'
import type { RuleReplay } from '../../contract/window/rules-frames.ts'
import type { RuleLayer } from '../../policy/files/workspace-files.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { pastQuestions } from '../../runs/journal/past-questions.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import { type JudgingDeps, rulesAt } from './explain-line.ts'
import { replayRule } from './replay-rule.ts'

interface PastDeps extends JudgingDeps {
  readonly clock: Pick<Clock, 'elapsed'>
  readonly journal: Pick<Journal, 'since' | 'newest'>
  readonly runs: Pick<RequesterRuns, 'of'>
}

/** More is not looked through: a person waits for it, and so does every run meanwhile. */
const MOST_ROWS = 20_000
const MOST_QUESTIONS = 1000

/** What the person was asked about and said, as journal and runs know it; read again when there is more of it. */
export class PastAnswers {
  readonly #deps: PastDeps
  #known: { readonly newest: string; readonly past: ReturnType<typeof pastQuestions> } | null = null

  constructor(deps: PastDeps) {
    this.#deps = deps
  }

  /** What a rule of this project would have let run. `longestMs`: then it stops, and says that it was a part. */
  replay(
    { workspaceId, layer, pattern }: { workspaceId: string; layer: RuleLayer; pattern: string },
    longestMs: number,
  ): RuleReplay | null {
    const directory = this.#deps.ruleFiles.directoryOf(workspaceId)
    if (directory === null) return null
    const { clock } = this.#deps
    const lane = layer === 'headless' ? 'headless' : 'interactive'
    const { questions, isAll, gone } = this.#past()
    const known = new Map<string, ReturnType<typeof rulesAt>>()
    const rules = (cwd: string) => {
      const there = known.get(cwd) ?? rulesAt(this.#deps, cwd, lane)
      known.set(cwd, there)
      return there
    }
    const ground = { questions, isAll: isAll && gone === 0, rulesAt: rules, clock, longestMs }
    return replayRule(pattern, { directory, lane }, ground)
  }

  #past(): ReturnType<typeof pastQuestions> {
    const { journal, runs } = this.#deps
    const newest = (['asked', 'answered'] as const).map(kind => journal.newest(kind, 1)[0]?.seq ?? 0).join()
    if (this.#known?.newest === newest) return this.#known.past
    const { rows, isAll } = journal.since(0, ['asked', 'answered'], MOST_ROWS)
    const openedOf = (requester: string, id: string) => runs.of(requester).registry.find(id)?.opened ?? null
    const found = pastQuestions(rows, openedOf, MOST_QUESTIONS)
    const past = { ...found, isAll: found.isAll && isAll }
    this.#known = { newest, past }
    return past
  }
}
