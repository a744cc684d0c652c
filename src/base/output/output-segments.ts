import { fstatSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { withFile } from './with-file.ts'

/** Reads a log that output-log.ts wrote, also while it is being written and after its writer has gone. */

export type Stream = 'stdout' | 'stderr'

export interface Piece {
  readonly stream: Stream
  readonly start: number
  readonly bytes: Buffer
}

export interface OutputRange {
  readonly pieces: readonly Piece[]
  /** Where to read on. */
  readonly next: number
  /** Bytes inside the range that are gone. */
  readonly lost: number
}

interface SegmentFile {
  readonly start: number
  readonly end: number
  /** It holds stderr too: its index says where. */
  readonly indexed: boolean
}

export const segmentName = (start: number, kind: 'log' | 'idx'): string => `${String(start).padStart(15, '0')}.${kind}`

export function segmentsIn(directory: string): SegmentFile[] {
  let names: Set<string>
  try {
    names = new Set(readdirSync(directory))
  } catch {
    return [] // nothing printed, or evicted meanwhile
  }
  const segments: SegmentFile[] = []
  for (const name of [...names].sort()) {
    if (!name.endsWith('.log')) continue
    const size = statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0
    const start = Number.parseInt(name, 10)
    if (size > 0) segments.push({ start, end: start + size, indexed: names.has(segmentName(start, 'idx')) })
  }
  return segments
}

/** Up to `most` bytes from `from` on. What lies in a gap is skipped and counted. */
export function readRange(directory: string, from: number, most: number): OutputRange {
  const pieces: Piece[] = []
  let at = from
  let lost = 0
  let room = most
  for (const segment of segmentsIn(directory)) {
    if (segment.end <= at) continue
    if (room === 0) break
    if (segment.start > at) {
      lost += segment.start - at
      at = segment.start
    }
    const wanted = Math.min(room, segment.end - at)
    const bytes = withFile(join(directory, segmentName(segment.start, 'log')), fd =>
      readAt(fd, wanted, at - segment.start),
    )
    if (!bytes) continue
    pieces.push(
      ...(segment.indexed
        ? split(directory, segment.start, at, bytes)
        : [{ stream: 'stdout' as const, start: at, bytes }]),
    )
    at += bytes.length
    room -= bytes.length
  }
  return { pieces, next: at, lost }
}

/** Cuts the bytes where the stream changes. */
function split(directory: string, segment: number, from: number, bytes: Buffer): Piece[] {
  const end = from + bytes.length
  const pieces: Piece[] = []
  let stream: Stream = 'stdout'
  let at = from
  const cut = (to: number, next: Stream) => {
    if (to > at) pieces.push({ stream, start: at, bytes: bytes.subarray(at - from, to - from) })
    at = Math.max(at, to)
    stream = next
  }
  withFile(join(directory, segmentName(segment, 'idx')), fd => {
    const count = Math.floor(fstatSync(fd).size / 8)
    let first = lastEntryBefore(fd, count, from)
    for (; first < count; first += 512) {
      const page = readAt(fd, 512 * 8, first * 8)
      for (let i = 0; i + 8 <= page.length; i += 8) {
        const entry = page.readDoubleLE(i)
        const offset = Math.floor(entry / 2)
        if (offset >= end) return
        cut(Math.max(offset, from), entry % 2 === 1 ? 'stderr' : 'stdout')
      }
    }
  })
  cut(end, stream)
  return pieces
}

/** Entries are in order of offset: the last one at or before `offset` says which stream `offset` is in. */
function lastEntryBefore(fd: number, count: number, offset: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (Math.floor(readAt(fd, 8, middle * 8).readDoubleLE(0) / 2) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

function readAt(fd: number, length: number, position: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
}
