import * as serialize from '@xterm/addon-serialize'
import * as graphemes from '@xterm/addon-unicode-graphemes'
import * as headless from '@xterm/headless'

/** A CommonJS package, whether or not its names were known before it ran. */
const namesOf = <T extends object>(loaded: T): T => ('default' in loaded ? (loaded.default as T) : loaded)

/** A terminal without a window, as wide for every character as the page's. A part of the bundle of its own: few need it. */
export function openTerminal(options: {
  readonly cols: number
  readonly rows: number
  readonly scrollback: number
  readonly convertEol?: boolean
}) {
  const terminal = new (namesOf(headless).Terminal)({ ...options, allowProposedApi: true })
  const serializer = new (namesOf(serialize).SerializeAddon)()
  for (const addon of [serializer, new (namesOf(graphemes).UnicodeGraphemesAddon)()])
    terminal.loadAddon(addon as Parameters<typeof terminal.loadAddon>[0])
  return { terminal, serializer }
}
