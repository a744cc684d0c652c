/**
 * What the server and its spawner (native/spawner.c) say to each other: u32 size of what follows the header, u32 type, u32 id, then
 * `size` bytes; little-endian.
 */
export const SPAWNER_VERSION = 2

/** A program to be started. Paths are absolute; what a text holds goes through as UTF-8, byte for byte. */
export interface SpawnRequest {
  readonly executable: string
  /** With the program's own name. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** Only this very directory is entered: device and inode. */
  readonly pinnedCwd?: { readonly device: bigint; readonly inode: bigint } | undefined
  readonly env: Readonly<Record<string, string>>
  /** In a terminal of this size; null: stdout and stderr are pipes, and stdin is empty. */
  readonly terminal: { readonly cols: number; readonly rows: number } | null
}

const HEADER = 12
const START_FIELDS = 40
const LONGEST_START = 8 * 1024 * 1024
const IN_TERMINAL = 1
const PINNED = 2

/** How much input one terminal may have under way. */
export const INPUT_ROOM = 16 * 1024

const TO = { start: 1, input: 2, resize: 3, askModes: 4 } as const
const FROM = {
  ready: 1,
  started: 2,
  failed: 3,
  stdout: 4,
  stderr: 5,
  streamEnd: 6,
  exited: 7,
  closed: 8,
  inputTaken: 9,
  modes: 10,
} as const

const MODES = { known: 1, canonical: 2, echo: 4, signals: 8 } as const

/** How a terminal is set. canonical: it hands on whole lines · echo: it shows what is typed · signals: Ctrl+C interrupts. */
export interface SpawnedModes {
  readonly canonical: boolean
  readonly echo: boolean
  readonly signals: boolean
  /** The group of processes in its foreground; 0: there is none, or the system did not say. */
  readonly foreground: number
}

/** Null: it is longer than any system would take. Throws for a text that no program can be given. */
export function startFrame(id: number, request: SpawnRequest): Buffer | null {
  const { executable, cwd, env, terminal, pinnedCwd } = request
  const argv = request.argv.length > 0 ? request.argv : [executable]
  const names = Object.keys(env)
  let text = `${executable}\0${cwd}\0`
  for (const word of argv) text += `${word}\0`
  for (const name of names) text += `${name}=${env[name]}\0`
  // Each text has its end, and no other null byte is among them.
  if (nullBytesIn(text) !== 2 + argv.length + names.length)
    throw Object.assign(new TypeError('A program can be given no text with a null byte.'), {
      code: 'ERR_INVALID_ARG_VALUE',
    })
  const size = START_FIELDS + Buffer.byteLength(text)
  if (size > LONGEST_START) return null

  const frame = header('start', id, size)
  frame.fill(0, HEADER, HEADER + START_FIELDS)
  putU32(frame, HEADER, (terminal ? IN_TERMINAL : 0) | (pinnedCwd ? PINNED : 0))
  if (terminal) {
    putU32(frame, HEADER + 4, side(terminal.cols))
    putU32(frame, HEADER + 8, side(terminal.rows))
  }
  putU32(frame, HEADER + 12, argv.length)
  putU32(frame, HEADER + 16, names.length)
  if (pinnedCwd) {
    frame.writeBigUInt64LE(pinnedCwd.device, HEADER + 24)
    frame.writeBigUInt64LE(pinnedCwd.inode, HEADER + 32)
  }
  frame.write(text, HEADER + START_FIELDS, 'utf8')
  return frame
}

function nullBytesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\0'); at >= 0; at = text.indexOf('\0', at + 1)) count++
  return count
}

export function inputFrame(id: number, bytes: Buffer): Buffer {
  const frame = header('input', id, bytes.length)
  bytes.copy(frame, HEADER)
  return frame
}

export function resizeFrame(id: number, cols: number, rows: number): Buffer {
  const frame = header('resize', id, 8)
  frame.writeUInt32LE(side(cols), HEADER)
  frame.writeUInt32LE(side(rows), HEADER + 4)
  return frame
}

export const askModesFrame = (id: number): Buffer => header('askModes', id, 0)

/** No terminal is larger. */
const side = (length: number): number => Math.min(Math.max(0, Math.trunc(length)), 0xffff)

function header(type: keyof typeof TO, id: number, size: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + size)
  putU32(frame, 0, size)
  putU32(frame, 4, TO[type])
  putU32(frame, 8, id)
  return frame
}

/** Little-endian. Part of every start and end: the checks of `readUInt32LE` and `writeUInt32LE` cost more than the bytes. */
const u32At = (bytes: Buffer, at: number): number =>
  (byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24)) >>>
  0

const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0

function putU32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}

