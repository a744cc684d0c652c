import { readRange, type Stream } from '../../base/output/output-segments.ts'
import { LONGEST_SECRET, privateKeysIn } from '../secrets/private-keys.ts'
import type { Redaction } from '../secrets/redactor.ts'
import { linesWithoutEscapes } from './escapes.ts'

/** A line of a key has nothing else in it. */
const OF_A_KEY = /^[\s"|>#*]{0,40}[A-Za-z0-9+/=]{4,}[\s"',\\r]{0,8}$/
const KEY_BORDER = /-----(?:BEGIN|END) /

/** A line of the output, redacted; one in the middle of a private key says so, wherever that begins and ends. */
export function redactLine(
  directory: string,
  { line, offset, stream }: { readonly line: string; readonly offset: number; readonly stream: Stream | null },
  redaction: Redaction,
): string {
  if (!OF_A_KEY.test(line) && !KEY_BORDER.test(line)) return redaction.text(line)
  const from = Math.max(0, offset - LONGEST_SECRET)
  const pieces = readRange(directory, from, offset - from + line.length + LONGEST_SECRET).pieces.filter(
    piece => stream === null || piece.stream === stream,
  )
  const before = pieces.map(({ start, bytes }) => bytes.subarray(0, Math.max(0, offset - start)))
  const text = linesWithoutEscapes(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1'))
  const at = linesWithoutEscapes(Buffer.concat(before).toString('latin1')).length
  // Only where keys are redacted at all.
  const isInKey = privateKeysIn(text).some(({ start, end }) => start <= at && end > at)
  return isInKey && redaction.find(KEY).length > 0 ? redaction.text(KEY) : redaction.text(line)
}

const KEY = '-----BEGIN PRIVATE KEY-----'
