import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makePairingFile, readPairingFile } from '../base/key-file.ts'
import { TermError } from '../contract/errors.ts'
import { LOCAL, PERSON } from './requester-runs.ts'

/** The stand-alone bridge: the one credential that speaks for others. */
export const BRIDGE = 'bridge'
export const APPROVER = 'approver'

const RESERVED: readonly string[] = [LOCAL, PERSON, APPROVER, BRIDGE]
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const SUFFIX = '.key'

export interface PairedName {
  readonly name: string
  readonly since: number
}

/** Clients that a person let in by name: a key file each. Read anew every time, so that removing a file is enough. */
export class Pairings {
  readonly #keysDir: string

  constructor(keysDir: string) {
    this.#keysDir = keysDir
  }

  /** Those who could come in now, in the order of their names. */
  list(): PairedName[] {
    return this.#files()
      .filter(name => this.key(name) !== null)
      .map(name => ({ name, since: statSync(this.fileOf(name)).mtimeMs }))
  }

  /** null: not paired, or a file that others could have read, or one that was made for another name. */
  key(name: string): Buffer | null {
    if (!isPairingName(name)) return null
    try {
      const paired = readPairingFile(this.fileOf(name))
      return paired.name === name ? paired.key : null
    } catch {
      return null // whatever is wrong with the file, nobody gets in with it
    }
  }

  /**
   * Whose requests they are that come over a link. Only the stand-alone bridge may say for whom it speaks: it has seen that
   * client's own proof (ADR 15). null: somebody says more than was proved.
   */
  requesterOf(identity: string, peer: string | null): string | null {
    if (identity !== BRIDGE) return peer === null ? identity : null
    return peer !== null && this.key(peer) !== null ? peer : null
  }

  fileOf(name: string): string {
    return join(this.#keysDir, `${name}${SUFFIX}`)
  }

  /** Throws for a name that cannot be paired, or is already. */
  refuse(name: string): void {
    refuseName(name)
    if (this.#files().includes(name)) throw this.#taken(name)
  }

  /** Returns the file with the new key. */
  add(name: string): string {
    refuseName(name)
    try {
      makePairingFile(this.fileOf(name), name)
      return this.fileOf(name)
    } catch (cause) {
      throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? this.#taken(name) : cause
    }
  }

  /** False: there was none of that name. */
  remove(name: string): boolean {
    refuseName(name)
    const there = this.#files().includes(name)
    rmSync(this.fileOf(name), { force: true })
    return there
  }

  #taken(name: string): TermError {
    return new TermError(
      'PM_TERM_INVALID_PAYLOAD',
      `"${name}" is paired already: ${this.fileOf(name)}. Revoke it first, or choose another name.`,
      { details: { name } },
    )
  }

  #files(): string[] {
    try {
      return readdirSync(this.#keysDir)
        .filter(file => file.endsWith(SUFFIX))
        .map(file => file.slice(0, -SUFFIX.length))
        .filter(isPairingName)
        .sort()
    } catch {
      return [] // nobody was ever paired
    }
  }
}

const isPairingName = (name: string): boolean => NAME.test(name) && !RESERVED.includes(name)

function refuseName(name: string): void {
  if (isPairingName(name)) return
  throw new TermError(
    'PM_TERM_INVALID_PAYLOAD',
    RESERVED.includes(name)
      ? `"${name}" is a name of ours. Choose another.`
      : 'A name has 1 to 63 letters, digits or any of . _ - and begins with a letter or a digit.',
    { details: { name } },
  )
}
