import { readFileSync, statSync } from 'node:fs'
import { writeAtomically } from '../../base/atomic-file.ts'
import { type Decided, DecisionsFile } from '../../contract/disk/files.ts'
import { digestOf } from '../../policy/files/decisions.ts'

/** `decisions.v1.json`: a copy of what a person decided, which counts only where somebody who knows vouches for it (ADR 44). */
export class DecisionsCopy {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Changes whenever the file does; null: there is none. */
  stamp(): string | null {
    try {
      // Asked with every call: an exception each time would cost more than the look.
      const stat = statSync(this.#file, { throwIfNoEntry: false })
      if (stat === undefined) return null
      const { ino, size, mtimeMs, ctimeMs } = stat
      return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
    } catch {
      return null // not to be looked at
    }
  }

  text(): string | null {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch {
      return null // none, or not to be read: then nothing in it counts
    }
  }

  read(): DecisionsFile | null {
    try {
      return DecisionsFile.parse(JSON.parse(this.text() ?? ''))
    } catch {
      return null // nothing in it counts
    }
  }

  /** Returns what it wrote. */
  write(content: DecisionsFile): string {
    const text = `${JSON.stringify(content, null, 2)}\n`
    writeAtomically(this.#file, text)
    return text
  }
}

/** What of a copy has this hash; null: nothing does. */
export const withDigest = ({ now, ended }: DecisionsFile, digest: string): Decided | null =>
  [now, ended].find(each => each !== null && digestOf(each) === digest) ?? null
