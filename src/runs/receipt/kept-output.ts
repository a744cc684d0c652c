import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { segmentName, segmentsIn } from '../../base/output/output-segments.ts'
import type { KeptOutput } from '../../contract/disk/receipt.ts'

/** What is kept of a run's output, and its hash. `size`: all that it printed. Read piece by piece: others have their turn meanwhile. */
export async function keptOutput(directory: string, size: number): Promise<KeptOutput> {
  const hash = createHash('sha256')
  const missing: { from: number; to: number }[] = []
  let at = 0
  let kept = 0
  for (const { start, end } of segmentsIn(directory)) {
    if (start > at) missing.push({ from: at, to: start })
    // One that goes while it is read was not kept.
    const read = await addTo(hash, join(directory, segmentName(start, 'log')), end - start)
    if (read < end - start) missing.push({ from: start + read, to: end })
    kept += read
    at = end
  }
  if (at < size) missing.push({ from: at, to: size })
  const nothing = kept === 0 && size > 0
  return {
    kept_bytes: kept,
    ...(!nothing && { sha256: hash.digest('hex') }),
    ...(missing.length > 0 && { missing }),
  }
}

async function addTo(hash: ReturnType<typeof createHash>, file: string, most: number): Promise<number> {
  let read = 0
  try {
    for await (const chunk of createReadStream(file, { end: most - 1, highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer)
      read += (chunk as Buffer).length
    }
  } catch {
    // Let go meanwhile: what was read so far counts.
  }
  return read
}
