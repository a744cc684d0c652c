import { ClipboardAddon } from '@xterm/addon-clipboard'
import { FitAddon } from '@xterm/addon-fit'
import { ProgressAddon } from '@xterm/addon-progress'
import { SearchAddon } from '@xterm/addon-search'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebglAddon } from '@xterm/addon-webgl'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { type Signal, signal } from '@preact/signals'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { WindowController } from '../controller/window-controller.ts'
import type { StreamFrame } from '../feed/stream-listeners.ts'
import { terminalFontSize } from '../parts/preferences.ts'
import { withAdoptedStyles } from './adopted-styles.ts'
import { DrawQueue } from './draw-queue.ts'
import { terminalColors } from './terminal-colors.ts'
import { TerminalLinks } from './terminal-links.ts'

const ACK_EVERY_BYTES = 128 * 1024
const LONGEST_INPUT = 32 * 1024
const SCROLLBACK_LINES = 5000

/** What is in front of the person of the run that is shown: from the beginning of its log, or from a snapshot on. */
export type StreamState =
  | { readonly at: 'waiting' }
  | { readonly at: 'live'; readonly runId: string; readonly omittedBytes: number }
  | { readonly at: 'ended'; readonly runId: string; readonly omittedBytes: number }

/**
 * One terminal on the screen. Bytes are drawn in the order of their offsets, each once: what comes doubled is skipped, a gap
 * asks for a snapshot. The host sends no more than was reported as drawn, so a flood stays outside the page.
 */
export class LiveTerminal {
  readonly #controller: WindowController
  readonly terminalId: string
  readonly state: Signal<StreamState> = signal({ at: 'waiting' })
  readonly progress: Signal<number | null> = signal(null)
  readonly links: TerminalLinks
  readonly #term: Terminal
  readonly #queue: DrawQueue
  readonly #fit = new FitAddon()
  readonly search = new SearchAddon()
  #stream: number | null = null
  /** The run on the screen, and where its next byte begins. */
  #runId: string | null = null
  #next = 0
  #drawn = 0
  #acked = 0
  #asked: string | null = null
  #shown = false
  /** An older run that was chosen; null: whatever runs. */
  #wanted: string | null = null
  #sizes: ResizeObserver | null = null

  constructor(controller: WindowController, terminalId: string) {
    this.#controller = controller
    this.terminalId = terminalId
    this.links = new TerminalLinks(controller)
    this.#term = new Terminal({
      allowProposedApi: true,
      convertEol: false,
      cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono') || 'monospace',
      fontSize: terminalFontSize.peek(),
      lineHeight: 1.2,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      screenReaderMode: false,
      macOptionIsMeta: true,
      theme: terminalColors(),
      linkHandler: this.links.handler(() => this.#term),
    })

    this.#queue = new DrawQueue(this.#term)
    this.#term.loadAddon(this.#fit)
    this.#term.loadAddon(this.search)
    this.#term.loadAddon(new UnicodeGraphemesAddon())
    this.#term.loadAddon(this.links.addon())
    this.#term.loadAddon(new ClipboardAddon(undefined, CLIPBOARD))
    const progress = new ProgressAddon()
    this.#term.loadAddon(progress)
    progress.onChange(({ state, value }) => {
      this.progress.value = state === 0 ? null : value
    })

