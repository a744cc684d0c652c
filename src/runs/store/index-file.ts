import { createHash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'
import { replaceFile } from '../../base/atomic-file.ts'
import { withFile } from '../../base/output/with-file.ts'

export const LINE_TYPES = ['opened', 'allowed', 'started', 'ended'] as const
export type LineType = (typeof LINE_TYPES)[number]

/** Where in a ledger the lines of one run are: offset and length. */
export type RunLines = Readonly<Record<LineType, readonly [number, number] | null>>

export const NOWHERE_YET: RunLines = { opened: null, allowed: null, started: null, ended: null }

export const joined = (before: RunLines | null, since: Partial<RunLines>): RunLines => ({
  opened: since.opened ?? before?.opened ?? null,
  allowed: since.allowed ?? before?.allowed ?? null,
  started: since.started ?? before?.started ?? null,
  ended: since.ended ?? before?.ended ?? null,
})

/** Where it begins; a ledger is in the order in which runs were opened. */
export const openedAt = ({ opened }: RunLines): number => opened?.[0] ?? 0

/** A run by a short hash of its id. */
export interface IndexedRun {
  readonly key: string
  readonly lines: RunLines
}

/** What is known of a ledger without reading it. */
export interface IndexHead {
  /** How much of the ledger it knows. */
  readonly covers: number
  readonly runs: number
  readonly over: number
  /** Output that was kept of those that are over. */
  readonly keptBytes: number
  /** The key of the run that was opened first. */
  readonly first: string | null
  /** Not over, oldest first. */
  readonly open: readonly IndexedRun[]
  /** Those that ended last, in that order. */
  readonly newest: readonly IndexedRun[]
}

const MAGIC = 'itidx001'
const KEY_BYTES = 8
const PLACE_BYTES = 10
const RECORD_BYTES = KEY_BYTES + LINE_TYPES.length * PLACE_BYTES
const NOWHERE = 0xffff_ffff_ffff

/**
 * `ledger.idx`: where each run of a ledger is, sorted, so that one of a hundred thousand is found with a dozen short reads and no
 * memory. Only ever a help: it is made from the ledger and made again when it does not fit.
 */
export const keyOf = (id: string): string =>
  createHash('sha256')
    .update(id)
    .digest('hex')
    .slice(0, KEY_BYTES * 2)

/** `before` are records as `IndexFile.records` gives them; `since` are put in their places among them. */
export function writeIndex(
  file: string,
  head: Omit<IndexHead, 'runs'>,
  before: Buffer,
  since: readonly IndexedRun[],
): void {
  const records = merged(before, since)
  const { first, open, newest, ...numbers } = head
  const runs = records.length / RECORD_BYTES
  const top = JSON.stringify({ ...numbers, runs, first, open: open.length, newest: newest.length })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(top))
  const body = Buffer.concat([
    Buffer.from(MAGIC),
    length,
    Buffer.from(top),
    ...[...open, ...newest].map(encoded),
    records,
  ])

  replaceFile(file, body)
}

export class IndexFile {
  readonly head: IndexHead
  readonly #file: string
  readonly #start: number

  private constructor(file: string, head: IndexHead, start: number) {
    this.#file = file
    this.head = head
    this.#start = start
  }

  /** null: there is none that fits. */
  static open(file: string): IndexFile | null {
    return inIndex(file, fd => {
      const start = read(fd, MAGIC.length + 4, 0)
      if (start.toString('latin1', 0, MAGIC.length) !== MAGIC) return null
      const length = start.readUInt32BE(MAGIC.length)
      const top = JSON.parse(read(fd, length, start.length).toString('utf8')) as Numbers
      const at = start.length + length
      const open = decodedAll(read(fd, top.open * RECORD_BYTES, at))
      const newest = decodedAll(read(fd, top.newest * RECORD_BYTES, at + top.open * RECORD_BYTES))
      const records = at + (top.open + top.newest) * RECORD_BYTES
      if (fstatSync(fd).size !== records + top.runs * RECORD_BYTES) return null
      return new IndexFile(file, { ...top, open, newest }, records)
    })
  }

