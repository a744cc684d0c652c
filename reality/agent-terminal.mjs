// A program in a real terminal, with its screen as a person sees it.
import { spawn } from '@lydell/node-pty'
import headlessTerminal from '@xterm/headless'

const SIZE = { cols: 120, rows: 40 }

export class AgentTerminal {
  #pty
  #screen = new headlessTerminal.Terminal({ ...SIZE, allowProposedApi: true })
  exitCode = null

  constructor(command, args, { cwd, env }) {
    this.#pty = spawn(command, args, { ...SIZE, cwd, env: { TERM: 'xterm-256color', ...env } })
    this.#pty.onData(text => this.#screen.write(text))
    // Programs ask a terminal what it is and wait for the answer.
    this.#screen.onData(answer => this.exitCode === null && this.#pty.write(answer))
    this.#pty.onExit(({ exitCode }) => {
      this.exitCode = exitCode
    })
  }

  get pid() {
    return this.#pty.pid
  }

  get text() {
    const { active } = this.#screen.buffer
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
    return lines.join('\n').trimEnd()
  }

  type(keys) {
    if (this.exitCode === null) this.#pty.write(keys)
  }

  /** As a person types: some programs take a line in one piece for something pasted, and Enter in it for a line end. */
  async enter(line) {
    this.type(line)
    await pause(400)
    this.type('\r')
  }

  async sees(what, withinMs = 30_000) {
    await until(() => what.test(this.text) || this.exitCode !== null, withinMs)
    if (!what.test(this.text)) throw new Error(`never on the screen: ${what}\n${this.text}`)
  }

  async ends(signal = 'SIGTERM', withinMs = 5000) {
    if (this.exitCode === null) this.#pty.kill(signal)
    if (!(await until(() => this.exitCode !== null, withinMs))) this.#pty.kill('SIGKILL')
  }
}

export const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Whether it came to be so in time. */
export async function until(isSo, withinMs) {
  const last = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > last) return false
    await pause(50)
  }
  return true
}
