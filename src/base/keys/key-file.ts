import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../atomic-file.ts'
import { toTypeElsewhere } from '../own-command.ts'

const KEY_BYTES = 32
const KEY = /^[0-9a-f]{64}$/

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
  const text = readSecret(path)
  if (!KEY.test(text)) throw new Error(`${path} does not hold a key. Remove it, and a new one is made.`)
  return Buffer.from(text, 'hex')
}

/** The key of somebody paired by name. The file says the name, because a secret is mounted under any other. */
export interface Pairing {
  readonly name: string
  readonly key: Buffer
}

/** Made once; throws EEXIST when there is one of that name. */
export function makePairingFile(path: string, name: string): void {
  privateDirectory(dirname(path))
  writeFileSync(path, `${name} ${randomBytes(KEY_BYTES).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
}

export function readPairingFile(path: string): Pairing {
  const [name = '', key = '', ...rest] = readSecret(path).split(/\s+/)
  if (name === '' || !KEY.test(key) || rest.length > 0)
    throw new Error(
      `${path} does not hold a name and its key, as "${toTypeElsewhere('pair <name>')}" on the host makes it.`,
    )
  return { name, key: Buffer.from(key, 'hex') }
}

function readSecret(path: string): string {
  const { mode, uid } = statSync(path)
  if (process.platform !== 'win32') {
    if ((mode & 0o077) !== 0) throw new Error(`${path} can be read by other users. Remove it, or chmod it to 600.`)
    if (process.getuid && uid !== process.getuid()) throw new Error(`${path} belongs to another user.`)
  }
  return readFileSync(path, 'utf8').trim()
}
