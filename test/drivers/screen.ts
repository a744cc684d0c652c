import { type ChildProcess, execFile, spawn } from 'node:child_process'

/** A screen that nobody sees. With `manage` there is somebody at its keyboard: windows get the focus, keys come from the X server. */
export class HiddenScreen {
  readonly display: string
  readonly #server: ChildProcess
  #manager: ChildProcess | null = null

  private constructor(display: string, server: ChildProcess) {
    this.display = display
    this.#server = server
  }

  /** The server chooses a free number and says which. */
  static open(): Promise<HiddenScreen> {
    const server = spawn('/usr/bin/Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.once('exit', code => reject(new Error(`Xvfb ended with ${code}`)))
      server.stdout.once('data', (number: Buffer) => resolve(new HiddenScreen(`:${number.toString().trim()}`, server)))
    })
  }

  /** Windows get the focus from now on, as on a desktop. */
  manage(): void {
    const env = { ...process.env, DISPLAY: this.display }
    this.#manager = spawn('/usr/bin/openbox', ['--sm-disable'], { stdio: 'ignore', env })
  }

  /** What a person does with the keyboard and the windows, as xdotool says it; done when the X server has it all. */
  does(...words: readonly string[]): Promise<string> {
    const env = { ...process.env, DISPLAY: this.display }
    return new Promise((resolve, reject) =>
      execFile('/usr/bin/xdotool', words, { env }, (error, stdout) => (error ? reject(error) : resolve(stdout))),
    )
  }

  close(): void {
    this.#manager?.kill('SIGTERM')
    this.#server.removeAllListeners('exit')
    this.#server.kill('SIGTERM')
  }
}
