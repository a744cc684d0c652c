import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makePairingFile, readPairingFile } from '../../base/keys/key-file.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Decisions } from '../../policy/files/decisions.ts'
import { BRIDGE, LOCAL, PERSON } from '../names.ts'

export const APPROVER = 'approver'

const RESERVED: readonly string[] = [LOCAL, PERSON, APPROVER, BRIDGE]
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const SUFFIX = '.key'

export interface PairedName {
  readonly name: string
  readonly since: number
}

/**
 * Clients that a person has paired by name: a key file each, which counts if it is the one they agreed to (ADR 44). Read anew every
 * time, so that removing a file is enough.
 */
export class Pairings {
  readonly #keysDir: string
  readonly #decisions: (() => Decisions | null) | null

  /** `decisions`: of the host. Whoever only carries or lists has none: the host decides who gets in. */
  constructor(keysDir: string, decisions: (() => Decisions | null) | null = null) {
    this.#keysDir = keysDir
    this.#decisions = decisions
  }

  /** Those who could come in now, in the order of their names. */
  list(): PairedName[] {
    return this.#files().flatMap(name => {
      // One that is revoked at this very moment is not there any more.
      const since = this.key(name) && statSync(this.fileOf(name), { throwIfNoEntry: false })?.mtimeMs
      return since ? [{ name, since }] : []
    })
  }

  /** null: not paired by a person, or a file that others could have read, or one that was made for another name. */
  key(name: string): Buffer | null {
    const key = this.#keyInFile(name)
    if (key === null || this.#decisions === null) return key
    return this.#decisions()?.valueOf('pairings', name) === fingerprint(key) ? key : null
  }

  /** Key files that no person agreed to, and which key is in each. */
  undecided(): { readonly name: string; readonly fingerprint: string }[] {
    return this.#files().flatMap(name => {
      const key = this.#keyInFile(name)
      return key === null || this.key(name) !== null ? [] : [{ name, fingerprint: fingerprint(key) }]
    })
  }

  /** A person agrees to this very key. */
  agree(name: string, to: string): void {
    this.#decisions?.()?.put('pairings', name, to)
  }

  /** Who has lost the key file is not paired any more, and is not by the same file again. */
  forgetRemoved(): void {
    const decisions = this.#decisions?.()
    for (const name of Object.keys(decisions?.now.pairings ?? {}))
      if (!this.#files().includes(name)) decisions?.forget('pairings', name)
  }

  #keyInFile(name: string): Buffer | null {
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
      const key = this.#keyInFile(name)
      if (key !== null) this.agree(name, fingerprint(key))
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
    this.#decisions?.()?.forget('pairings', name)
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

/** Says which key it is, and not the key. */
export const fingerprint = (key: Buffer): string => createHash('sha256').update('pairing').update(key).digest('hex')

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
