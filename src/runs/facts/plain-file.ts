import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** What is in a plain file. Anything else is never waited for: a named pipe in its place would hold up everybody. */
export function plainFile(path: string, largest = Number.POSITIVE_INFINITY): Buffer | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(file)
      return stat.isFile() && stat.size <= largest ? readFileSync(file) : null
    } finally {
      closeSync(file)
    }
  } catch {
    return null // not there, or not ours to read
  }
}
