import { statfsSync } from 'node:fs'

/** A log that can give back what lies between its head and its tail. */
export interface Shrinkable {
  readonly bytesOnDisk: number
  /** Drops some of its middle; false when only head and tail are left. */
  shrink(): boolean
}

/**
 * What all logs of one process may take together, and what must stay free on the disk. When there is no room the largest
 * log gives up some of its middle first: one command that prints without end costs the others nothing.
 */
export class LogBudget {
  readonly #totalBytes: number
  readonly #disk: (directory: string) => { readonly size: number; readonly free: number }
  readonly #logs = new Set<Shrinkable>()

  constructor(totalBytes: number, disk = diskOf) {
    this.#totalBytes = totalBytes
    this.#disk = disk
  }

  enter(log: Shrinkable): void {
    this.#logs.add(log)
  }

  leave(log: Shrinkable): void {
    this.#logs.delete(log)
  }

  /** Makes room for `bytes` more. False: whatever is given up, writing them would fill the disk. */
  makeRoom(directory: string, bytes: number): boolean {
    for (;;) {
      const { size, free } = this.#disk(directory)
      const fits = free - bytes >= Math.min(MOST_KEPT_FREE, size * SHARE_KEPT_FREE)
      if (fits && this.#used + bytes <= this.#totalBytes) return true
      const bySize = [...this.#logs].sort((a, b) => b.bytesOnDisk - a.bytesOnDisk)
      // Heads and tails are kept even when all of them together are too much: there are only so many logs.
      if (!bySize.some(log => log.shrink())) return fits
    }
  }

  get #used(): number {
    let sum = 0
    for (const log of this.#logs) sum += log.bytesOnDisk
    return sum
  }
}

const MOST_KEPT_FREE = 256 * 1024 * 1024
const SHARE_KEPT_FREE = 0.05

function diskOf(directory: string): { size: number; free: number } {
  try {
    const { blocks, bavail, bsize } = statfsSync(directory)
    return { size: blocks * bsize, free: bavail * bsize }
  } catch {
    // Not there yet, or a system that does not tell: the write itself will say.
    return { size: 0, free: Number.POSITIVE_INFINITY }
  }
}
