import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the disk says of a directory; passed in, so that a test can have any disk. */
export interface DiskFacts {
  exists(path: string): boolean
  /** Throws when it cannot be written. */
  access(path: string): void
  /** Bytes that an ordinary user may still write. */
  free(path: string): number
}

const MB = 1024 * 1024
const LEAST_FREE = 16 * MB

/** Whether a host could write down what happens: without that it does not start, and starts nothing. Only looks. */
export function stateRoom(directory: string, disk: DiskFacts = thisDisk): string {
  let at = directory
  while (!disk.exists(at) && dirname(at) !== at) at = dirname(at)
  try {
    disk.access(at)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      code === 'EROFS'
        ? `${at} is on a file system that is read-only: make it writable, or choose another place with PM_TERM_HOME`
        : `${at} cannot be written by you (${code}): make it yours, or choose another place with PM_TERM_HOME`,
    )
  }
  const free = disk.free(at)
  if (free < LEAST_FREE) throw new Error(`the disk of ${at} is full: ${Math.floor(free / MB)} MB are free. Make room.`)
  return `${directory}, ${Math.floor(free / MB)} MB free`
}

const thisDisk: DiskFacts = {
  exists: existsSync,
  access: path => accessSync(path, constants.W_OK),
  free(path) {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  },
}
