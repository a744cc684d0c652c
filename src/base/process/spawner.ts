import { type ChildProcess, spawn } from 'node:child_process'
import { constants as system } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { getSystemErrorName } from 'node:util'
import { oneWritePerMoment } from '../one-write-per-moment.ts'
import type { ChildListener } from './child-starter.ts'
import { PtyStartLost } from './pty.ts'
import {
  askModesFrame,
  type FailedStage,
  INPUT_ROOM,
  inputFrame,
  resizeFrame,
  SPAWNER_VERSION,
  type SpawnedModes,
  SpawnerFrames,
  type SpawnRequest,
  startFrame,
} from './spawner-frames.ts'

/** A program that the spawner has started. What is said to one that has ended is ignored. */
export interface SpawnedProgram {
  readonly pid: number
  readonly start: string
  /** Of a terminal. False: as much as may wait does, and these bytes do not. */
  write(bytes: Buffer): boolean
  resize(cols: number, rows: number): void
  /** Of a terminal: how it is set now. Null: it has ended, or the system does not say. */
  modes(): Promise<SpawnedModes | null>
}

interface Known {
  readonly executable: string
  readonly cwd: string
  readonly listener: ChildListener
  readonly resolve: (program: SpawnedProgram) => void
  readonly reject: (cause: Error) => void
  started: boolean
  exited: boolean
  /** Input the spawner has not been sent, because it has INPUT_ROOM of this one already. */
  waiting: Buffer[]
  waitingBytes: number
  underWay: number
  /** Who has asked how its terminal is set, first come first. */
  asking: ((modes: SpawnedModes | null) => void)[]
}

/** What a person pastes is far less; what a program types must stop somewhere. */
const MOST_WAITING_INPUT = 8 * 1024 * 1024

/**
 * One process of native/spawner.c, and all it has started. It ends with this process, however this one ends, and so does all it
 * has started; when it ends alone, what it started dies with it, and `onGone` is called after everybody was told.
 */
export class Spawner {
  /** Resolves when it has said that it is ready; rejects when it cannot be used. Nothing was started by then. */
  readonly ready: Promise<void>
  readonly #child: ChildProcess
  readonly #known = new Map<number, Known>()
  #write: (frame: Buffer) => void = () => {}
  #lastId = 0
  #gone = false

