import { Announcer } from '../../base/announcer.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { errorBody, TermError } from '../../contract/tool/errors.ts'
import type { TerminalCommand, TerminalState, ToPerson } from '../../contract/wire/terminal-frames.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import type { Terminal } from '../terminals/terminal.ts'
import { type OutputSink, OutputStream } from './output-stream.ts'
import type { RunScreens } from './screens.ts'
import type { TerminalActions } from './terminal-actions.ts'
import { closedOf, stateOf } from './terminal-state.ts'

export interface ViewerDeps {
  readonly clock: Clock
  readonly desk: TerminalActions
  readonly screens: RunScreens
  readonly queue: ApprovalQueue
  readonly runs: RequesterRuns
}

/** A terminal that is looked at, and the run in it whose output is sent. */
interface Watch {
  readonly requestId: string
  readonly everyByte: boolean
  /** That it is looked at; and whoever interrupts what runs there, a person anywhere or an agent. */
  readonly looking: Disposable
  runId: string | null
  number: number
  stream: OutputStream | null
}

/** Missing less than this, a page goes on from where it is; beyond it the screen as it is now comes sooner. */
const MOST_TO_CATCH_UP = 1024 * 1024
/** How much of what was printed before somebody came is sent to a screen that takes no snapshot. */
const SHOWN_AT_FIRST = 128 * 1024
/** Of the list of terminals: no person reads a hundred of them a second. */
const LIST_EVERY_MS = 50
const KEYBOARD_EVERY_MS = 1000
const MOST_CLOSED = 20

/** One person's view of the terminals, in a window or in a terminal: what they do there, and what they are sent. */
export class TerminalViewer implements Disposable {
  readonly #deps: ViewerDeps
  readonly #to: OutputSink
  readonly #by: string
  readonly #life = new Disposables()
  readonly #list: Announcer<'terminals'>
  readonly #watches = new Map<string, Watch>()
  /** The run each terminal shows in the list, and how it stood: that it has started or ended is news, too. */
  readonly #runs = new Map<string, { readonly view: RunView; state: string; readonly watching: Disposable }>()
  #made = 0
  #sentList = ''
  #keyboards: Disposable = { dispose() {} }

