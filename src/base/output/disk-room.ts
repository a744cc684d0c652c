import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

export interface DiskRoom {
  readonly size: number
  readonly free: number
}

const KB = 1024
const MB = 1024 * KB

/** Below this nothing new is started: what is written about it, and the first it prints, might not fit. */
export const leastRoom = ({ size }: DiskRoom): number => Math.max(64 * KB, Math.min(4 * MB, size * 0.01))

/** What all logs together leave free for others. */
export const keptFree = ({ size }: DiskRoom): number => Math.min(256 * MB, size * 0.05)

/** How much room there is where a directory is, or will be. */
export function diskRoom(directory: string): DiskRoom {
  for (let at = directory; ; at = dirname(at)) {
    try {
      const { blocks, bavail, bsize } = statfsSync(at)
      return { size: blocks * bsize, free: bavail * bsize }
    } catch {
      // A system that does not say: the write itself will say.
      if (at === dirname(at)) return { size: 0, free: Number.POSITIVE_INFINITY }
    }
  }
}
