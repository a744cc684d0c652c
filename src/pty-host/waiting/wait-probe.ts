import type { InputWait } from '../../base/process/pty.ts'
import { type Foreground, foregroundOf, terminalOf } from './foreground.ts'
import { type TerminalModes, terminalModes } from './terminal-modes.ts'
import { fromKernel, fromModes } from './wait-report.ts'

export interface ProbeDeps {
  readonly platform: NodeJS.Platform
  /** The file of the terminal that a process is in; null: not known. */
  readonly terminalOf: (pid: number) => string | null
  readonly foreground: (root: number, tty: string) => Foreground
  readonly modes: (tty: string) => Promise<TerminalModes | null>
}

export const probeHere = (platform: NodeJS.Platform): ProbeDeps => ({
  platform,
  terminalOf: pid => (platform === 'linux' ? terminalOf(pid) : null),
  foreground: foregroundOf,
  modes: tty => terminalModes(tty, platform),
})

// A terminal in a terminal in a terminal.
const DEEPEST = 3

/**
 * Whether the program in a terminal waits for input. Reading what the kernel shows takes a millisecond or so; how the
 * terminal is set costs a process, and is asked for once for each time that a program begins to wait.
 */
export class WaitProbe {
  readonly #deps: ProbeDeps
  readonly #at: { readonly pid: number; readonly tty?: string }
  #known: { readonly turn: string; readonly modes: TerminalModes | null } | null = null

  constructor(deps: ProbeDeps, at: { readonly pid: number; readonly tty?: string }) {
    this.#deps = deps
    this.#at = at
  }

  /** `printed`: the last of its output. */
  async look(printed: string): Promise<InputWait> {
    const { platform, terminalOf } = this.#deps
    const { pid, tty = terminalOf(pid) } = this.#at
    if (tty === null) return fromModes(null, printed, `${platform} does not show what a program waits for`)
    if (platform !== 'linux')
      return fromModes(await this.#deps.modes(tty), printed, `${platform} does not show what a program waits for`)
    return this.#lookAt(pid, tty, printed, DEEPEST)
  }

  async #lookAt(pid: number, tty: string, printed: string, deepest: number): Promise<InputWait> {
    const seen = this.#deps.foreground(pid, tty)
    if (seen.relay !== null && deepest > 1) return this.#lookAt(seen.relay.pid, seen.relay.tty, printed, deepest - 1)
    if (seen.readers.length === 0 && seen.hidden === null) return fromKernel(seen, null, printed)

    const turn = `${tty} ${seen.readers.map(each => each.turn).join()} ${seen.hidden ?? ''}`
    // One that may not be looked at shows no turns: it is asked about each time.
    if (this.#known?.turn !== turn || seen.readers.length === 0)
      this.#known = { turn, modes: await this.#deps.modes(tty) }
    return fromKernel(seen, this.#known.modes, printed)
  }
}