  constructor(program: string, onGone: (running: number) => void) {
    // Of our environment it needs nothing. A session of its own: what is typed where we were started is none of its business.
    this.#child = spawn(program, [], { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'], detached: true })
    this.#child.unref()
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code, signal) => {
        reject(new Error(`it ended with ${signal ?? code}`))
        this.#lost(onGone)
      })
      this.#read(version => {
        if (version === SPAWNER_VERSION) resolve()
        else reject(new Error(`it speaks version ${version}, not ${SPAWNER_VERSION}`))
      })
    })
    this.ready.catch(() => {}) // whoever waits for it is told
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Resolves once the program runs; rejects with the system's error, or with PtyStartLost when nobody knows. */
  start(request: SpawnRequest, listener: ChildListener): Promise<SpawnedProgram> {
    const { executable, cwd } = request
    return new Promise((resolve, reject) => {
      this.#lastId = this.#lastId === LARGEST_ID ? 1 : this.#lastId + 1
      const id = this.#lastId
      const frame = startFrame(id, request)
      if (frame === null) throw failure(executable, system.errno.E2BIG)
      // Nothing is looked for on a PATH: what was judged was a file.
      if (!executable.startsWith('/') || !cwd.startsWith('/')) throw failure(executable, system.errno.ENOENT)
      if (this.#gone) throw new Error('The spawner has ended. Nothing ran.')
      const nothing = { started: false, exited: false, waiting: [], waitingBytes: 0, underWay: 0, asking: [] }
      this.#known.set(id, { executable, cwd, listener, resolve, reject, ...nothing })
      this.#send(frame)
    })
  }

  /** All that it started ends with it. */
  dispose(): void {
    this.#child.stdin?.destroy()
    this.#child.stdout?.destroy()
  }

  #read(onReady: (version: number) => void): void {
    const { stdin, stdout } = this.#child as { readonly stdin?: Writable; readonly stdout?: Readable }
    // Without a file descriptor left there are no pipes; then 'error' says so.
    if (!stdin || !stdout) return
    for (const pipe of [stdin, stdout]) {
      pipe.on('error', () => {}) // its end says so
      ;(pipe as { unref?(): void }).unref?.()
    }
    this.#write = oneWritePerMoment(stdin)

    const frames = new SpawnerFrames({
      ready: onReady,
      started: (id, pid, start) => this.#started(id, pid, start),
      failed: (id, stage, errno) => this.#failed(id, stage, errno),
      output: (id, stream, chunk) => this.#known.get(id)?.listener.output(stream, chunk),
      streamEnd: (id, stream) => this.#known.get(id)?.listener.streamEnd(stream),
      exited: (id, exitCode, signal) => this.#exited(id, exitCode, signal === null ? null : signalName(signal)),
      closed: id => this.#closed(id),
      inputTaken: (id, bytes) => this.#inputTaken(id, bytes),
      modes: (id, modes) => this.#known.get(id)?.asking.shift()?.(modes),
    })

    stdout.on('data', (chunk: Buffer) => {
      try {
        frames.receive(chunk)
      } catch {
        // Whatever it is, it is no spawner of ours: from its end on everybody is told.
        this.#child.kill('SIGKILL')
      }
    })
  }

  #send(frame: Buffer): void {
    if (!this.#gone) this.#write(frame)
  }

  #started(id: number, pid: number, start: string): void {
    const known = this.#known.get(id)
    if (!known) return
    known.started = true
    known.resolve({
      pid,
      start,
      write: bytes => this.#type(id, bytes),
      resize: (cols, rows) => void (this.#known.has(id) && this.#send(resizeFrame(id, cols, rows))),
      modes: () => this.#modes(id),
    })
  }

  #failed(id: number, stage: FailedStage, errno: number): void {
    const known = this.#known.get(id)
    this.#known.delete(id)
    if (stage === 'other_directory')
      known?.reject(new Error(`The directory was replaced: another one is at ${known.cwd} now. Nothing ran.`))
    else known?.reject(failure(stage === 'enter_directory' ? known.cwd : known.executable, errno))
  }

  #exited(id: number, exitCode: number | null, signal: string | null): void {
    const known = this.#known.get(id)
    if (!known) return
    known.exited = true
    known.waiting = []
    answerAll(known)
    known.listener.exited(exitCode, signal)
  }

  #closed(id: number): void {
    const known = this.#known.get(id)
    this.#known.delete(id)
    known?.listener.closed()
  }

  #type(id: number, bytes: Buffer): boolean {
    const known = this.#known.get(id)
    if (!known || known.exited || this.#gone) return true
    if (known.waitingBytes + bytes.length > MOST_WAITING_INPUT) return false
    known.waiting.push(bytes)
    known.waitingBytes += bytes.length
    this.#sendInput(id, known)
    return true
  }

  #modes(id: number): Promise<SpawnedModes | null> {
    const known = this.#known.get(id)
    if (!known || known.exited || this.#gone) return Promise.resolve(null)
    return new Promise(resolve => {
      known.asking.push(resolve)
      this.#send(askModesFrame(id))
    })
  }

  #inputTaken(id: number, bytes: number): void {
    const known = this.#known.get(id)
    if (!known) return
    known.underWay -= bytes
    known.listener.inputTaken?.(bytes)
    this.#sendInput(id, known)
  }

  #sendInput(id: number, known: Known): void {
    for (let next = known.waiting[0]; next && known.underWay < INPUT_ROOM; next = known.waiting[0]) {
      const part = next.subarray(0, INPUT_ROOM - known.underWay)
      if (part.length === next.length) known.waiting.shift()
      else known.waiting[0] = next.subarray(part.length)
      known.waitingBytes -= part.length
      known.underWay += part.length
      this.#send(inputFrame(id, part))
    }
  }

  #lost(onGone: (running: number) => void): void {
    this.#gone = true
    const left = [...this.#known.values()]
    this.#known.clear()
    for (const known of left) {
      const { started, exited, listener, reject } = known
      answerAll(known)
      if (!started)
        reject(new PtyStartLost('The process that starts commands died. Whether this one ran is not known.'))
      else if (exited) listener.closed()
      else listener.lost()
    }
    onGone(left.filter(({ exited }) => !exited).length)
  }
}

/** It has ended: nobody says any more how its terminal is set. */
function answerAll(known: Known): void {
  for (const resolve of known.asking.splice(0)) resolve(null)
}

const LARGEST_ID = 2 ** 32 - 1

/** As Node's own child_process reports it; who has no file left to open is told what to do. */
function failure(path: string, errno: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(-errno)
  const syscall = `spawn ${path}`
  const words =
    code === 'EMFILE' || code === 'ENFILE'
      ? `too many files are open (${code}). End commands that run, or raise the limit (ulimit -n)`
      : `${syscall} ${code}`
  return Object.assign(new Error(words), { code, errno: -errno, syscall, path })
}

const signalName = (number: number): string =>
  Object.entries(system.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`
