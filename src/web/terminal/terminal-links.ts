import { type Signal, signal } from '@preact/signals'
import { WebLinksAddon } from '@xterm/addon-web-links'
import type { IBufferRange, ILinkHandler, Terminal } from '@xterm/xterm'
import type { WindowController } from '../controller/window-controller.ts'
import { type LinkFacts, linkFacts } from './link-facts.ts'
import { openLink } from './open-link.ts'

/** The links of one terminal: addresses that are printed, and those that a program has put behind other words. */
export class TerminalLinks {
  readonly #controller: WindowController
  /** Where the link below the pointer leads. */
  readonly pointedAt: Signal<string | null> = signal(null)
  /** One that is looked at before it is followed. */
  readonly looked: Signal<(LinkFacts & { readonly text: string }) | null> = signal(null)

  constructor(controller: WindowController) {
    this.#controller = controller
  }

  /** For links behind other words. */
  handler(term: () => Terminal): ILinkHandler {
    return {
      activate: (event, uri, range) => this.#follow(event, uri, textIn(term(), range)),
      hover: (_, uri) => this.#point(uri),
      leave: () => this.#point(null),
    }
  }

  /** For addresses that are printed. */
  addon(): WebLinksAddon {
    const options = { hover: (_: MouseEvent, uri: string) => this.#point(uri), leave: () => this.#point(null) }
    return new WebLinksAddon((event, uri) => this.#follow(event, uri, uri), options)
  }

  /** Only with a key held, only to the web, and looked at first where the text does not say where it leads. */
  #follow(event: MouseEvent, uri: string, text: string): void {
    const link = event.ctrlKey || event.metaKey ? linkFacts(uri, text) : null
    if (link?.isPlain) openLink(this.#controller, link.href)
    else if (link) this.looked.value = { ...link, text }
  }

  #point(uri: string | null): void {
    this.pointedAt.value = uri === null ? null : (linkFacts(uri, uri)?.href ?? null)
  }
}

/** What is printed there, as the person reads it. */
function textIn({ buffer, cols }: Terminal, { start, end }: IBufferRange): string {
  const rows = Array.from({ length: end.y - start.y + 1 }, (_, i) => {
    const y = start.y + i
    const from = y === start.y ? start.x - 1 : 0
    return buffer.active.getLine(y - 1)?.translateToString(true, from, y === end.y ? end.x : cols) ?? ''
  })
  return rows.join('')
}
