import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Stream } from '../../base/output/output-segments.ts'
import { linesWithoutEscapes } from '../output/escapes.ts'
import { LineMatcher } from '../output/line-matcher.ts'
import { rangeFrom } from '../output/output-text.ts'
import type { RunView } from '../run/run-view.ts'
import type { Finder } from './finder.ts'

const SCAN_BYTES = 256 * 1024
/** Of a line that is not over so much is looked at again when more of it comes. */
const LONGEST_OPEN_LINE = 16 * 1024
const LONGEST_SHOWN = 500

interface OpenLine {
  readonly start: number
  readonly bytes: Buffer
}

/**
 * Looks for a pattern in what is printed, also in a line that is not over yet: a question ends without a line break. Looks only at
 * what has come since it looked last. Each stream is read for itself: the other may speak in between.
 */
export function watchMatch(
  view: RunView,
  { patterns, from }: { readonly patterns: readonly string[]; readonly from: number },
  found: Finder & { over(): void },
): Disposable {
  const life = new Disposables()
  const matcher = life.add(new LineMatcher(patterns, found.clock))
  const open: Record<Stream, OpenLine | null> = { stdout: null, stderr: null }
  let at = from
  let isBusy = false
  let isOver = false
  life.defer(() => {
    isOver = true
  })

  /** Reads up to the end, piece by piece; true when it was found. */
  const scan = async (): Promise<boolean> => {
    while (!isOver && at < view.source().size) {
      const { pieces, next } = rangeFrom(view.source(), at, SCAN_BYTES)
      if (next <= at) return false
      at = next
      for (const { stream, start, bytes } of pieces) {
        const before = open[stream]
        const line = { start: before?.start ?? start, bytes: before ? Buffer.concat([before.bytes, bytes]) : bytes }
        const match = await firstIn(line, matcher)
        if (isOver) return true
        if (match) {
          found.here(match)
          return true
        }
        open[stream] = restOf(line)
      }
    }
    return false
  }

  const look = async () => {
    if (isBusy || isOver) return
    isBusy = true
    // Asked before: what came with the end is looked at before the end is told.
    const wasOver = view.over()
    const isFound = await scan()
    isBusy = false
    if (isOver || isFound) return
    if (wasOver) found.over()
    else if (at < view.source().size || view.over()) await look()
  }

  const start = () => void look().catch(found.failed)
  life.add(view.watch(start))
  start()
  return life
}

async function firstIn(
  { start, bytes }: OpenLine,
  matcher: LineMatcher,
): Promise<{ line: string; offset: number } | null> {
  if (matcher.isNotIn(bytes)) return null
  const text = linesWithoutEscapes(bytes.toString('utf8'))
  const [first] = await matcher.linesIn(text, 1)
  if (first === undefined) return null
  const end = text.indexOf('\n', first)
  const line = text.slice(first, end < 0 ? text.length : end).replace(/\r$/, '')
  return {
    line: line.slice(0, LONGEST_SHOWN),
    offset: start + offsetOfLine(bytes, text.slice(0, first).split('\n').length - 1),
  }
}

/** Where the line with this number begins. */
function offsetOfLine(bytes: Buffer, number: number): number {
  let at = 0
  for (let i = 0; i < number; i++) at = bytes.indexOf(0x0a, at) + 1
  return at
}

function restOf({ start, bytes }: OpenLine): OpenLine | null {
  const from = Math.max(bytes.lastIndexOf(0x0a) + 1, bytes.length - LONGEST_OPEN_LINE)
  return from === bytes.length ? null : { start: start + from, bytes: Buffer.from(bytes.subarray(from)) }
}
