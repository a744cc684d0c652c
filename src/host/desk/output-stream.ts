import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { readRange } from '../../base/output/output-segments.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { ToPerson } from '../../contract/wire/terminal-frames.ts'
import { outcomeOf } from '../../runs/run/ended-line.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { RunScreen } from './screen.ts'

export interface StreamDeps {
  readonly clock: Clock
  readonly view: Pick<RunView, 'source' | 'status' | 'over' | 'watch'>
  /** Null: every byte is sent, however far behind whoever looks on is. */
  readonly screen: RunScreen | null
  readonly stream: number
  readonly to: OutputSink
}

/** Whoever looks on. */
export interface OutputSink {
  readonly open: boolean
  /** Sent and not yet drawn: beyond this, a slow one waits alone. */
  readonly mostUndrawn: number
  send(frame: ToPerson): void
  sendOutput(piece: OutputPiece): void
}

const PIECE_BYTES = 64 * 1024
/** Further behind than this, a screen is shown the end instead of everything before it. */
const MOST_BEHIND = 4 * 1024 * 1024
const SHOWN_OF_A_FLOOD = 128 * 1024
/** Whoever interrupts wants the prompt, not what was printed before it: that is in the log. */
const SHOWN_AFTER_INTERRUPT = 16 * 1024
const INTERRUPT_HOLDS_MS = 2000
const CALM_MS = 300
/** Read ahead while somebody looks on, so that a page that comes back need not wait for the whole log. */
const READ_AHEAD_MS = 250
const READ_AHEAD_BYTES = 4 * 1024 * 1024

/**
 * The output of one run on its way to one page or terminal: read from the log, never more than that has said it can take. A page
 * that falls too far behind jumps to the end; when the flood is over it gets the exact screen.
 */
export class OutputStream implements Disposable {
  readonly #deps: StreamDeps
  readonly #life = new Disposables()
  #next: number
  #acked: number
  /** Bytes were skipped, so what the page shows is the end of it and not the exact screen. */
  #rough = false
  #calm: Disposable = { dispose() {} }
  #interruptedAt = Number.NEGATIVE_INFINITY
  #redrawing = false
  #state: 'opening' | 'sending' | 'over' = 'opening'

  private constructor(deps: StreamDeps, from: number) {
    this.#deps = deps
    this.#next = from
    this.#acked = from
    this.#life.add(deps.view.watch(() => this.#pump()))
    this.#life.defer(() => this.#calm.dispose())
    if (deps.screen) this.#readAhead(deps.screen)
  }

  /** From where the page already is. */
  static resume(deps: StreamDeps, from: number): OutputStream {
    const stream = new OutputStream(deps, from)
    stream.#state = 'sending'
    stream.#pump()
    return stream
  }

  /** From the screen as it is now. */
  static async open(deps: StreamDeps & { readonly screen: RunScreen }): Promise<OutputStream> {
    const stream = new OutputStream(deps, 0)
    await stream.#redraw(deps.screen)
    return stream
  }

  dispose(): void {
    this.#state = 'over'
    this.#life.dispose()
  }

  ack(offset: number): void {
    this.#acked = Math.max(this.#acked, Math.min(offset, this.#next))
    this.#pump()
  }

  /** Somebody has interrupted what runs: a screen that is behind is shown the end at once. */
  interrupted(): void {
    const { clock, screen, view } = this.#deps
    if (!screen || this.#state !== 'sending') return
    this.#interruptedAt = clock.elapsed()
    const { directory, size } = view.source()
    if (size - this.#next > SHOWN_AFTER_INTERRUPT) this.#jump(screen, directory, size)
    this.#pump()
  }

  get #mostBehind(): number {
    const holds = this.#deps.clock.elapsed() - this.#interruptedAt < INTERRUPT_HOLDS_MS
    return holds ? SHOWN_OF_A_FLOOD : MOST_BEHIND
  }

  async #redraw(screen: RunScreen): Promise<void> {
    const shot = await screen.now()
    if (this.#over) return
    this.#state = 'sending'
    this.#show(shot)
    this.#pump()
  }

  #show({ screen, cols, rows, offset, omittedBytes }: Awaited<ReturnType<RunScreen['now']>>): void {
    const { stream, to } = this.#deps
    this.#rough = false
    this.#next = offset
    this.#acked = offset
    to.send({ type: 'snapshot', stream, screen, cols, rows, offset, omitted_bytes: omittedBytes })
  }

  get #over(): boolean {
    return this.#state === 'over'
  }

  #pump(): void {
    if (this.#state !== 'sending') return
    const { view, screen, to } = this.#deps
    while (this.#next - this.#acked < to.mostUndrawn) {
      const { directory, size } = view.source()
      if (screen && size - this.#next > this.#mostBehind) this.#jump(screen, directory, size)
      if (this.#next >= size) break
      this.#sendPiece(directory, size)
    }
    this.#calm.dispose()
    if (this.#next < view.source().size) return
    if (this.#rough) this.#calm = this.#deps.clock.after(CALM_MS, () => void this.#whenCalm())
    else if (view.over()) this.#end()
  }

  #sendPiece(directory: string, size: number): void {
    const { stream, to } = this.#deps
    const { pieces, next } = readRange(directory, this.#next, Math.min(PIECE_BYTES, size - this.#next))
    // Nothing there although it was printed: gone to the quota or a full disk.
    this.#next = pieces.length === 0 ? size : next
    for (const { start, bytes } of pieces) to.sendOutput({ stream, offset: start, bytes })
  }

  /** To the last lines of what there is. */
  #jump(screen: RunScreen, directory: string, size: number): void {
    const shown = this.#mostBehind < MOST_BEHIND ? SHOWN_AFTER_INTERRUPT : SHOWN_OF_A_FLOOD
    const from = size - shown
    const bytes = Buffer.concat(readRange(directory, from, shown).pieces.map(piece => piece.bytes))
    const line = bytes.indexOf('\n') + 1
    const omitted = from + line - this.#next
    this.#next = from + line
    this.#acked = this.#next
    this.#rough = true
    const { stream, to } = this.#deps
    const { cols, rows } = screen.size
    to.send({ type: 'snapshot', stream, screen: '', cols, rows, offset: this.#next, omitted_bytes: omitted })
  }

  /** The exact screen takes a while after a large flood: what is printed meanwhile, as the echo of keys, is not held up by it. */
  async #whenCalm(): Promise<void> {
    const { screen, view } = this.#deps
    if (!screen || this.#redrawing || this.#state !== 'sending' || this.#next < view.source().size) return
    this.#redrawing = true
    const shot = await screen.now()
    this.#redrawing = false
    if (this.#state !== 'sending') return
    if (shot.offset >= this.#next) this.#show(shot)
    this.#pump()
  }

  #readAhead(screen: RunScreen): void {
    const { clock } = this.#deps
    let waiting: Disposable = { dispose() {} }
    this.#life.defer(() => waiting.dispose())
    const again = () => {
      waiting = clock.after(READ_AHEAD_MS, () => {
        if (this.#over) return
        const reading = screen.behind > 0 ? screen.readOn(READ_AHEAD_BYTES) : Promise.resolve()
        void reading.then(() => this.#over || again())
      })
    }
    again()
  }

  #end(): void {
    const { view, stream, to } = this.#deps
    to.send({ type: 'stream_end', stream, outcome: outcomeOf(view.status()) })
    this.dispose()
  }
}
