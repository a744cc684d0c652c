import type { WindowController } from '../controller/window-controller.ts'
import { styleSpansByScript } from './adopted-styles.ts'
import { LiveTerminal } from './live-terminal.ts'
import { faintStyles } from './terminal-colors.ts'

/** More than this many screens are not kept: the one that was not looked at for longest comes back from a snapshot. */
const MOST_KEPT = 8

/** The terminals this page has a screen of. */
export class LiveTerminals {
  readonly #controller: WindowController
  readonly #live = new Map<string, LiveTerminal>()
  readonly #faint = new CSSStyleSheet()

  constructor(controller: WindowController) {
    this.#controller = controller
    styleSpansByScript()
    this.#faint.replaceSync(faintStyles())
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#faint]
    controller.listen({
      frame: frame => {
        for (const live of this.#live.values()) live.frame(frame)
      },
      output: piece => {
        for (const live of this.#live.values()) live.output(piece)
      },
      admitted: () => {
        for (const live of this.#live.values()) live.watch()
      },
    })
  }

  of(terminalId: string): LiveTerminal {
    const live = this.#live.get(terminalId) ?? new LiveTerminal(this.#controller, terminalId)
    this.#live.delete(terminalId)
    this.#live.set(terminalId, live)
    for (const [oldest, other] of this.#live) {
      const isGone = !this.#controller.state.peek().terminals.some(({ terminal_id }) => terminal_id === oldest)
      if ((this.#live.size <= MOST_KEPT && !isGone) || other === live) continue
      other.dispose()
      this.#live.delete(oldest)
    }
    return live
  }

  restyle(): void {
    this.#faint.replaceSync(faintStyles())
    for (const live of this.#live.values()) live.restyle()
  }
}
