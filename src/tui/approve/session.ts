import type { Clock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import type { FromApprover, ToApprover } from '../../contract/wire/approver-frames.ts'
import type { Key } from './keys.ts'
import { onFrame } from './on-frame.ts'
import { press } from './press.ts'
import { approveScreen } from './screen.ts'
import { type ApproveState, lookedAt, openState, revisionOfCurrent, withAllSeen } from './state.ts'
import { ApproveTerminal } from './terminal.ts'

export interface ApproveDeps {
  readonly link: Link
  readonly clock: Clock
  /** Shown while nobody asks. */
  readonly welcome?: readonly string[]
  readonly streams: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream }
}

const REDRAW_EVERY_MS = 100

/** A person at a terminal who was admitted: draws, listens to keys, sends answers. Ends when they quit or the link does. */
export class ApproveSession {
  readonly #deps: ApproveDeps
  readonly #terminal: ApproveTerminal
  readonly #life = new Disposables()
  #state: ApproveState
  /** Rows of what is looked at that were shown so far, from the top on. */
  #seenRows = 0
  #page = 1
  #shownKey: string | null = null
  #inView: string | null = null
  #sentAt: number
  #timer = { dispose() {} }
  readonly over: Promise<'quit' | 'lost'>
  #end: (how: 'quit' | 'lost') => void = () => {}

  constructor(deps: ApproveDeps, admitted: Extract<ToApprover, { type: 'admitted' }>) {
    this.#deps = deps
    this.#state = openState(admitted, deps.welcome)
    this.#sentAt = deps.clock.elapsed()
    this.over = new Promise(resolve => {
      this.#end = how => {
        this.#life.dispose()
        resolve(how)
      }
    })
    this.#terminal = this.#life.add(
      new ApproveTerminal(deps.streams, { keys: keys => this.#press(keys), resized: () => this.#resized() }),
    )
    this.#life.defer(() => this.#timer.dispose())
    deps.link.onClose(() => this.#end('lost'))
    this.#tick(Math.max(1000, admitted.heartbeat_interval_ms))
    this.#draw()
  }

  receive(frame: ToApprover): void {
    const { clock } = this.#deps
    this.#state = onFrame(this.#state, frame, clock.elapsed(), clock.now())
    if (frame.type === 'reminder') this.#terminal.ring()
    this.#draw()
  }

  /** The terminal is given back; the host forgets this approver. */
  quit(): void {
    this.#send({ type: 'detach' })
    // Before the link ends: an end of the link alone would mean that the host is gone.
    this.#end('quit')
    this.#deps.link.close('the person left')
  }

  #press(keys: readonly Key[]): void {
    for (const key of keys) {
      const now = this.#deps.clock.elapsed()
      const { state, answer, ask, quit } = press(this.#state, key, { now, alone: keys.length === 1, page: this.#page })
      this.#state = state
      if (answer) this.#send(answer)
      if (ask) this.#send(ask)
      if (quit) {
        this.quit()
        return
      }
    }
    this.#draw()
  }

  /** Other rows now: what was seen of a question that did not fit has to be seen again. */
  #resized(): void {
    this.#seenRows = 0
    this.#draw()
  }

  /** Nobody pages past what has not been on the screen yet, however fast the keys come. */
  #noFurtherThanSeen(): void {
    const looked = lookedAt(this.#state)
    if (looked?.seenAll !== false || looked.key !== this.#shownKey) return
    this.#state = { ...this.#state, top: Math.min(this.#state.top, this.#seenRows) }
  }

  #draw(): void {
    this.#noFurtherThanSeen()
    const now = this.#deps.clock.elapsed()
    const screen = approveScreen(this.#state, this.#terminal.size, now)
    this.#terminal.paint(screen.rows)
    this.#page = screen.height
    this.#noteSeen(screen, now)
  }

  #noteSeen({ top, height, toRead }: { top: number; height: number; toRead: number }, now: number): void {
    const looked = lookedAt(this.#state)
    if (looked?.key !== this.#shownKey) this.#seenRows = 0
    this.#shownKey = looked?.key ?? null
    if (looked === null) return
    this.#noteInView()
    // What the person scrolled to and can scroll no further is where they are.
    this.#state = { ...this.#state, top }
    if (looked.seenAll) return
    if (top <= this.#seenRows) this.#seenRows = Math.max(this.#seenRows, top + height)
    if (this.#seenRows < toRead) return
    const { mode, current } = this.#state
    this.#state = withAllSeen(this.#state, now)
    if (mode.at === 'looking' && current !== null)
      this.#send({ type: 'shown', ask_id: current, revision: revisionOfCurrent(this.#state) })
    this.#draw()
  }

  /** The host hears once that a question is before somebody's eyes, however much of it. */
  #noteInView(): void {
    const { current } = this.#state
    if (current === null || current === this.#inView) return
    this.#inView = current
    this.#send({ type: 'in_view', ask_id: current })
  }

  #send(frame: FromApprover): void {
    this.#sentAt = this.#deps.clock.elapsed()
    this.#deps.link.send(frame)
  }

  #tick(heartbeatMs: number): void {
    const { clock } = this.#deps
    this.#timer = clock.after(REDRAW_EVERY_MS, () => {
      if (clock.elapsed() - this.#sentAt >= heartbeatMs) this.#send({ type: 'heartbeat' })
      this.#draw()
      this.#tick(heartbeatMs)
    })
  }
}