  find(key: string): RunLines | null {
    return inIndex(this.#file, fd => {
      let low = 0
      let high = this.head.runs
      while (low < high) {
        const middle = (low + high) >> 1
        const run = decoded(read(fd, RECORD_BYTES, this.#start + middle * RECORD_BYTES), 0)
        if (run.key === key) return run.lines
        if (run.key < key) low = middle + 1
        else high = middle
      }
      return null
    })
  }

  /** Those that were opened before this place in the ledger, the last of them, in no order. */
  before(place: number, most: number): IndexedRun[] {
    const records = this.records()
    const places = Array.from({ length: records.length / RECORD_BYTES }, (_, i) =>
      records.readUIntBE(i * RECORD_BYTES + KEY_BYTES, 6),
    )
    const wanted = Float64Array.from(places.filter(each => each < place && each !== NOWHERE)).sort()
    const first = wanted[Math.max(0, wanted.length - most)] ?? Number.POSITIVE_INFINITY
    return places.flatMap((each, i) => (each >= first && each < place ? [decoded(records, i * RECORD_BYTES)] : []))
  }

  /** In the order of their keys. */
  all(): IndexedRun[] {
    return decodedAll(this.records())
  }

  records(): Buffer {
    return inIndex(this.#file, fd => read(fd, this.head.runs * RECORD_BYTES, this.#start)) ?? Buffer.alloc(0)
  }
}

interface Numbers extends Pick<IndexHead, 'covers' | 'runs' | 'over' | 'keptBytes' | 'first'> {
  readonly open: number
  readonly newest: number
}

/** Copies what lies between two new ones in one piece: most of it does not change. */
function merged(before: Buffer, since: readonly IndexedRun[]): Buffer {
  const pieces: Buffer[] = []
  let copied = 0
  for (const run of since.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const key = Buffer.from(run.key, 'hex')
    let low = copied / RECORD_BYTES
    let high = before.length / RECORD_BYTES
    while (low < high) {
      const middle = (low + high) >> 1
      if (before.compare(key, 0, KEY_BYTES, middle * RECORD_BYTES, middle * RECORD_BYTES + KEY_BYTES) < 0)
        low = middle + 1
      else high = middle
    }

    const at = low * RECORD_BYTES
    pieces.push(before.subarray(copied, at), encoded(run))
    const isSame = at < before.length && key.equals(before.subarray(at, at + KEY_BYTES))
    copied = isSame ? at + RECORD_BYTES : at
  }
  return Buffer.concat([...pieces, before.subarray(copied)])
}

function encoded({ key, lines }: IndexedRun): Buffer {
  const record = Buffer.allocUnsafe(RECORD_BYTES)
  record.write(key, 0, 'hex')
  for (const [i, type] of LINE_TYPES.entries()) {
    const [offset, length] = lines[type] ?? [NOWHERE, 0]
    record.writeUIntBE(offset, KEY_BYTES + i * PLACE_BYTES, 6)
    record.writeUInt32BE(length, KEY_BYTES + i * PLACE_BYTES + 6)
  }
  return record
}

function decoded(bytes: Buffer, at: number): IndexedRun {
  const place = (i: number): readonly [number, number] | null => {
    const offset = bytes.readUIntBE(at + KEY_BYTES + i * PLACE_BYTES, 6)
    return offset === NOWHERE ? null : [offset, bytes.readUInt32BE(at + KEY_BYTES + i * PLACE_BYTES + 6)]
  }
  return {
    key: bytes.toString('hex', at, at + KEY_BYTES),
    lines: { opened: place(0), allowed: place(1), started: place(2), ended: place(3) },
  }
}

const decodedAll = (bytes: Buffer): IndexedRun[] =>
  Array.from({ length: bytes.length / RECORD_BYTES }, (_, i) => decoded(bytes, i * RECORD_BYTES))

function read(fd: number, length: number, at: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  if (readSync(fd, bytes, 0, length, at) < length) throw new Error('it is shorter than it says')
  return bytes
}

/** null also where it was cut short, or is somebody else's: then the ledger itself is read. */
function inIndex<T>(file: string, use: (fd: number) => T): T | null {
  try {
    return withFile(file, use)
  } catch {
    return null // see above
  }
}
