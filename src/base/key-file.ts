import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from './atomic-file.ts'

const KEY_BYTES = 32

/** The key in a file only its owner can read. Made when there is none; of two who make it at once one wins, for both. */
export function ensureKeyFile(path: string): Buffer {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    privateDirectory(dirname(path))
    const beside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
    writeFileSync(beside, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
    try {
      linkSync(beside, path)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    } finally {
      rmSync(beside, { force: true })
    }
  }
  return readKeyFile(path)
}

/** Throws when others could have read or written it: then it is no secret any more. */
export function readKeyFile(path: string): Buffer {
  const { mode, uid } = statSync(path)
  if (process.platform !== 'win32') {
    if ((mode & 0o077) !== 0) throw new Error(`${path} can be read by other users. Remove it, or chmod it to 600.`)
    if (process.getuid && uid !== process.getuid()) throw new Error(`${path} belongs to another user.`)
  }
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key. Remove it, and a new one is made.`)
  return Buffer.from(text, 'hex')
}
