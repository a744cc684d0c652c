import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { styleSpansByScript, withAdoptedStyles } from '../terminal/adopted-styles.ts'
import { terminalColors } from '../terminal/terminal-colors.ts'
import type { CastScreen } from './cast.ts'

const LARGEST_FONT = 14
const SMALLEST_FONT = 3
/** How wide a letter is, for its height, in most fonts. */
const LETTER = 0.62
/** One step is exact but for the rounding to half a pixel. */
const MOST_STEPS = 3

/** A terminal that only shows: nothing is typed into it, and what is printed in it can open, copy and ask for nothing. */
export class ReplayScreen implements CastScreen {
  readonly #term: Terminal

  constructor(place: HTMLElement, { cols, rows }: { readonly cols: number; readonly rows: number }) {
    styleSpansByScript()
    const fits = Math.floor((place.clientWidth / (cols * LETTER)) * 2) / 2
    this.#term = new Terminal({
      ...{ cols, rows, allowProposedApi: true, disableStdin: true, scrollback: 5000, cursorInactiveStyle: 'none' },
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono') || 'monospace',
      fontSize: Math.max(SMALLEST_FONT, Math.min(LARGEST_FONT, fits)),
      lineHeight: 1.2,
      minimumContrastRatio: 4.5,
      theme: terminalColors(),
      linkHandler: { activate: () => {} },
    })
    this.#term.loadAddon(new UnicodeGraphemesAddon())
    withAdoptedStyles(() => this.#term.open(place))
    this.#shrinkInto(place)
    if (this.#term.textarea) this.#term.textarea.tabIndex = -1
  }

  /** Where the letters are wider than usual, the end of each row would be cut off. */
  #shrinkInto(place: HTMLElement): void {
    for (let step = 0; step < MOST_STEPS; step++) {
      const width = place.querySelector('.xterm-screen')?.clientWidth ?? 0
      const { fontSize = LARGEST_FONT } = this.#term.options
      if (width <= place.clientWidth || place.clientWidth === 0 || fontSize <= SMALLEST_FONT) return
      const smaller = Math.floor(((fontSize * place.clientWidth) / width) * 2) / 2
      this.#term.options.fontSize = Math.max(SMALLEST_FONT, Math.min(smaller, fontSize - 0.5))
    }
  }

  write(text: string): void {
    this.#term.write(text)
  }

  reset(): void {
    this.#term.reset()
  }

  restyle(): void {
    this.#term.options.theme = terminalColors()
  }

  dispose(): void {
    this.#term.dispose()
  }
}