    this.#term.onData(data => this.#type(new TextEncoder().encode(data)))
    // Reports of the mouse that are no text: one byte a character.
    this.#term.onBinary(data => this.#type(Uint8Array.from(data, char => char.charCodeAt(0))))
    this.#term.onResize(({ cols, rows }) => {
      if (this.#shown) this.#controller.send({ type: 'terminal_resize', terminal_id: this.terminalId, cols, rows })
    })
  }

  get text(): string {
    const { active } = this.#term.buffer
    const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
    return lines.join('\n').trimEnd()
  }

  get selection(): string {
    return this.#term.getSelection()
  }

  /** Puts it on the screen; `look` then has the host send what is new. */
  show(place: HTMLElement): void {
    this.#shown = true
    if (this.#term.element) place.append(this.#term.element)
    else this.#openIn(place)
    this.#sizes = new ResizeObserver(() => requestAnimationFrame(() => this.#fitIn(place)))
    this.#sizes.observe(place)
    this.#fitIn(place)
  }

  /** Off the screen: the host sends nothing more, and what is here stays. */
  hide(): void {
    this.#shown = false
    this.#sizes?.disconnect()
    this.#stream = null
    this.#term.element?.remove()
    this.#controller.send({
      type: 'terminal_unwatch',
      request_id: this.#controller.nextId(),
      terminal_id: this.terminalId,
    })
  }

  dispose(): void {
    this.#sizes?.disconnect()
    this.#term.dispose()
  }

  focus(): void {
    this.#term.focus()
  }

  clear(): void {
    this.#term.clear()
  }

  /** In the colours and the size that the person likes now. */
  restyle(): void {
    this.#term.options.theme = terminalColors()
    this.#term.options.fontSize = terminalFontSize.peek()
    if (this.#shown) this.#fit.fit()
  }

  /** Shows an older run, or with null whatever runs. */
  look(runId: string | null): void {
    this.#wanted = runId
    this.watch()
  }

  /** Asks for the run that is to be shown, from where this page has it. */
  watch(): void {
    if (!this.#shown) return
    this.#stream = null
    this.#asked = this.#controller.nextId()
    const { cols, rows } = this.#term
    this.#controller.send({
      type: 'terminal_watch',
      request_id: this.#asked,
      terminal_id: this.terminalId,
      run_id: this.#wanted,
      have: this.#runId !== null && this.#runId === (this.#wanted ?? this.#current()) ? this.#next : null,
      cols,
      rows,
    })
  }

  frame(frame: StreamFrame): void {
    switch (frame.type) {
      case 'watching': {
        if (frame.request_id !== this.#asked) return
        this.#stream = frame.stream
        if (frame.run_id !== this.#runId || frame.offset !== this.#next) this.#begin(frame.run_id, frame.offset)
        this.state.value = { at: 'live', runId: frame.run_id, omittedBytes: this.#omitted }
        return
      }
      case 'snapshot': {
        if (frame.stream !== this.#stream) return
        // What came and was not drawn yet is left out with what was not sent.
        const undrawn = frame.screen === '' ? this.#next - this.#drawn : 0
        this.#begin(this.#runId, frame.offset, frame)
        this.#omitted = frame.omitted_bytes + undrawn
        this.#queue.write(new TextEncoder().encode(frame.screen), () => this.#fitIn(this.#term.element?.parentElement))
        if (this.#runId !== null) this.state.value = { at: 'live', runId: this.#runId, omittedBytes: this.#omitted }
        return
      }
      case 'stream_end': {
        if (frame.stream !== this.#stream || this.#runId === null) return
        this.state.value = { at: 'ended', runId: this.#runId, omittedBytes: this.#omitted }
      }
    }
  }

  output({ stream, offset, bytes }: OutputPiece): void {
    if (stream !== this.#stream) return
    if (offset > this.#next) {
      this.watch()
      return
    }
    const fresh = bytes.subarray(this.#next - offset)
    if (fresh.length === 0) return
    this.#next = offset + bytes.length
    const upTo = this.#next
    const run = this.#epoch
    this.#queue.write(fresh, () => {
      if (run !== this.#epoch) return
      this.#drawn = upTo
      if (this.#drawn - this.#acked >= ACK_EVERY_BYTES || this.#drawn === this.#next) this.#ack()
    })
  }

  #omitted = 0
  /** Counts up whenever the screen starts anew: what was written before says nothing about what is drawn now. */
  #epoch = 0

  #begin(runId: string | null, offset: number, size?: { readonly cols: number; readonly rows: number }): void {
    this.#epoch += 1
    this.#runId = runId
    this.#next = offset
    this.#drawn = offset
    this.#acked = offset
    this.#omitted = 0
    this.progress.value = null
    this.#queue.restart(() => {
      this.#term.reset()
      if (size) this.#term.resize(size.cols, size.rows)
    })
  }

  #ack(): void {
    if (this.#stream === null || this.#acked === this.#drawn) return
    this.#acked = this.#drawn
    this.#controller.send({ type: 'output_ack', stream: this.#stream, offset: this.#drawn })
  }

  #current(): string | null {
    const { terminals } = this.#controller.state.peek()
    return terminals.find(({ terminal_id }) => terminal_id === this.terminalId)?.run_id ?? null
  }

  #type(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += LONGEST_INPUT) {
      const data = btoa(String.fromCharCode(...bytes.subarray(at, at + LONGEST_INPUT)))
      this.#controller.send({ type: 'terminal_input', terminal_id: this.terminalId, data })
    }
  }

  #openIn(place: HTMLElement): void {
    withAdoptedStyles(() => this.#term.open(place))
    try {
      const webgl = new WebglAddon()
      webgl.onContextLoss(() => withAdoptedStyles(() => webgl.dispose()))
      this.#term.loadAddon(webgl)
    } catch {
      // Without WebGL xterm draws with elements: slower, and the same to look at.
    }
  }

  #fitIn(place: HTMLElement | null | undefined): void {
    if (this.#shown && place && place.clientWidth > 0 && place.clientHeight > 0) this.#fit.fit()
  }
}

/** A program may put something on the clipboard only right after the person did something, and may never read it. */
const CLIPBOARD = {
  readText: (): string => '',
  writeText: async (_: string, text: string): Promise<void> => {
    if (navigator.userActivation?.isActive) await navigator.clipboard.writeText(text)
  },
}
