import { commandLine } from '../../approving/question.ts'
import type { Clock } from '../../base/clock.ts'
import type { RunOutcome } from '../../contract/disk/run-record.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { HistoryItem } from '../../contract/window/history-frames.ts'
import type { WindowFrame } from '../../contract/window/window-frames.ts'
import { historyItem } from '../../runs/history/history-item.ts'
import { type FoundRun, historyPage as nextRuns } from '../../runs/history/history-page.ts'
import { RunWalk } from '../../runs/history/run-walk.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { outcomeOf, statusIn } from '../../runs/run/ended-line.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import { type HostPage, type OpenPage, type PageWindow, replied } from './page.ts'

export interface HistoryDeps {
  readonly clock: Clock
  readonly runs: Pick<RequesterRuns, 'of' | 'everybody'>
  readonly journal: Pick<Journal, 'rowsOf'>
}

/** As many as a list needs at once. */
const MOST_AT_ONCE = 200
/** Then what was found so far is the answer, and the page asks again. */
const LONGEST_LOOK_MS = 250

type Show = Extract<WindowFrame, { type: 'history_show' }>

/** Every run of both lanes and of everybody: the person sees all. */
export const historyPage = (deps: HistoryDeps): HostPage => ({ open: window => new OpenHistory(deps, window) })

class OpenHistory implements OpenPage {
  readonly #deps: HistoryDeps
  readonly #window: PageWindow
  /** Where the last answer ended. One list at a time: whoever begins another has left it. */
  #last: { readonly next: string; readonly walk: RunWalk } | null = null
  #answers = 0

  constructor(deps: HistoryDeps, window: PageWindow) {
    this.#deps = deps
    this.#window = window
  }

  dispose(): void {
    this.#last = null
  }

  receive(frame: WindowFrame): boolean {
    if (frame.type !== 'history_show') return false
    void this.#show(frame)
    return true
  }

  async #show(frame: Show): Promise<void> {
    const { request_id, filter } = frame
    await replied(this.#window, request_id, {
      what: 'The history cannot be read',
      reply: async () => {
        const walk = this.#walk(frame)
        const { clock } = this.#deps
        const limits = { most: MOST_AT_ONCE, withinMs: LONGEST_LOOK_MS, clock }
        const { found, looked, isEnd } = await nextRuns(walk, filter, {
          ...limits,
          outcomeOf: run => this.#outcome(run),
        })

        this.#answers += 1
        const next = isEnd ? null : `h${this.#answers}`
        this.#last = next === null ? null : { next, walk }
        const items = found.map(each => this.#item(each))
        return { type: 'history_shown', request_id, items, next, looked } as const
      },
    })
  }

  #walk({ after }: Show): RunWalk {
    const last = this.#last
    this.#last = null
    if (after === null) return new RunWalk(this.#deps.runs.everybody().map(({ store }) => store))
    if (last?.next !== after) throw new TermError('PM_TERM_NOT_FOUND', 'That list is over. Show it again.')
    return last.walk
  }

  /** One that is not over is as whoever sees it through says; null: it is gone meanwhile. */
  #outcome({ opened, ended }: StoredRun): RunOutcome | null {
    const { requester, id } = opened
    const status = ended ? statusIn(ended) : this.#deps.runs.of(requester).registry.find(id)?.status()
    return status ? outcomeOf(status) : null
  }

  #item({ run, outcome }: FoundRun): HistoryItem {
    const { opened } = run
    const rows = opened.lane === 'headless' ? [] : this.#deps.journal.rowsOf(opened.id)
    const own = rows.filter(({ requester }) => requester === opened.requester)
    return historyItem(run, { line: commandLine(opened), outcome, rows: own })
  }
}
