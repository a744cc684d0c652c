import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { hasChromium } from './chromium.ts'

/** A screen that nobody sees (.ci/apt.txt), and a browser for it. Where one is missing, tests are skipped, which CI does not allow. */
export const hasScreen = hasChromium && existsSync('/usr/bin/Xvfb')

export class HiddenScreen {
  readonly display: string
  readonly #server: ChildProcess

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

  close(): void {
    this.#server.removeAllListeners('exit')
    this.#server.kill('SIGTERM')
  }
}
