import { TermError } from '../../contract/tool/errors.ts'
import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import { exportName, exportRun } from '../../runs/history/export-run.ts'
import { findRun, type HistoryRunDeps, statementsOf } from './history-run.ts'

export type ExportFrame = Extract<WindowFrame, { type: 'history_export' }>

/** So many characters are one answer. */
const PART = 256 * 1024

/** The file that a window takes, part by part. One at a time: whoever begins another has given up the one before. */
export class RunExport {
  readonly #deps: HistoryRunDeps
  #open: { readonly next: string; readonly name: string; readonly pieces: AsyncGenerator<string> } | null = null
  #answers = 0

  constructor(deps: HistoryRunDeps) {
    this.#deps = deps
  }

  async part(frame: ExportFrame): Promise<HostToWindow> {
    const { name, pieces } = await this.#pieces(frame)
    let text = ''
    let isEnd = false
    while (text.length < PART && !isEnd) {
      const { value, done } = await pieces.next()
      text += value ?? ''
      isEnd = done === true
    }

    this.#answers += 1
    const next = isEnd ? null : `e${this.#answers}`
    this.#open = next === null ? null : { next, name, pieces }
    return { type: 'history_exported', request_id: frame.request_id, name, text, next }
  }

  async #pieces(frame: ExportFrame): Promise<{ readonly name: string; readonly pieces: AsyncGenerator<string> }> {
    const open = this.#open
    this.#open = null
    if (frame.after !== null) {
      if (open?.next === frame.after) return open
      throw new TermError('PM_TERM_NOT_FOUND', 'That file is not open any more. Export it again.')
    }
    const { format, cast_version, session_id } = frame
    const { clock, version } = this.#deps
    const found = await findRun(this.#deps, frame)
    const { run, rows, view } = found
    const size = run.started?.size ?? null
    const what = { said: statementsOf(found), rows, size, source: view.source(), now: clock.now(), version }
    return { name: exportName(session_id, format), pieces: exportRun(what, format, cast_version) }
  }
}
