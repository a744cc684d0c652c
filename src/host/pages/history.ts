import { commandLine } from '../../approving/question.ts'
import type { RunOutcome } from '../../contract/disk/run-record.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { HistoryItem } from '../../contract/window/history-frames.ts'
import type { WindowFrame } from '../../contract/window/window-frames.ts'
import { historyItem } from '../../runs/history/history-item.ts'
import { type FoundRun, historyPage as nextRuns } from '../../runs/history/history-page.ts'
import { RunWalk } from '../../runs/history/run-walk.ts'
import { outcomeOf, statusIn } from '../../runs/run/ended-line.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import { type ExportFrame, RunExport } from './history-export.ts'
import { answerOfRun, type HistoryRunDeps, isOfRun, type OfRun } from './history-run.ts'
import { type HostPage, type OpenPage, type PageWindow, replied } from './page.ts'

export interface HistoryDeps extends HistoryRunDeps {
  readonly runs: Pick<RequesterRuns, 'of' | 'everybody'>
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
  readonly #exports: RunExport

  constructor(deps: HistoryDeps, window: PageWindow) {
    this.#deps = deps
    this.#exports = new RunExport(deps)
    this.#window = window
  }

  dispose(): void {
    this.#last = null
  }

  receive(frame: WindowFrame): boolean {
    if (frame.type === 'history_show') void this.#show(frame)
    else if (isOfRun(frame)) void this.#ofRun(frame)
    else if (frame.type === 'history_export') void this.#export(frame)
    else return false
    return true
  }

  #ofRun(frame: OfRun): Promise<void> {
    const reply = () => answerOfRun(this.#deps, frame)
    return replied(this.#window, frame.request_id, { reply, what: 'The run cannot be read' })
  }

  #export(frame: ExportFrame): Promise<void> {
    const reply = () => this.#exports.part(frame)
    return replied(this.#window, frame.request_id, { reply, what: 'The run cannot be exported' })
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
