import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { readRange } from '../../base/output/output-segments.ts'
import type { HostToWindow } from '../../contract/window/window-frames.ts'
import { outputHeader } from '../../contract/window/window-output.ts'
import { OUTPUT_WINDOW_BYTES } from '../../contract/window/window-stream-frames.ts'
import { outcomeOf } from '../../runs/run/run-status.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { RunScreen } from './screen.ts'

export interface StreamDeps {
  readonly clock: Clock
  readonly view: RunView
  readonly screen: RunScreen
  readonly stream: number
  readonly send: (frame: HostToWindow) => void
  readonly sendBytes: (bytes: Uint8Array) => void
}

const PIECE_BYTES = 64 * 1024
/** Further behind than this, a page is shown the end instead of everything before it. */
const MOST_BEHIND = 4 * 1024 * 1024
const SHOWN_OF_A_FLOOD = 128 * 1024
const CALM_MS = 300
/** Read ahead while somebody looks on, so that a page that comes back need not wait for the whole log. */
const READ_AHEAD_MS = 250
const READ_AHEAD_BYTES = 4 * 1024 * 1024

/**
 * The output of one run on its way to one page: read from the log, never more than the page has said it can take. A page that
 * falls too far behind jumps to the end; when the flood is over it gets the exact screen.
 */
export class OutputStream implements Disposable {
  readonly #deps: StreamDeps
  readonly #life = new Disposables()
  #next: number
  #acked: number
  /** Bytes were skipped, so what the page shows is the end of it and not the exact screen. */
  #rough = false
  #calm: Disposable = { dispose() {} }
  #state: 'opening' | 'sending' | 'redrawing' | 'over' = 'opening'

  private constructor(deps: StreamDeps, from: number) {
    this.#deps = deps
    this.#next = from
    this.#acked = from
    this.#life.add(deps.view.watch(() => this.#pump()))
    this.#life.defer(() => this.#calm.dispose())
    this.#readAhead()
  }

  /** From where the page already is. */
  static resume(deps: StreamDeps, from: number): OutputStream {
    const stream = new OutputStream(deps, from)
    stream.#state = 'sending'
    stream.#pump()
    return stream
  }

  /** From the screen as it is now. */
  static async open(deps: StreamDeps): Promise<OutputStream> {
    const stream = new OutputStream(deps, 0)
    await stream.#redraw()
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

  async #redraw(): Promise<void> {
    const { screen, stream, send } = this.#deps
    this.#state = 'redrawing'
    const shot = await screen.now()
    if (this.#over) return
    this.#rough = false
    this.#next = shot.offset
    this.#acked = shot.offset
    const { cols, rows, offset, omittedBytes } = shot
    send({ type: 'snapshot', stream, screen: shot.screen, cols, rows, offset, omitted_bytes: omittedBytes })
    this.#state = 'sending'
    this.#pump()
  }

  get #over(): boolean {
    return this.#state === 'over'
  }

  #pump(): void {
    if (this.#state !== 'sending') return
    const { view } = this.#deps
    while (this.#next - this.#acked < OUTPUT_WINDOW_BYTES) {
      const { directory, size } = view.source()
      if (size - this.#next > MOST_BEHIND) this.#jump(directory, size)
      if (this.#next >= size) break
      this.#sendPiece(directory, size)
    }
    this.#calm.dispose()
    if (this.#next < view.source().size) return
    if (this.#rough) this.#calm = this.#deps.clock.after(CALM_MS, () => this.#whenCalm())
    else if (view.source().over) this.#end()
  }

  #sendPiece(directory: string, size: number): void {
    const { stream, sendBytes } = this.#deps
    const { pieces, next } = readRange(directory, this.#next, Math.min(PIECE_BYTES, size - this.#next))
    // Nothing there although it was printed: gone to the quota or a full disk.
    this.#next = pieces.length === 0 ? size : next
    for (const { start, bytes } of pieces) sendBytes(Buffer.concat([outputHeader(stream, start), bytes]))
  }

  /** To the last lines of what there is. */
  #jump(directory: string, size: number): void {
    const from = size - SHOWN_OF_A_FLOOD
    const bytes = Buffer.concat(readRange(directory, from, SHOWN_OF_A_FLOOD).pieces.map(piece => piece.bytes))
    const line = bytes.indexOf('\n') + 1
    const omitted = from + line - this.#next
    this.#next = from + line
    this.#acked = this.#next
    this.#rough = true
    const { stream, send, screen } = this.#deps
    const { cols, rows } = screen.size
    send({ type: 'snapshot', stream, screen: '', cols, rows, offset: this.#next, omitted_bytes: omitted })
  }

  #whenCalm(): void {
    if (this.#state === 'sending' && this.#next >= this.#deps.view.source().size) void this.#redraw()
  }

  #readAhead(): void {
    const { clock, screen } = this.#deps
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
    const { view, stream, send } = this.#deps
    send({ type: 'stream_end', stream, exit_code: outcomeOf(view.status()).exit_code })
    this.dispose()
  }
}
