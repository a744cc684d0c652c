import { readFileSync, statSync } from 'node:fs'
import { KeptDeclinesFile } from '../../contract/disk/kept-declines.ts'
import { isSameCommand, type PlainReading } from '../../policy/judge/same-command.ts'
import { isInside } from '../../policy/model/inside.ts'

export type DeclinedToday = KeptDeclinesFile['kept'][number]

/**
 * What the person declined for the rest of the day, as the host has written it down. A call costs one look at the file's times; a file
 * that cannot be read hides a no, so nothing runs by a rule until the host has written it anew.
 */
export class DeclinesOnDisk {
  readonly #file: string
  readonly #now: () => number
  #stamp = ''
  #kept: readonly DeclinedToday[] | null = []

  constructor(file: string, now: () => number) {
    this.#file = file
    this.#now = now
  }

  /** Those that hold now. null: they cannot be read. */
  get kept(): readonly DeclinedToday[] | null {
    const stamp = stampOf(this.#file)
    if (stamp !== this.#stamp) {
      this.#kept = stamp === '' ? [] : read(this.#file)
      this.#stamp = stamp
    }
    if (this.#kept === null || this.#kept.length === 0) return this.#kept
    const now = this.#now()
    return this.#kept.filter(({ until }) => now < until)
  }
}

/** The first that this command falls under. */
export const declinedIn = (
  kept: readonly DeclinedToday[],
  reading: PlainReading,
  client: string,
): DeclinedToday | undefined =>
  kept.find(each => {
    const covers =
      each.covers === 'project'
        ? [reading, ...reading.steps].some(({ cwd }) => isInside(each.directory, cwd))
        : each.client === client
    return covers && isSameCommand(each.reading, reading)
  })

function stampOf(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? '' : `${found.mtimeNs} ${found.ctimeNs} ${found.ino} ${found.size}`
  } catch (cause) {
    return String(cause)
  }
}

function read(file: string): readonly DeclinedToday[] | null {
  try {
    return KeptDeclinesFile.parse(JSON.parse(readFileSync(file, 'utf8'))).kept
  } catch {
    return null // whatever is wrong with it: a no may be hidden there
  }
}
