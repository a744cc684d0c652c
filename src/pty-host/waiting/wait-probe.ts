import type { InputWait } from '../../base/process/pty.ts'
import { type Foreground, foregroundOf, terminalOf } from './foreground.ts'
import { type OwnModes, type TerminalModes, terminalModes } from './terminal-modes.ts'
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

export interface ProbedTerminal {
  readonly pid: number
  readonly tty?: string
  /** Asks its owner. */
  modes?(): Promise<OwnModes | null>
}

// A terminal in a terminal in a terminal.
const DEEPEST = 3

/**
 * Whether the program in a terminal waits for input. Reading what the kernel shows takes a millisecond or so. How the terminal is
 * set is asked of its owner, if that can be; otherwise it costs a process, once for each time that a program begins to wait.
 */
export class WaitProbe {
  readonly #deps: ProbeDeps
  readonly #at: ProbedTerminal
  #known: { readonly turn: string; readonly modes: TerminalModes | null } | null = null

  constructor(deps: ProbeDeps, at: ProbedTerminal) {
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
    return pid === this.#at.pid && this.#at.modes
      ? this.#lookWithOwner(this.#at.modes, seen, tty, printed)
      : fromKernel(seen, await this.#modesOf(seen, tty), printed)
  }

  /** After who reads: a program that is about to ask for a password sets the terminal first. */
  async #lookWithOwner(
    ask: () => Promise<OwnModes | null>,
    seen: Foreground,
    tty: string,
    printed: string,
  ): Promise<InputWait> {
    const modes = await ask()
    if (modes === null || modes.foreground === seen.group) return fromKernel(seen, modes, printed)
    // Another program has come to the foreground meanwhile.
    const again = this.#deps.foreground(this.#at.pid, tty)
    return fromKernel(again, again.readers.length === 0 && again.hidden === null ? null : await ask(), printed)
  }

  async #modesOf(seen: Foreground, tty: string): Promise<TerminalModes | null> {
    const turn = `${tty} ${seen.readers.map(each => each.turn).join()} ${seen.hidden ?? ''}`
    // One that may not be looked at shows no turns: it is asked about each time.
    if (this.#known?.turn !== turn || seen.readers.length === 0)
      this.#known = { turn, modes: await this.#deps.modes(tty) }
    return this.#known.modes
  }
}
