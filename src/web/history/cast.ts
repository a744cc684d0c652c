/** A recording as the host writes it: asciicast 3. */
export interface Cast {
  readonly cols: number
  readonly rows: number
  readonly events: readonly ReplayEvent[]
  /** In seconds; long waits are cut to what the recording says. */
  readonly length: number
  /** Whether it was written down when output came. */
  readonly isTimed: boolean
}

export interface ReplayEvent {
  readonly at: number
  readonly code: string
  readonly data: string
}

interface Header {
  readonly term: { readonly cols: number; readonly rows: number }
  readonly idle_time_limit: number
  readonly interactive_terminal: { readonly output_times: { readonly known: boolean } }
}

export function readCast(text: string): Cast {
  const [first = '', ...lines] = text.trimEnd().split('\n')
  const { term, idle_time_limit: idle, interactive_terminal } = JSON.parse(first) as Header
  let at = 0
  const events = lines.map(line => {
    const [interval, code, data] = JSON.parse(line) as [number, string, string]
    // Whole milliseconds: the slider hands its end back as a short number, which a sum of fractions may be a little beyond.
    at = Math.round((at + Math.min(interval, idle)) * 1000) / 1000
    return { at, code, data }
  })
  return { ...term, events, length: at, isTimed: interactive_terminal.output_times.known }
}

export interface CastScreen {
  write(text: string): void
  /** As it was before the first letter. */
  reset(): void
}

/** Plays a recording on a screen. Whoever owns it says how much time has passed. */
export class CastPlayer {
  readonly #cast: Cast
  readonly #screen: CastScreen
  #next = 0
  #at = 0

  constructor(cast: Cast, screen: CastScreen) {
    this.#cast = cast
    this.#screen = screen
  }

  get at(): number {
    return this.#at
  }

  get isOver(): boolean {
    return this.#at >= this.#cast.length
  }

  /** So many seconds later. */
  pass(seconds: number): void {
    this.#at = Math.min(this.#cast.length, this.#at + seconds)
    this.#draw()
  }

  /** To another place: what was printed until then is on the screen. */
  seek(to: number): void {
    if (to < this.#at) {
      this.#screen.reset()
      this.#next = 0
    }
    this.#at = Math.max(0, Math.min(this.#cast.length, to))
    this.#draw()
  }

  #draw(): void {
    const { events } = this.#cast
    let text = ''
    for (; (events[this.#next]?.at ?? Number.POSITIVE_INFINITY) <= this.#at; this.#next++)
      if (events[this.#next]?.code === 'o') text += events[this.#next]?.data
    if (text !== '') this.#screen.write(text)
  }
}
