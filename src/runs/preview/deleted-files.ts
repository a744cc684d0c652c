import { lstatSync, opendirSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { MOST_NAMED, type PreviewItem } from '../../contract/preview/preview-frames.ts'
import { realPath } from '../facts/disk-facts.ts'
import { trackedNames } from '../facts/git-index.ts'
import { repositoryTop } from '../facts/repository-problem.ts'
import type { LookBudget } from './look-budget.ts'
import { shortName, unknown } from './short-name.ts'

type Deletes = Extract<PreviewItem, { about: 'deletes' }>

/** Options of rm that change only how it speaks, or how much it asks. */
const KNOWN =
  /^-[rRfivdI]+$|^--(?:recursive|force|dir|verbose|interactive(?:=\w+)?|one-file-system|(?:no-)?preserve-root(?:=all)?)$/

/** What `rm`, `rmdir` and `unlink` would delete: how many files, how large, and whether git keeps them. */
export function deletedFiles(argv: readonly string[], cwd: string, budget: LookBudget): PreviewItem {
  const [program = '', ...words] = argv
  const end = words.indexOf('--')
  const options = words.filter((word, i) => (end < 0 || i < end) && /^-./.test(word))
  const paths = words.filter((word, i) => i !== end && ((end >= 0 && i > end) || !/^-./.test(word)))
  const strange = options.find(word => !KNOWN.test(word))
  if (strange !== undefined) return unknown(`what ${program} deletes`, `${strange} is not known here`)

  const isRecursive = program === 'rm' && options.some(word => /^-[a-zA-Z]*[rR]|^--recursive$/.test(word))
  return new Count(cwd, budget, isRecursive || program === 'rmdir').of(paths)
}

class Count {
  readonly #cwd: string
  readonly #budget: LookBudget
  readonly #goesInto: boolean
  readonly #indexes = new Map<string, ReadonlySet<string> | null>()
  readonly #found = { files: 0, directories: 0, bytes: 0, tracked: 0 }
  #isTrackedKnown = true
  #atLeast = false

  constructor(cwd: string, budget: LookBudget, goesInto: boolean) {
    this.#cwd = cwd
    this.#budget = budget
    this.#goesInto = goesInto
  }

  of(paths: readonly string[]): Deletes {
    const missing: string[] = []
    const refused: string[] = []
    for (const path of paths) {
      if (this.#budget.isSpent) break
      // A link is deleted itself, not what it leads to.
      const at = resolve(this.#cwd, path)
      const place = join(realPath(dirname(at)), basename(at))
      const stat = look(path.endsWith('/') ? `${place}/` : place)
      if (stat === undefined) missing.push(path)
      else if (stat.isDirectory() && !this.#goesInto) refused.push(path)
      else this.#count(place, stat, repositoryTop(dirname(place)))
    }

    this.#atLeast ||= this.#budget.isSpent
    const { tracked, ...counted } = this.#found
    return {
      about: 'deletes',
      paths: paths.slice(0, MOST_NAMED).map(shortName),
      count: paths.length,
      ...counted,
      at_least: this.#atLeast,
      tracked: this.#isTrackedKnown ? tracked : null,
      missing: missing.slice(0, MOST_NAMED).map(shortName),
      refused: refused.slice(0, MOST_NAMED).map(shortName),
    }
  }

  /** Every file below, without following a link. Nothing is opened but directories. */
  #count(path: string, stat: Stats, top: string | null): void {
    const todo: { path: string; stat: Stats }[] = [{ path, stat }]
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (!this.#budget.spend()) {
        this.#atLeast = true
        return
      }
      if (!next.stat.isDirectory()) {
        this.#file(next.path, next.stat, top)
        continue
      }
      this.#found.directories += 1
      for (const name of this.#namesIn(next.path)) {
        const at = join(next.path, name)
        const found = look(at)
        if (found !== undefined) todo.push({ path: at, stat: found })
        if (this.#budget.isSpent || todo.length > MOST_WAITING) break
      }
    }
  }

  #file(path: string, { size }: Stats, top: string | null): void {
    this.#found.files += 1
    this.#found.bytes += size
    if (top === null) return
    const names = this.#indexOf(top)
    if (names === null) this.#isTrackedKnown = false
    else if (names.has(relative(top, path))) this.#found.tracked += 1
  }

  #indexOf(top: string): ReadonlySet<string> | null {
    const known = this.#indexes.get(top)
    if (known !== undefined) return known
    const names = trackedNames(top)
    this.#indexes.set(top, names)
    return names
  }

  /** One name after the other: a directory of millions is not read whole. */
  *#namesIn(path: string): Generator<string> {
    try {
      const directory = opendirSync(path)
      try {
        for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry.name
      } finally {
        directory.closeSync()
      }
    } catch {
      this.#atLeast = true // not ours to look into: what is in it is not counted
    }
  }
}

const MOST_WAITING = 200_000

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // what cannot exist does not exist
  }
}
