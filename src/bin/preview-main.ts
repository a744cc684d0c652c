import { asLine, NdjsonReader } from '../base/link/ndjson.ts'
import { type PreviewLine, PreviewRequest } from '../contract/preview/preview-frames.ts'
import { LookBudget } from '../runs/preview/look-budget.ts'
import { previewLine } from '../runs/preview/preview-line.ts'

const LONGEST_REQUEST = 1024 * 1024
const MOST_ENTRIES = 20_000

/**
 * `interactive-terminal preview`: looks at the disk for the host, in a process of its own. A disk that does not answer holds up this
 * process alone, and the host ends it.
 */
function main(): void {
  const reader = new NdjsonReader(LONGEST_REQUEST)
  const say = (line: PreviewLine): void => void process.stdout.write(asLine(line))
  process.stdin.on('data', (chunk: Buffer) => {
    const { frames, fault } = reader.push(chunk)
    for (const frame of frames) answer(PreviewRequest.parse(frame), say)
    if (fault !== null) process.exit(2)
  })
  // The host is gone, and nobody else asks.
  process.stdin.on('end', () => process.exit(0))
  process.stdout.on('error', () => process.exit(0))
  say({ ready: true })
}

/** Blocks until it is done: one question after the other, each within its own time. */
function answer(request: PreviewRequest, say: (line: PreviewLine) => void): void {
  const { id, ms } = request
  const budget = new LookBudget(() => performance.now(), { ms, entries: MOST_ENTRIES })
  for (const item of previewLine(request, budget)) say({ id, item })
  say({ id, end: true, complete: !budget.isSpent })
}

main()