  constructor(deps: ViewerDeps, to: OutputSink, by: string) {
    this.#deps = deps
    this.#to = to
    this.#by = by
    this.#list = this.#life.add(new Announcer(deps.clock, LIST_EVERY_MS, () => this.#sendList()))
    const look = () => this.#look()
    this.#life.add(deps.desk.watch(look))
    this.#life.add(deps.queue.listen({ asked: look, answered: look, withdrawn: look, turnedAway() {} }))
    this.#life.defer(() => {
      for (const id of [...this.#watches.keys()]) this.#stop(id)
      for (const { watching } of this.#runs.values()) watching.dispose()
      this.#keyboards.dispose()
    })
    look()
  }

  dispose(): void {
    this.#life.dispose()
  }

  receive(frame: TerminalCommand): void {
    const complain = (cause: unknown) => {
      // Keys are not answered, but whoever types where nothing arrives hears why.
      const unheard = frame.type === 'terminal_input' && cause instanceof TermError ? 'terminal_input' : null
      const request_id = 'request_id' in frame ? frame.request_id : unheard
      if (request_id === null) return
      const { code, message } = errorBody(
        cause instanceof TermError ? cause : new TermError('PM_TERM_INTERNAL', String(cause)),
      )
      this.#to.send({ type: 'failed', request_id, error: { code, message } })
    }
    try {
      const later = this.#act(frame)
      if (!('request_id' in frame)) return
      const { request_id } = frame
      void Promise.resolve(later).then(reply => {
        if (typeof reply === 'object') this.#to.send(reply)
        else this.#to.send({ type: 'done', request_id, terminal_id: reply ?? null })
      }, complain)
    } catch (cause) {
      complain(cause)
    }
  }

  /** Gives the terminal it was about, or an answer of its own kind. */
  #act(frame: TerminalCommand): Promise<string> | string | ToPerson | undefined {
    const { desk } = this.#deps
    switch (frame.type) {
      case 'terminal_create': {
        const { profile, cwd, venv = null, workspace_id: workspaceId, cols, rows } = frame
        const { id } = desk.open({ profile, cwd, venv, workspaceId }, this.#by)
        desk.resize(id, cols, rows)
        return id
      }

      case 'terminal_rename':
        desk.rename(frame.terminal_id, frame.name, this.#by)
        return frame.terminal_id
      case 'terminal_close':
        return desk.close(frame.terminal_id, this.#by).then(() => frame.terminal_id)
      case 'terminal_reopen':
        desk.reopen(frame.terminal_id, this.#by)
        return frame.terminal_id
      case 'terminals_close_idle':
        desk.putAllAway(this.#by)
        return undefined
      case 'terminal_restart':
        return desk.restart(frame.terminal_id, this.#by, frame).then(() => frame.terminal_id)

      case 'terminal_runs': {
        const { request_id, terminal_id } = frame
        return { type: 'terminal_runs_shown', request_id, terminal_id, ...desk.runBlocks(desk.find(terminal_id)) }
      }
      case 'run_stop':
        return desk.stopRun(frame.terminal_id, frame.run_id, this.#by).then(() => frame.terminal_id)

      case 'terminal_watch':
        return this.#watch(frame)
      case 'terminal_unwatch':
        this.#stop(frame.terminal_id)
        return frame.terminal_id

      case 'terminal_input':
        desk.write(frame.terminal_id, Buffer.from(frame.data, 'base64'), this.#by)
        return undefined
      case 'terminal_resize':
        desk.resize(frame.terminal_id, frame.cols, frame.rows)
        return undefined
      case 'output_ack':
        for (const { number, stream } of this.#watches.values()) if (number === frame.stream) stream?.ack(frame.offset)
        return undefined
    }
  }

  async #watch(frame: Extract<TerminalCommand, { type: 'terminal_watch' }>): Promise<string> {
    const { desk, runs } = this.#deps
    const { terminal_id, request_id: requestId, run_id, have, every_byte: everyByte = false } = frame
    const terminal = desk.find(terminal_id)
    desk.resize(terminal_id, frame.cols, frame.rows)
    const view = run_id === null ? desk.runIn(terminal) : runs.of(terminal.requester).registry.find(run_id)
    if (!view && !everyByte) throw new TermError('PM_TERM_NOT_FOUND', 'Nothing has run in this terminal yet.')

    this.#stop(terminal_id)
    const looking = new Disposables()
    looking.add(terminal.keyboard.onInterrupt(() => watch.stream?.interrupted()))
    looking.add(desk.lookAt(terminal_id))
    const watch: Watch = { requestId, everyByte, looking, runId: null, number: 0, stream: null }
    this.#watches.set(terminal_id, watch)
    if (!view) return terminal_id
    const { size } = view.source()
    if (everyByte) this.#sendEveryByte(terminal_id, watch, view, have ?? size - SHOWN_AT_FIRST)
    else await this.#sendScreen(terminal_id, watch, view, have)
    return terminal_id
  }

  #sendEveryByte(terminalId: string, watch: Watch, view: RunView, wanted: number): void {
    const from = Math.max(0, Math.min(wanted, view.source().size))
    watch.stream?.dispose()
    watch.stream = OutputStream.resume({ ...this.#begin(terminalId, watch, view, from), screen: null }, from)
  }

  async #sendScreen(terminalId: string, watch: Watch, view: RunView, have: number | null): Promise<void> {
    const { size } = view.source()
    const goesOn = have !== null && have <= size && size - have <= MOST_TO_CATCH_UP
    const screen = this.#deps.screens.of(view)
    const deps = { ...this.#begin(terminalId, watch, view, goesOn ? have : 0), screen }
    const stream = goesOn ? OutputStream.resume(deps, have) : await OutputStream.open(deps)
    // Meanwhile it may have been left, or looked at another way.
    if (this.#watches.get(terminalId) === watch && this.#to.open) watch.stream = stream
    else stream.dispose()
  }

  /** From now on this number stands for that run. */
  #begin(terminal_id: string, watch: Watch, view: RunView, offset: number) {
    const { id: run_id, command } = view.opened
    this.#made += 1
    const stream = this.#made
    watch.number = stream
    watch.runId = run_id
    const about = { request_id: watch.requestId, terminal_id, stream, run_id, command }
    this.#to.send({ type: 'watching', ...about, offset, end: view.source().size, running: !view.over() })
    return { clock: this.#deps.clock, view, stream, to: this.#to }
  }

  #stop(terminalId: string): void {
    const watch = this.#watches.get(terminalId)
    watch?.looking.dispose()
    watch?.stream?.dispose()
    this.#watches.delete(terminalId)
  }

  #look(): void {
    if (!this.#to.open) return
    this.#goOn()
    this.#list.changed('terminals')
  }

  /** Never later than it happens: the next run in a terminal may be over soon, and what it printed is shown all the same. */
  #goOn(): void {
    const { desk } = this.#deps
    for (const [id, watch] of this.#watches) {
      const terminal = desk.all.find(each => each.id === id)
      const view = terminal && watch.everyByte ? desk.runIn(terminal) : null
      if (!terminal) this.#stop(id)
      else if (view && view.opened.id !== watch.runId) this.#sendEveryByte(id, watch, view, 0)
    }
  }

  #sendList(): void {
    if (!this.#to.open) return
    const { clock, desk, queue } = this.#deps
    const asked = queue.pending.flatMap(question =>
      question.kind === 'command' || question.kind === 'input' ? [question.terminal_id] : [],
    )
    this.#watchRuns(desk.all)
    const now = clock.elapsed()
    const items = desk.all.map(terminal => stateOf(terminal, desk.runIn(terminal), asked, now))
    this.#lookAtKeyboards(items)
    const closed = desk.away.slice(0, MOST_CLOSED).map(closedOf)
    const list = JSON.stringify([items, closed])
    if (list !== this.#sentList) this.#to.send({ type: 'terminals', items, ...(closed.length > 0 && { closed }) })
    this.#sentList = list
  }

  /** That somebody has stopped typing is no event: it is looked for. */
  #lookAtKeyboards(items: readonly TerminalState[]): void {
    this.#keyboards.dispose()
    if (items.some(({ keyboard }) => keyboard !== undefined))
      this.#keyboards = this.#deps.clock.after(KEYBOARD_EVERY_MS, () => this.#look())
  }

  /** Output comes all the time; only a change of state makes another list. */
  #watchRuns(terminals: readonly Terminal[]): void {
    const { desk } = this.#deps
    for (const [id, { watching }] of this.#runs)
      if (!terminals.some(terminal => terminal.id === id)) {
        watching.dispose()
        this.#runs.delete(id)
      }

    for (const terminal of terminals) {
      const known = this.#runs.get(terminal.id)
      const view = desk.runIn(terminal)
      if (!view || known?.view.opened.id === view.opened.id) continue
      known?.watching.dispose()
      const watching = view.watch(() => {
        const entry = this.#runs.get(terminal.id)
        const state = newsOf(view)
        if (!entry || entry.view !== view || entry.state === state) return
        entry.state = state
        this.#look()
      })
      this.#runs.set(terminal.id, { view, state: newsOf(view), watching })
    }
  }
}

/** What makes another list: that it has started or ended, and that it waits for input. */
const newsOf = (view: RunView): string => `${view.status().state.at} ${view.lastWait()}`
