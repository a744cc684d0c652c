import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { LogBudget, Shrinkable } from './log-budget.ts'
import { type OutputRange, type Stream, segmentName } from './output-segments.ts'
import { OutputTimes } from './output-times.ts'
import { RecentOutput } from './recent-output.ts'
import { Utf8Joint } from './utf8-joint.ts'

/**
 * Writes what a run prints to disk as it comes, stdout and stderr in one log in order of arrival.
 *
 *   <offset>.log   the bytes, a new file every few MB
 *   <offset>.idx   where the stream changes, written only once there is stderr
 *   times          when output came, see output-times.ts
 *
 * An offset in the log is the cursor everybody reads with. Memory holds counters and the last few lines. Over the quota the head and the
 * tail stay and the middle goes; a full disk loses bytes, counts them, and never stops the command.
 */
export interface OutputLogOptions {
  readonly directory: string
  readonly quotaBytes: number
  /** Shared with other logs; without it only the quota counts. */
  readonly budget?: LogBudget
  /** Called after each write, for those who wait for more. */
  readonly onGrown: () => void
  /** For when output came; without it that is not noted. */
  readonly now?: () => number
}

interface Segment {
  readonly start: number
  data: number
  index: number
}

const SEGMENT_BYTES = 8 * 1024 * 1024
// With a budget there may be hundreds of logs, and each is checked only once a segment.
const BUDGETED_SEGMENT_BYTES = 2 * 1024 * 1024
const HEAD_SHARE = 0.25
const ENTRY_BYTES = 8
const LONGEST_CHARACTER = 4

export class OutputLog implements Shrinkable {
  readonly #options: OutputLogOptions
  readonly #joints: Record<Stream, Utf8Joint> = { stdout: new Utf8Joint(), stderr: new Utf8Joint() }
  readonly #segmentBytes: number
  readonly #segments: Segment[] = []
  readonly #recent = new RecentOutput()
  readonly #times: OutputTimes | null
  #log: number | null = null
  #index: number | null = null
  #lastStream: Stream = 'stdout'
  #size = 0
  #lost = 0

  constructor(options: OutputLogOptions) {
    this.#options = options
    // Small quotas get small segments, so that dropping one is never dropping nearly everything.
    const most = options.budget ? BUDGETED_SEGMENT_BYTES : SEGMENT_BYTES
    this.#segmentBytes = Math.max(4096, Math.min(most, Math.floor(options.quotaBytes / 8)))
    this.#times = options.now ? new OutputTimes(options.directory, options.now) : null
    options.budget?.enter(this)
  }

  get bytesOnDisk(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.data + segment.index, 0)
  }

  /** Bytes printed so far: the cursor of the end. */
  get size(): number {
    return this.#size
  }

  /** Bytes that can no longer be read. */
  get lost(): number {
    return this.#lost
  }

  /** Of what is on disk, what was printed last; null: it has to be read there. */
  recent(from: number, most: number): OutputRange | null {
    return this.#recent.read(from, most)
  }

  append(stream: Stream, chunk: Buffer): void {
    this.#write(stream, this.#joints[stream].push(chunk))
  }

  /** One of the streams has ended: an unfinished character at its end is written as it is. */
  endStream(stream: Stream): void {
    this.#write(stream, this.#joints[stream].end())
  }

  close(): void {
    this.endStream('stdout')
    this.endStream('stderr')
    this.#closeSegment()
    this.#times?.close()
    this.#options.budget?.leave(this)
  }

  shrink(): boolean {
    const head = this.#segments.length > this.#headSegments + 1 ? this.#headSegments : 1
    if (this.#segments.length < head + 2) return false
    this.#drop(head)
    return true
  }

  #write(stream: Stream, bytes: Buffer): void {
    if (bytes.length === 0) return
    const at = this.#size
    const end = at + bytes.length
    try {
      while (this.#size < end) {
        const segment = this.#openSegment()
        if (stream !== this.#lastStream) this.#markStream(segment, stream)
        const from = this.#size - at
        const room = this.#segmentBytes - segment.data - segment.index
        const count = writeSync(this.#log as number, bytes, from, wholeCharacters(bytes, from, room))
        this.#size += count
        segment.data += count
      }
      this.#recent.add(stream, at, bytes)
      this.#times?.note(at)
    } catch {
      // A full or read-only disk must not stop the command: what did not fit is lost and counted, the next write tries anew.
      this.#lost += end - this.#size
      this.#recent.clear()
      this.#abandonSegment()
      this.#size = end
    }
    this.#options.onGrown()
  }

  /** The log goes on in a new segment; one that holds nothing leaves no file. */
  #abandonSegment(): void {
    const wasOpen = this.#log !== null
    this.#closeSegment()
    const last = this.#segments.at(-1)
    if (!wasOpen || !last || last.data > 0) return
    this.#segments.pop()
    this.#remove(last)
  }

  #openSegment(): Segment {
    const current = this.#segments.at(-1)
    const room = current ? this.#segmentBytes - current.data - current.index : 0
    if (this.#log !== null && current && room >= ENTRY_BYTES + LONGEST_CHARACTER) return current
    this.#closeSegment()
    this.#dropMiddle()
    const segment: Segment = { start: this.#size, data: 0, index: 0 }
    const { directory, budget } = this.#options
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const what = segment.start === 0 ? 'beginning' : 'more'
    if (budget?.makeRoom(directory, this.#segmentBytes, what) === false) throw new Error('the disk would be full')
    this.#log = openSync(join(this.#options.directory, segmentName(segment.start, 'log')), 'a', 0o600)
    this.#segments.push(segment)
    // A segment starts on stdout unless its index says otherwise.
    if (this.#lastStream === 'stderr') {
      this.#lastStream = 'stdout'
      this.#markStream(segment, 'stderr')
    }
    return segment
  }

  #markStream(segment: Segment, stream: Stream): void {
    this.#index ??= openSync(join(this.#options.directory, segmentName(segment.start, 'idx')), 'a', 0o600)
    const entry = Buffer.allocUnsafe(ENTRY_BYTES)
    entry.writeDoubleLE(this.#size * 2 + (stream === 'stderr' ? 1 : 0))
    writeSync(this.#index, entry)
    segment.index += entry.length
    this.#lastStream = stream
  }

  #dropMiddle(): void {
    const head = this.#headSegments
    const room = this.#options.quotaBytes - this.#segmentBytes
    while (this.#segments.length > head && this.bytesOnDisk > room) this.#drop(head)
  }

  get #headSegments(): number {
    return Math.max(1, Math.round((this.#options.quotaBytes * HEAD_SHARE) / this.#segmentBytes))
  }

  #drop(index: number): void {
    const [gone] = this.#segments.splice(index, 1)
    if (!gone) return
    this.#lost += gone.data
    this.#remove(gone)
  }

  #remove(segment: Segment): void {
    rmSync(join(this.#options.directory, segmentName(segment.start, 'log')), { force: true })
    if (segment.index > 0) rmSync(join(this.#options.directory, segmentName(segment.start, 'idx')), { force: true })
  }

  #closeSegment(): void {
    if (this.#log !== null) closeSync(this.#log)
    if (this.#index !== null) closeSync(this.#index)
    this.#log = null
    this.#index = null
  }
}

/** How many bytes from `from` on go into `room`, cut where a character begins. What is no text is cut anywhere. */
function wholeCharacters(bytes: Buffer, from: number, room: number): number {
  if (bytes.length - from <= room) return bytes.length - from
  for (let count = room; count > room - LONGEST_CHARACTER; count--)
    if (((bytes[from + count] ?? 0) & 0xc0) !== 0x80) return count
  return room
}
