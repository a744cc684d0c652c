import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'

export interface LogLimits {
  readonly bytes: number
  /** The one that is written to included. */
  readonly files: number
}

/**
 * Appends a line to `file`. One that would grow too large becomes `file.1`, that one `file.2`, and the oldest is emptied and used
 * again: a process that still has it open, as its stderr, writes into a file that is kept. Only plain files are moved.
 */
export function appendRotating(file: string, line: string, limits: LogLimits): void {
  let fd = openSync(file, 'a', 0o600)
  try {
    if (isFull(fstatSync(fd).size, line, limits) && lstatSync(file).isFile()) {
      closeSync(fd)
      fd = -1
      // Another process may have done it meanwhile.
      if (isFull(lstatSync(file, { throwIfNoEntry: false })?.size ?? 0, line, limits)) rotate(file, limits.files)
      fd = openSync(file, 'a', 0o600)
    }
    writeSync(fd, line)
  } finally {
    if (fd !== -1) closeSync(fd)
  }
}

const isFull = (size: number, line: string, { bytes }: LogLimits): boolean =>
  size > 0 && size + Buffer.byteLength(line) > bytes

function rotate(file: string, files: number): void {
  const next = `${file}.next`
  if (files === 1) {
    empty(file)
    return
  }
  if (move(`${file}.${files - 1}`, next)) empty(next)
  for (let n = files - 2; n >= 1; n--) move(`${file}.${n}`, `${file}.${n + 1}`)
  move(file, `${file}.1`)
  try {
    // Never over one that another process has begun meanwhile.
    linkSync(next, file)
  } catch {
    // There was none to use again, or another has begun: then that one is it.
  }
  rmSync(next, { force: true })
}

function move(from: string, to: string): boolean {
  // What is no plain file was not made by us.
  if (!lstatSync(from, { throwIfNoEntry: false })?.isFile()) return false
  renameSync(from, to)
  return true
}

function empty(file: string): void {
  const fd = openSync(file, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    ftruncateSync(fd)
    fchmodSync(fd, 0o600)
  } finally {
    closeSync(fd)
  }
}
