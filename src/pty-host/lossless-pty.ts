import { randomInt } from 'node:crypto'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants as system } from 'node:os'
import type { IPty } from '@lydell/node-pty'
import type { Clock } from '../base/clock.ts'
import type { PtyCommand, PtyExit } from '../base/process/pty.ts'
import { startHeld } from './held-start.ts'
import type { OwnModes } from './waiting/terminal-modes.ts'

/**
 * A command in a terminal of its own, without losing what it printed last.
 *
 * On Node 20 and 22 the end of the child closes the reading side while up to 15 kB are still in the kernel. So we hold
 * the child's side of the terminal open too, and when the child is gone write a random mark into it: what comes out is
 * in order, so once the mark has come, everything before it has.
 */
export interface LosslessPty {
  readonly pid: number
  /** Tells a reused pid apart; undefined: whoever started it did not say. */
  readonly start?: string
  /** The file of the child's side, where it is known. */
  readonly tty?: string
  readonly ended: Promise<LosslessEnd>
  write(bytes: Buffer): void
  resize(cols: number, rows: number): void
  /** How the terminal is set now, where whoever owns it can be asked. Null: it has ended, or that is not known. */
  modes?(): Promise<OwnModes | null>
}

export type LosslessEnd = Omit<PtyExit, 'carried' | 'at'>

/** Rejects when it cannot be started: then nothing ran. */
export type StartPty = (
  command: StartCommand,
  onOutput: (chunk: Buffer) => void,
  /** So much more of what was typed waits here no longer. */
  onTaken?: (bytes: number) => void,
) => Promise<LosslessPty>

type StartCommand = Pick<PtyCommand, 'executable' | 'args' | 'cwd' | 'pinned' | 'env' | 'cols' | 'rows'>

const MARK_EVERY_MS = 4
const LOOK_EVERY_MS = 250
const LONGEST_DRAIN_MS = 10_000
export const TERMINAL_NAME = 'xterm-256color'

/** Terminals of this very process. */
export const ownPtys =
  (clock: Clock): StartPty =>
  async (command, onOutput, onTaken) =>
    startPty(command, onOutput, clock, onTaken)

export function startPty(
  command: StartCommand,
  onOutput: (chunk: Buffer) => void,
  clock: Clock,
  onTaken: (bytes: number) => void = () => {},
): LosslessPty {
  const pty = startHeld(command, {
    name: TERMINAL_NAME,
    env: { ...command.env },
    cols: command.cols,
    rows: command.rows,
    // Bytes, never re-encoded: a character may come in two pieces.
    encoding: null,
  })

  // Windows has no such loss, and no file for the child's side.
  const drain = process.platform === 'win32' ? { complete: true } : new Drain(pty, onOutput, clock)
  if (process.platform === 'win32') pty.onData(chunk => onOutput(Buffer.from(chunk)))

  const ended = new Promise<LosslessEnd>(resolve =>
    pty.onExit(({ exitCode, signal }) => {
      const deadly = signal === undefined || signal === 0 ? null : signalName(signal)
      resolve({ exitCode: deadly === null ? exitCode : null, signal: deadly, drained: drain.complete })
    }),
  )

  return {
    pid: pty.pid,
    ...(process.platform !== 'win32' && { tty: (pty as Inside).ptsName }),
    ended,
    // How much of it waits node-pty does not say.
    write: bytes => {
      pty.write(bytes)
      onTaken(bytes.length)
    },
    resize: (cols, rows) => {
      try {
        pty.resize(cols, rows)
      } catch {
        // It ended meanwhile: there is nothing left to resize.
      }
    },
  }
}

/** What node-pty does not show of itself. The version is pinned. */
interface Inside extends IPty {
  readonly ptsName: string
  readonly _socket: Socket
  _boundClose: boolean
}

class Drain {
  complete = false
  readonly #mark = Buffer.from(`\x1b]7733;${digits(24)}\x07`)
  readonly #clock: Clock
  readonly #onOutput: (chunk: Buffer) => void
  readonly #destroy: () => void
  readonly #slave: number
  #goneAt: number | null = null
  #sent = 0
  #over = false
  #held: Buffer = Buffer.alloc(0)

  constructor(given: IPty, onOutput: (chunk: Buffer) => void, clock: Clock) {
    const pty = given as Inside
    this.#clock = clock
    this.#onOutput = onOutput
    this.#slave = openSync(pty.ptsName, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
    const socket = pty._socket
    const destroy = socket.destroy.bind(socket)
    this.#destroy = () => void destroy()
    // node-pty would close the terminal 200 ms after the child's end, read or not.
    socket.destroy = error => (this.#over ? destroy(error) : socket)
    // node-pty notes the child's end here first; asking the system every few milliseconds would cost more.
    let noted = false
    Object.defineProperty(pty, '_boundClose', {
      get: () => noted,
      set: (value: boolean) => {
        noted = value
        if (value) this.#childGone()
      },
    })
    pty.onData(chunk => this.#receive(chunk as unknown as Buffer))
    socket.once('close', () => this.#finish('closed'))
    this.#watch(pty.pid)
  }

  /** Should node-pty ever note the end elsewhere, it is still noticed. */
  #watch(pid: number): void {
    if (this.#over || this.#goneAt !== null) return
    try {
      process.kill(pid, 0)
      this.#clock.after(LOOK_EVERY_MS, () => this.#watch(pid))
    } catch {
      this.#childGone()
    }
  }

  #childGone(): void {
    if (this.#goneAt !== null || this.#over) return
    this.#goneAt = this.#clock.elapsed()
    this.#sendMark()
  }

  #sendMark(): void {
    if (this.#over) return
    if (this.#sent < this.#mark.length) {
      try {
        this.#sent += writeSync(this.#slave, this.#mark, this.#sent)
      } catch (cause) {
        // Full: what is in it must be read first.
        if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') this.#finish('closed')
      }
    }
    if (this.#clock.elapsed() - (this.#goneAt ?? 0) > LONGEST_DRAIN_MS) this.#finish('gave_up')
    else this.#clock.after(MARK_EVERY_MS, () => this.#sendMark())
  }

  #receive(chunk: Buffer): void {
    if (this.#goneAt === null) {
      this.#onOutput(chunk)
      return
    }
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    const at = bytes.indexOf(this.#mark)
    if (at >= 0) {
      this.#held = Buffer.from(bytes.subarray(0, at))
      this.#finish('mark_seen')
      return
    }
    // The mark may be cut in two: its possible start waits for the rest.
    const keep = Math.min(bytes.length, this.#mark.length - 1)
    this.#held = Buffer.from(bytes.subarray(bytes.length - keep))
    if (bytes.length > keep) this.#onOutput(bytes.subarray(0, bytes.length - keep))
  }

  #finish(how: 'mark_seen' | 'closed' | 'gave_up'): void {
    if (this.#over) return
    this.#over = true
    this.complete = how !== 'gave_up'
    if (this.#held.length > 0) this.#onOutput(this.#held)
    closeSync(this.#slave)
    setImmediate(this.#destroy)
  }
}

// Digits only: a terminal set to change letters leaves them alone.
const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('')

const signalName = (number: number): string =>
  Object.entries(system.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`
