import type { SerializeAddon } from '@xterm/addon-serialize'
import type { Terminal } from '@xterm/headless'
import type { Disposable } from '../../base/disposable.ts'
import { readRange } from '../../base/output/output-segments.ts'
import { loadTerminal } from '../../runs/output/load-terminal.ts'
import { wholeUpTo } from '../terminals/whole-output.ts'

/** From this offset on the terminal had this size. */
export interface SizeAt {
  readonly offset: number
  readonly cols: number
  readonly rows: number
}

export interface ScreenShot {
  readonly screen: string
  readonly cols: number
  readonly rows: number
  readonly offset: number
  readonly omittedBytes: number
}

export interface ScreenSource {
  /** Where the run's output lies, and how much of it there is. */
  source(): { readonly directory: string; readonly size: number }
  /** Every size its terminal had, in order; never empty. */
  sizes(): readonly SizeAt[]
}

const SCROLLBACK_LINES = 5000
/** Drawn without a pause: a few milliseconds, in which a key would wait. */
const PIECE_BYTES = 32 * 1024

/**
 * What one run has on its screen, worked out from its log by a terminal without a window. It reads only when somebody asks, and
 * goes on from where it was: the second look costs only what was printed since.
 */
export class RunScreen implements Disposable {
  readonly #of: ScreenSource
  #parts: { readonly terminal: Terminal; readonly serializer: SerializeAddon } | null = null
  #at = 0
  #lost = 0
  #sized = 0
  #reading: Promise<void> = Promise.resolve()
  #over = false
  /** The last picture, for who comes while nothing was printed since. */
  #shot: ScreenShot | null = null

  constructor(of: ScreenSource) {
    this.#of = of
  }

  /** How much is printed that it has not read yet. */
  get behind(): number {
    return this.#of.source().size - this.#at
  }

  /** The size its terminal has now. */
  get size(): { readonly cols: number; readonly rows: number } {
    return this.#of.sizes().at(-1) ?? { cols: 120, rows: 30 }
  }

  dispose(): void {
    this.#over = true
    this.#parts?.terminal.dispose()
    this.#parts = null
    this.#shot = null
  }

  /** Reads on, at most so many bytes: for those who want a quick look later. */
  async readOn(most: number): Promise<void> {
    await this.#read(most)
  }

  /** The screen as it is now, and the offset at which the output goes on: never in the middle of a character or a sequence. */
  async now(): Promise<ScreenShot> {
    await this.#read(Number.POSITIVE_INFINITY)
    const { terminal, serializer } = await this.#open()
    const { cols, rows } = terminal
    if (this.#shot?.offset === this.#at && this.#shot.cols === cols && this.#shot.rows === rows) return this.#shot
    const screen = serializer.serialize({ scrollback: SCROLLBACK_LINES })
    const full = terminal.buffer.normal.length >= SCROLLBACK_LINES + terminal.rows
    const omittedBytes = this.#lost + (full ? Math.max(0, this.#at - this.#lost - Buffer.byteLength(screen)) : 0)
    this.#shot = { screen, cols, rows, offset: this.#at, omittedBytes }
    return this.#shot
  }

  /** One reader at a time, in turn. */
  #read(most: number): Promise<void> {
    const reading = this.#reading.then(() => this.#readUpTo(this.#at + most))
    this.#reading = reading.catch(() => {})
    return reading
  }

  async #readUpTo(limit: number): Promise<void> {
    const { terminal } = await this.#open()
    while (!this.#over) {
      this.#takeSize(terminal)
      const { directory, size } = this.#of.source()
      const end = Math.min(size, limit, this.#nextSizeAt())
      if (this.#at >= end) return
      const { pieces, next, lost } = readRange(directory, this.#at, Math.min(PIECE_BYTES, end - this.#at))
      const bytes = Buffer.concat(pieces.map(piece => piece.bytes))
      // Only at the very end a half sequence may wait for its rest; before that it is cut by our own reading.
      const whole = next >= size ? wholeUpTo(bytes) : bytes.length
      if (bytes.length === 0) {
        this.#lost += size - this.#at
        this.#at = size
      } else if (whole === 0) return
      else {
        this.#lost += lost
        this.#at = next - (bytes.length - whole)
        await new Promise<void>(done => terminal.write(bytes.subarray(0, whole), done))
      }
    }
  }

  #takeSize(terminal: Terminal): void {
    const sizes = this.#of.sizes()
    for (; this.#sized < sizes.length && (sizes[this.#sized]?.offset ?? 0) <= this.#at; this.#sized++) {
      const { cols, rows } = sizes[this.#sized] ?? terminal
      if (cols !== terminal.cols || rows !== terminal.rows) terminal.resize(cols, rows)
    }
  }

  #nextSizeAt(): number {
    return this.#of.sizes()[this.#sized]?.offset ?? Number.POSITIVE_INFINITY
  }

  async #open() {
    if (this.#parts) return this.#parts
    const { openTerminal } = await loadTerminal()
    const { cols, rows } = this.#of.sizes()[0] ?? { cols: 120, rows: 30 }
    this.#parts ??= openTerminal({ cols, rows, scrollback: SCROLLBACK_LINES })
    return this.#parts
  }
}
