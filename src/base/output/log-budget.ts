import { type DiskRoom, diskRoom, keptFree, leastRoom } from './disk-room.ts'

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
  readonly #disk: (directory: string) => DiskRoom
  readonly #logs = new Set<Shrinkable>()

  constructor(totalBytes: number, disk = diskRoom) {
    this.#totalBytes = totalBytes
    this.#disk = disk
  }

  enter(log: Shrinkable): void {
    this.#logs.add(log)
  }

  leave(log: Shrinkable): void {
    this.#logs.delete(log)
  }

  /**
   * Makes room for `bytes` more. False: whatever is given up, writing them would fill the disk. The beginning of a log may
   * use what is kept free otherwise: nothing runs whose output nobody can ever see.
   */
  makeRoom(directory: string, bytes: number, what: 'beginning' | 'more'): boolean {
    for (;;) {
      const room = this.#disk(directory)
      const fits = what === 'more' ? room.free - bytes >= keptFree(room) : room.free >= leastRoom(room)
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
