import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { lastLine } from '../../base/output/last-line.ts'
import { outcomeOf } from '../../contract/disk/run-record.ts'
import { errorBody, TermError } from '../../contract/tool/errors.ts'
import type { HostToWindow, TerminalState, WindowFrame } from '../../contract/window/window-frames.ts'
import { textOf } from '../../runs/output/output-text.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { TerminalActions } from '../desk/terminal-actions.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import type { WebLink } from './link.ts'
import type { RunScreens } from './screens.ts'
import { OutputStream } from './stream.ts'

export interface WebTerminalsDeps {
  readonly clock: Clock
  readonly desk: TerminalActions
  readonly screens: RunScreens
  readonly queue: ApprovalQueue
  readonly runs: RequesterRuns
}

export type OfTerminals = Extract<WindowFrame, { type: `terminal_${string}` | 'output_ack' }>

/** Missing less than this, a page goes on from where it is; beyond it the screen as it is now comes sooner. */
const MOST_TO_CATCH_UP = 1024 * 1024
const ASKED_BYTES = 1024
const KEYBOARD_EVERY_MS = 1000
const LONGEST_ASKED = 120

/** What one window does with terminals, and what it is sent about them. */
export class WebTerminals implements Disposable {
  readonly #deps: WebTerminalsDeps
  readonly #link: WebLink
  readonly #by: string
  readonly #life = new Disposables()
  readonly #streams = new Map<string, { readonly number: number; stream: OutputStream | null }>()
  /** The run each terminal shows in the list, and how it stood: that it has started or ended is news, too. */
  readonly #runs = new Map<string, { readonly view: RunView; state: string; readonly watching: Disposable }>()
  #made = 0
  #sentList = ''
  #isNotifying = false
  #keyboards: Disposable = { dispose() {} }

  constructor(deps: WebTerminalsDeps, link: WebLink, by: string) {
    this.#deps = deps
    this.#link = link
    this.#by = by
    const soon = () => this.#notifySoon()
    this.#life.add(deps.desk.watch(soon))
    this.#life.add(deps.queue.listen({ asked: soon, answered: soon, withdrawn: soon, turnedAway() {} }))
    this.#life.defer(() => {
      for (const { stream } of this.#streams.values()) stream?.dispose()
      for (const { watching } of this.#runs.values()) watching.dispose()
      this.#keyboards.dispose()
    })
    this.#notify()
  }

  dispose(): void {
    this.#life.dispose()
  }

  receive(frame: OfTerminals): void {
    const complain = (cause: unknown) => {
      // Keys are not answered, but whoever types where nothing arrives hears why.
      const unheard = frame.type === 'terminal_input' && cause instanceof TermError ? 'terminal_input' : null
      const request_id = 'request_id' in frame ? frame.request_id : unheard
      if (request_id === null) return
      const { code, message } = errorBody(
        cause instanceof TermError ? cause : new TermError('PM_TERM_INTERNAL', String(cause)),
      )
      this.#send({ type: 'failed', request_id, error: { code, message } })
    }
    try {
      const later = this.#act(frame)
      if (!('request_id' in frame)) return
      const { request_id } = frame
      void Promise.resolve(later).then(
        terminalId => this.#send({ type: 'done', request_id, terminal_id: terminalId ?? null }),
        complain,
      )
    } catch (cause) {
      complain(cause)
    }
  }

