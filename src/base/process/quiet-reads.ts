import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/**
 * Where all small files are read into: a look at every process would otherwise leave a buffer of 8 KB for each of them, which stay
 * with the process long after they are free. Read and made a text in one step, so two readers never share it.
 */
const scratch = Buffer.allocUnsafeSlow(32 * 1024)

/** A file of the kernel, or another small one. Throws what the system says. */
export function smallText(file: string, encoding: 'utf8' | 'latin1'): string {
  const fd = openSync(file, 'r')
  let length = 0
  try {
    for (let count = -1; count !== 0 && length < scratch.length; length += count)
      count = readSync(fd, scratch, length, scratch.length - length, null)
  } finally {
    closeSync(fd)
  }
  return length < scratch.length ? scratch.toString(encoding, 0, length) : readFileSync(file, encoding)
}

/** For what may be gone meanwhile, was never there, or is not ours to look at: then there is nothing in it. */
export function textIn(file: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  try {
    return smallText(file, encoding)
  } catch {
    return '' // see above
  }
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // see above
  }
}

export function linkIn(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // see above
  }
}