export interface SpawnerListener {
  ready(version: number): void
  started(id: number, pid: number, start: string): void
  /** `stage`: what could not be done. */
  failed(id: number, stage: FailedStage, errno: number): void
  output(id: number, stream: 'stdout' | 'stderr', chunk: Buffer): void
  streamEnd(id: number, stream: 'stdout' | 'stderr'): void
  exited(id: number, exitCode: number | null, signal: number | null): void
  closed(id: number): void
  inputTaken(id: number, bytes: number): void
  /** Null: the system did not say. */
  modes(id: number, modes: SpawnedModes | null): void
}

const STAGES = { 1: 'prepare', 2: 'enter_directory', 3: 'other_directory', 4: 'execute' } as const
export type FailedStage = (typeof STAGES)[keyof typeof STAGES]

const LONGEST_SMALL = 12

/** Cuts what comes into frames. Output is handed on in the pieces it comes in, never copied. Throws for what is no frame. */
export class SpawnerFrames {
  readonly #listener: SpawnerListener
  /** A header, or a small frame, that was cut. */
  readonly #held = Buffer.alloc(HEADER + LONGEST_SMALL)
  #heldLength = 0
  /** Of the output that is just coming. */
  #left = 0
  #id = 0
  #stream: 'stdout' | 'stderr' = 'stdout'

  constructor(listener: SpawnerListener) {
    this.#listener = listener
  }

  receive(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const end = Math.min(chunk.length, at + this.#left)
        this.#left -= end - at
        this.#listener.output(this.#id, this.#stream, chunk.subarray(at, end))
        at = end
      } else at = this.#heldLength > 0 ? this.#goOn(chunk, at) : this.#begin(chunk, at)
    }
  }

  #begin(chunk: Buffer, at: number): number {
    const size = sizeAt(chunk, at, chunk.length)
    if (size !== null && at + size <= chunk.length) {
      this.#take(chunk, at)
      return at + size
    }
    return this.#goOn(chunk, at)
  }

  #goOn(chunk: Buffer, at: number): number {
    const wanted = sizeAt(this.#held, 0, this.#heldLength) ?? HEADER
    const count = Math.min(wanted - this.#heldLength, chunk.length - at)
    chunk.copy(this.#held, this.#heldLength, at, at + count)
    this.#heldLength += count
    if (this.#heldLength >= HEADER && this.#heldLength === sizeAt(this.#held, 0, this.#heldLength)) {
      this.#heldLength = 0
      this.#take(this.#held, 0)
    }
    return at + count
  }

  #take(bytes: Buffer, at: number): void {
    const size = u32At(bytes, at)
    const type = u32At(bytes, at + 4)
    const id = u32At(bytes, at + 8)
    if (type === FROM.stdout || type === FROM.stderr) {
      this.#left = size
      this.#id = id
      this.#stream = type === FROM.stdout ? 'stdout' : 'stderr'
      return
    }

    const first = size >= 4 ? u32At(bytes, at + HEADER) : 0
    const second = size >= 8 ? u32At(bytes, at + HEADER + 4) : 0
    const listener = this.#listener
    switch (type) {
      case FROM.started:
        listener.started(id, first, String(bytes.readBigUInt64LE(at + HEADER + 4)))
        break
      case FROM.exited:
        listener.exited(id, second === 0 ? first : null, second === 0 ? null : first)
        break
      case FROM.streamEnd:
        listener.streamEnd(id, first === 0 ? 'stdout' : 'stderr')
        break
      case FROM.closed:
        listener.closed(id)
        break
      case FROM.inputTaken:
        listener.inputTaken(id, first)
        break
      case FROM.modes:
        listener.modes(id, modesIn(first, second))
        break
      case FROM.failed:
        listener.failed(id, STAGES[first as keyof typeof STAGES] ?? 'prepare', second)
        break
      case FROM.ready:
        listener.ready(first)
    }
  }
}

const SIZES: Readonly<Record<number, number>> = {
  [FROM.ready]: 4,
  [FROM.started]: LONGEST_SMALL,
  [FROM.failed]: 8,
  [FROM.streamEnd]: 8,
  [FROM.exited]: 8,
  [FROM.closed]: 0,
  [FROM.inputTaken]: 8,
  [FROM.modes]: 8,
}

function modesIn(flags: number, foreground: number): SpawnedModes | null {
  if ((flags & MODES.known) === 0) return null
  const has = (flag: number) => (flags & flag) !== 0
  return { canonical: has(MODES.canonical), echo: has(MODES.echo), signals: has(MODES.signals), foreground }
}

/** Of a whole frame; of output its header alone, for the rest is handed on as it comes. Null: that much is not there yet. */
function sizeAt(bytes: Buffer, at: number, end: number): number | null {
  if (end - at < HEADER) return null
  const size = u32At(bytes, at)
  const type = u32At(bytes, at + 4)
  if (type === FROM.stdout || type === FROM.stderr) return HEADER
  if (SIZES[type] !== size) throw new Error(`the spawner sent what is no frame: type ${type}, ${size} bytes`)
  return HEADER + size
}
