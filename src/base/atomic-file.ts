import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Only the owner may look inside. Tightens a directory that is already there. */
export function privateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
}

/** The whole new content or the whole old one, also when the power goes: written beside, synced, renamed. */
export function writeAtomically(path: string, content: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceFile(path, content, mode)
}

/** The same in a directory that has to be there: one that was let go meanwhile is not made again. */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o600): void {
  const beside = `${path}.${process.pid}.new`
  try {
    const fd = openSync(beside, 'w', mode)
    try {
      // Not writeSync: on a full disk that may write a part and say nothing.
      writeFileSync(fd, content)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(beside, path)
  } catch (cause) {
    rmSync(beside, { force: true })
    throw cause
  }
}