  #act(frame: OfTerminals): Promise<string | undefined> | string | undefined {
    const { desk } = this.#deps
    switch (frame.type) {
      case 'terminal_create': {
        const { profile, cwd, workspace_id, cols, rows } = frame
        const where = { ...(cwd !== null && { cwd }), ...(workspace_id !== null && { workspaceId: workspace_id }) }
        const { id } = desk.open({ profile, ...where }, this.#by)
        desk.resize(id, cols, rows)
        return id
      }

      case 'terminal_rename':
        desk.rename(frame.terminal_id, frame.name, this.#by)
        return frame.terminal_id
      case 'terminal_close':
        return desk.close(frame.terminal_id, this.#by).then(() => frame.terminal_id)
      case 'terminal_restart':
        return desk.restart(frame.terminal_id, this.#by).then(() => frame.terminal_id)

      case 'terminal_watch':
        return this.#watch(frame)
      case 'terminal_unwatch':
        this.#stop(frame.terminal_id)
        return frame.terminal_id

      case 'terminal_input':
        desk.write(frame.terminal_id, Buffer.from(frame.data, 'utf8'), this.#by)
        return undefined
      case 'terminal_resize':
        desk.resize(frame.terminal_id, frame.cols, frame.rows)
        return undefined
      case 'output_ack':
        for (const { number, stream } of this.#streams.values()) if (number === frame.stream) stream?.ack(frame.offset)
        return undefined
    }
  }

  async #watch(frame: Extract<OfTerminals, { type: 'terminal_watch' }>): Promise<string> {
    const { desk, clock, screens } = this.#deps
    const { terminal_id, request_id, have } = frame
    const terminal = desk.find(terminal_id)
    desk.resize(terminal_id, frame.cols, frame.rows)
    const view = frame.run_id === null ? desk.runIn(terminal) : this.#runOf(terminal.requester, frame.run_id)
    if (!view) throw new TermError('PM_TERM_NOT_FOUND', 'Nothing has run in this terminal yet.')

    this.#stop(terminal_id)
    this.#made += 1
    const number = this.#made
    const watched: { readonly number: number; stream: OutputStream | null } = { number, stream: null }
    this.#streams.set(terminal_id, watched)

    const { size } = view.source()
    const goesOn = have !== null && have <= size && size - have <= MOST_TO_CATCH_UP
    const screen = screens.of(view)
    this.#send({
      type: 'watching',
      request_id,
      terminal_id,
      stream: number,
      run_id: view.opened.id,
      offset: goesOn ? have : 0,
      end: size,
      running: !view.over(),
    })

    const deps = {
      clock,
      view,
      screen,
      stream: number,
      send: (each: HostToWindow) => this.#send(each),
      sendBytes: (bytes: Uint8Array) => void this.#link.sendBytes(bytes),
    }

    const stream = goesOn ? OutputStream.resume(deps, have) : await OutputStream.open(deps)
    // Meanwhile it may have been left, or looked at another way.
    if (this.#streams.get(terminal_id) === watched && this.#link.open) watched.stream = stream
    else stream.dispose()
    return terminal_id
  }

  #runOf(requester: string, runId: string): RunView | null {
    return this.#deps.runs.of(requester).registry.find(runId)
  }

  #stop(terminalId: string): void {
    this.#streams.get(terminalId)?.stream?.dispose()
    this.#streams.delete(terminalId)
  }

  /** Many changes at once are reported once. */
  #notifySoon(): void {
    if (this.#isNotifying) return
    this.#isNotifying = true
    setImmediate(() => {
      this.#isNotifying = false
      this.#notify()
    })
  }

  #notify(): void {
    if (!this.#link.open) return
    const items = this.#items()
    this.#watchRuns(items)
    this.#lookAtKeyboards(items)
    const now = JSON.stringify(items)
    if (now !== this.#sentList) this.#send({ type: 'terminals', items })
    this.#sentList = now
    for (const id of this.#streams.keys()) if (!items.some(({ terminal_id }) => terminal_id === id)) this.#stop(id)
  }

  /** That somebody has stopped typing is no event: it is looked for. */
  #lookAtKeyboards(items: readonly TerminalState[]): void {
    this.#keyboards.dispose()
    if (items.some(({ keyboard }) => keyboard !== undefined))
      this.#keyboards = this.#deps.clock.after(KEYBOARD_EVERY_MS, () => this.#notifySoon())
  }

  /** Output comes all the time; only a change of state makes another list. */
  #watchRuns(items: readonly TerminalState[]): void {
    const { desk } = this.#deps
    for (const [id, { watching }] of this.#runs)
      if (!items.some(({ terminal_id }) => terminal_id === id)) {
        watching.dispose()
        this.#runs.delete(id)
      }
    for (const { terminal_id, run_id } of items) {
      const known = this.#runs.get(terminal_id)
      if (run_id === null || known?.view.opened.id === run_id) continue
      known?.watching.dispose()
      const view = desk.runIn(desk.find(terminal_id))
      if (!view) continue
      const watching = view.watch(() => {
        const entry = this.#runs.get(terminal_id)
        const state = newsOf(view)
        if (!entry || entry.view !== view || entry.state === state) return
        entry.state = state
        this.#notifySoon()
      })
      this.#runs.set(terminal_id, { view, state: newsOf(view), watching })
    }
  }

  #items(): TerminalState[] {
    const { desk, queue } = this.#deps
    const asked = queue.pending.flatMap(question =>
      question.kind === 'command' || question.kind === 'input' ? [question.terminal_id] : [],
    )
    return desk.all().map(seen => {
      const terminal = desk.find(seen.terminal_id)
      const view = desk.runIn(terminal)
      const running = view?.status().state === 'running'
      const holder = running ? terminal.keyboard.holder(this.#deps.clock.elapsed()) : null
      return {
        terminal_id: seen.terminal_id,
        name: seen.name,
        profile: seen.profile,
        // A command may run elsewhere than its terminal stands.
        cwd: running && seen.kind === 'runs' ? (view?.status().cwd ?? view?.opened.cwd ?? seen.cwd) : seen.cwd,
        venv: terminal.env.VIRTUAL_ENV ?? null,
        requester: seen.requester,
        workspace_id: seen.workspace_id,
        state: !running ? 'idle' : seen.kind === 'shell' ? 'shell' : 'running',
        run_id: view?.opened.id ?? null,
        command: view?.opened.command ?? null,
        outcome: view ? outcomeOf(view.status()) : null,
        pending: asked.filter(id => id === seen.terminal_id).length,
        waiting: seen.waiting.length,
        ...(running && waitFields(view)),
        ...(holder !== null && { keyboard: holder }),
      }
    })
  }

  #send(frame: HostToWindow): void {
    this.#link.send(frame)
  }
}

/** What makes another list: that it has started or ended, and that it waits for input. */
const newsOf = (view: RunView): string => `${view.status().state} ${view.lastWait()}`

function waitFields(view: RunView | null): Pick<TerminalState, 'wait_state' | 'asks'> {
  const wait_state = view?.lastWait() ?? 'none'
  if (view === null || wait_state === 'none') return {}
  const asks = lastLine(textOf(view.source(), 'tail', ASKED_BYTES).stdout).slice(-LONGEST_ASKED)
  return { wait_state, ...(asks !== '' && { asks }) }
}
