import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/** A row by its number and hash: whoever has both can check that it is still there. */
export interface RowMark {
  readonly seq: number
  readonly hash: string
}

/** `synced`: the newest row that a power cut cannot take · `last`: the newest of all. */
export interface Head {
  readonly synced: RowMark
  readonly last: RowMark
}

export const NO_ROW: RowMark = { seq: 0, hash: '0'.repeat(64) }
const LINE = /^(\d{1,15}):([0-9a-f]{64}) (\d{1,15}):([0-9a-f]{64}) *\n$/
// Always as long, so that a shorter one leaves nothing of a longer one behind.
const LENGTH = 192

/**
 * `journal.head`, beside the journal: its newest rows by number and hash, written after each. A chain of hashes cannot show
 * that its last links are gone; this can. It is no more than a second place: who may write both can make them agree.
 */
export class JournalHead {
  readonly #file: string
  #fd: number | null = null

  constructor(file: string) {
    this.#file = file
  }

  read(): Head | 'missing' | 'unreadable' {
    try {
      return headIn(readFileSync(this.#file, 'latin1')) ?? 'unreadable'
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable'
    }
  }

  /** After the row is in the journal, never before: it may lag behind, and must not run ahead. */
  note(mark: RowMark, how: 'synced' | 'not_yet'): void {
    const newest = (a: RowMark, b: RowMark): RowMark => (a.seq > b.seq ? a : b)
    try {
      this.#fd ??= openSync(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600)
      // Others write it as well.
      const bytes = Buffer.alloc(LENGTH + 1)
      const before = headIn(bytes.toString('latin1', 0, readSync(this.#fd, bytes, 0, LENGTH + 1, 0)))
      const { synced, last } = before ?? { synced: NO_ROW, last: NO_ROW }
      const head = { synced: how === 'synced' ? newest(synced, mark) : synced, last: newest(last, mark) }
      writeSync(this.#fd, lineOf(head), 0, 'latin1')
    } catch {
      // The row is written; that its number is not noted makes a later gap harder to see, and nothing else.
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }
}

function headIn(text: string): Head | null {
  const found = LINE.exec(text)
  if (!found) return null
  const [, synced, syncedHash = '', last, lastHash = ''] = found
  return { synced: { seq: Number(synced), hash: syncedHash }, last: { seq: Number(last), hash: lastHash } }
}

const lineOf = ({ synced, last }: Head): string => `${asText(synced)} ${asText(last)}`.padEnd(LENGTH - 1).concat('\n')

export const asText = ({ seq, hash }: RowMark): string => `${seq}:${hash}`

/** As `verify` prints it. */
export function readMark(text: string): RowMark | null {
  const found = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim())
  return found?.[1] && found[2] ? { seq: Number(found[1]), hash: found[2] } : null
}
