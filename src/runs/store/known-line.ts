import type { LineType } from './index-file.ts'

/** What an index has to know of a line. */
export interface KnownLine {
  readonly type: LineType
  readonly id: string
  /** Output that was kept of a run that ended. */
  readonly kept: number
}

// Our own lines begin like this; one that does not is looked at more closely.
const BEGINNING = /^\{"type":"(opened|allowed|started|ended)"(?:,"v":1)?,"id":"([^"\\]*)"/

/** One line of a ledger; null: it is none of ours. */
export function knownLine(bytes: Buffer, from: number, end: number): KnownLine | null {
  const [, type, id] = BEGINNING.exec(bytes.toString('latin1', from, Math.min(end, from + 256))) ?? []
  // An ending that was cut short by a crash does not count: only a whole line counts.
  return id === undefined || type === 'ended' ? parsed(bytes, from, end) : { type: type as LineType, id, kept: 0 }
}

function parsed(bytes: Buffer, from: number, end: number): KnownLine | null {
  try {
    const line = JSON.parse(bytes.toString('utf8', from, end)) as Record<string, unknown>
    const { type, id, output_bytes, lost_bytes } = line
    if (typeof id !== 'string' || !/^(opened|allowed|started|ended)$/.test(String(type))) return null
    const kept = type === 'ended' ? (Number(output_bytes) || 0) - (Number(lost_bytes) || 0) : 0
    return { type: type as LineType, id, kept }
  } catch {
    return null // torn by a crash, or empty
  }
}
