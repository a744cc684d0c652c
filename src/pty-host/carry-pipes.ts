import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, constants, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Disposable } from '../base/disposable.ts'
import type { CarriedState } from '../base/process/pty.ts'
import { readCarryReport } from './carry-report.ts'

/**
 * Named pipes on which a shell reports at its end where it is. A pipe is memory, so no value of a variable is ever on
 * disk; it has a name because neither Node nor node-pty can hand a child another descriptor. Made once, used again: a run
 * takes a free one, and one is ready before it is asked for.
 */
export class CarryPipes implements Disposable {
  readonly #directory: string
  readonly #free: string[] = []
  #made = 0
  #preparing = false
  #over = false

  /** `directory` is ours alone; pipes that a dead process left in it are removed. */
  constructor(directory: string) {
    this.#directory = directory
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
    for (const name of readdirSync(directory))
      if (!isAlive(Number(name.split('-')[0]))) rmSync(join(directory, name), { force: true })
    this.#prepare()
  }

  /** null: this system has no such pipes. */
  take(): CarryPipe | null {
    const path = this.#free.pop() ?? this.#makeNow()
    this.#prepare()
    return path === null ? null : new CarryPipe(path, () => this.#giveBack(path))
  }

  dispose(): void {
    this.#over = true
    for (const path of this.#free.splice(0)) rmSync(path, { force: true })
  }

  #giveBack(path: string): void {
    if (this.#over) rmSync(path, { force: true })
    else this.#free.push(path)
  }

  /** One is ready before it is needed: making it takes longer than a short command. */
  #prepare(): void {
    if (this.#free.length > 0 || this.#preparing || process.platform === 'win32') return
    this.#preparing = true
    const path = this.#nextPath()
    execFile('mkfifo', [...MODE, path], problem => {
      this.#preparing = false
      if (problem === null) this.#giveBack(path)
    })
  }

  #makeNow(): string | null {
    if (process.platform === 'win32') return null
    const path = this.#nextPath()
    try {
      execFileSync('mkfifo', [...MODE, path], { stdio: 'ignore' })
      return path
    } catch {
      return null // no mkfifo, or no room: commands run all the same, and what they change is not carried over
    }
  }

  #nextPath(): string {
    this.#made += 1
    return join(this.#directory, `${process.pid}-${this.#made}-${randomBytes(4).toString('hex')}`)
  }
}

const MODE = ['-m', '600']
const LONGEST_REPORT = 512 * 1024

/** One run's pipe. Held open for reading from before the start, so the shell never waits for a reader. */
export class CarryPipe implements Disposable {
  readonly #fd: number
  readonly #socket: Socket
  readonly #nonce = randomBytes(16).toString('hex')
  readonly #path: string
  readonly #giveBack: () => void
  readonly #chunks: Buffer[] = []
  #size = 0
  #over = false

  constructor(path: string, giveBack: () => void) {
    this.#path = path
    this.#giveBack = giveBack
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    this.#socket = new Socket({ fd: this.#fd, readable: true, writable: false })
    // A report may be larger than a pipe holds: it is read while it is written.
    this.#socket.on('data', chunk => this.#receive(chunk))
    this.#socket.on('error', () => {}) // what has not come by then is no report
    this.#socket.unref()
  }

  /** What the shell is given behind its other arguments: where to write, and what makes it this run's. */
  get args(): readonly [path: string, nonce: string] {
    return [this.#path, this.#nonce]
  }

  /** Once the shell is gone, all it wrote is in the pipe. null: it reported nothing, or not to the end. */
  report(): CarriedState | null {
    const rest = Buffer.allocUnsafe(64 * 1024)
    try {
      for (let read = readSync(this.#fd, rest); read > 0; read = readSync(this.#fd, rest))
        this.#receive(Buffer.from(rest.subarray(0, read)))
    } catch {
      // EAGAIN: that was all
    }
    return readCarryReport(Buffer.concat(this.#chunks), this.#nonce)
  }

  dispose(): void {
    if (this.#over) return
    this.#over = true
    this.#socket.destroy()
    this.#giveBack()
  }

  #receive(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= LONGEST_REPORT) this.#chunks.push(chunk)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
