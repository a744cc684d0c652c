import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import { namesIn } from '../../base/process/quiet-reads.ts'
import { breathe } from './evict-runs.ts'
import { fileNameOf } from './ledger.ts'

// What the file says whose names are ids; any other file says which id it is.
const SEAL = '(its name is its id)'
const HOUR_MS = 3_600_000

/**
 * Ids chosen by callers, each taken by one run for good: `ids/<id>`. Of two servers at once only one can give a file that
 * name. Names are given to one file as long as that works: a file of its own for each costs ten times as much and more.
 */
export class TakenIds {
  readonly #directory: string
  readonly #serverId: string
  readonly #now: () => number
  #ready = false

  constructor(directory: string, serverId: string, now: () => number) {
    this.#directory = directory
    this.#serverId = serverId
    this.#now = now
  }

  /** False when somebody has it. */
  take(id: string, isKnown: () => boolean): boolean {
    const file = join(this.#directory, fileNameOf(id))
    try {
      if (!this.#ready) privateDirectory(this.#directory)
      this.#name(file, id)
      this.#ready = true
      return true
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // Somebody has removed the directory since: it is made again, once.
      const removed = code === 'ENOENT' && this.#ready
      this.#ready = false
      if (removed) return this.take(id, isKnown)
      if (code !== 'EEXIST') throw cause
    }
    // Taken, maybe this very moment; or, on a disk that ignores case, by another id.
    const owner = readFileSync(file, 'utf8')
    const another = owner === SEAL ? !isLowerCase(id) : owner !== '' && owner !== id
    return another && !isKnown()
  }

  /** Nothing came of it: the caller may use it again. */
  giveBack(id: string): void {
    rmSync(join(this.#directory, fileNameOf(id)), { force: true })
  }

  async evict(before: number): Promise<void> {
    for (const [at, name] of namesIn(this.#directory).entries()) {
      if (at % 256 === 255) await breathe()
      const file = join(this.#directory, name)
      if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < before) rmSync(file, { force: true })
    }
  }

  #name(file: string, id: string): void {
    try {
      if (isLowerCase(id)) {
        linkSync(this.#seal(), file)
        return
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw cause
      // No seal yet, one with as many names as it can have, or a disk on which a file has one name only.
    }
    try {
      writeFileSync(file, id, { flag: 'wx', mode: 0o600 })
    } catch (cause) {
      // A full disk has room for the name and none for what is in it: nothing was taken.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true })
      throw cause
    }
    this.#makeSeal()
  }

  /** Another one every hour: all its names go when it is too old. */
  #seal(): string {
    return join(this.#directory, `.${Math.floor(this.#now() / HOUR_MS)}-${this.#serverId}`)
  }

  #makeSeal(): void {
    try {
      writeFileSync(this.#seal(), SEAL, { flag: 'wx', mode: 0o600 })
    } catch {
      // There is one, or no room for one: ids get files of their own.
    }
  }
}

const isLowerCase = (id: string): boolean => id === id.toLowerCase()
