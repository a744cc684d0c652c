import { join, sep } from 'node:path'
import type { Facts } from '../rules/rules.ts'
import { type Doubt, nameMatches, pathMatches } from './wildcard.ts'

interface IgnoreLine {
  readonly not: boolean
  readonly directoriesOnly: boolean
  /** Whether it is read here exactly as git reads it. */
  readonly exact: boolean
  /** It names nothing: `*`, or everything below. */
  readonly nameless: boolean
  /** From where the file lies; null: any name below. */
  readonly path: readonly string[] | null
  readonly name: string
}

/** maybe: whatever could be ignored is · by_name: only what git and others leave out in any case, and a line names it. */
export type Ignored = 'maybe' | 'by_name'

/** One `.gitignore`, and where it lies. Whoever asks says which way a line counts that cannot be read here exactly. */
export class IgnoreRules {
  readonly #directory: readonly string[]
  readonly #lines: readonly IgnoreLine[]
  /** Not all of it was seen, and what comes last counts. */
  readonly #isCut: boolean

  /** `directory`: the names from the top down to where it lies. */
  constructor(text: string, directory: readonly string[]) {
    this.#directory = directory
    const lines = text.split('\n')
    this.#isCut = lines.length > MOST_LINES || text.length >= LONGEST_READ
    this.#lines = lines.slice(0, MOST_LINES).flatMap(readLine)
  }

  /** true: it is ignored · false: it is not, whatever was said further up · null: nothing is said about it. */
  says(path: readonly string[], isDirectory: boolean, ignored: Ignored): boolean | null {
    if (ignored !== 'maybe' && this.#isCut) return false
    const below = path.slice(this.#directory.length)
    // About where it lies itself, or what is further up, it says nothing.
    if (below.length === 0) return null
    let said: boolean | null = null
    for (const line of this.#lines) {
      if (line.directoriesOnly && !isDirectory) continue
      if (!line.exact && line.not === (ignored === 'maybe')) continue
      if (line.nameless && !line.not && ignored === 'by_name') continue
      if (matchesLine(line, below, line.not === (ignored === 'maybe') ? 'does_not' : 'matches')) said = !line.not
    }
    return said
  }

  /** Whether a line of it takes this out of what is left out, or might. */
  mayKeep(path: readonly string[], isDirectory: boolean): boolean {
    return this.#isCut || this.#matching(path, isDirectory, 'matches').some(({ not }) => not)
  }

  /** `lines`: from further up than where it starts, some tools get a path wrong; a name alone they do not. */
  surelyIgnores(path: readonly string[], isDirectory: boolean, lines: 'all' | 'names'): boolean {
    return this.#matching(path, isDirectory, 'does_not').some(
      line => !line.not && line.exact && (lines === 'all' || line.path === null),
    )
  }

  isIn(directory: readonly string[]): boolean {
    return this.#directory.length >= directory.length
  }

  #matching(path: readonly string[], isDirectory: boolean, doubt: Doubt): readonly IgnoreLine[] {
    const below = path.slice(this.#directory.length)
    return this.#lines.filter(line => (isDirectory || !line.directoriesOnly) && matchesLine(line, below, doubt))
  }
}

const MOST_LINES = 2000
/** Of a longer file only the beginning is read. */
const LONGEST_READ = 64 * 1024

const matchesLine = ({ path, name }: IgnoreLine, below: readonly string[], doubt: Doubt): boolean =>
  path === null ? nameMatches(name, below.at(-1) ?? '', doubt) : pathMatches(path, below, doubt)

/**
 * Whether git ignores a directory for certain: it, or one above it, is named in a `.gitignore` between it and the top, or in
 * `info/exclude`. `names` lead there from the top of the work tree.
 */
export function ignoresForSure(top: string, names: readonly string[], facts: Facts): boolean {
  const above = top.split(sep)
  const exclude = facts.text(join(top, '.git', 'info', 'exclude'))
  const rules = exclude === null ? [] : [new IgnoreRules(exclude, above)]
  for (const [i] of names.entries()) {
    const directory = join(top, ...names.slice(0, i))
    // git does not follow a link here.
    const isFile = facts.list(directory)?.some(({ name, kind }) => name === '.gitignore' && kind === 'file')
    const text = isFile ? facts.text(join(directory, '.gitignore')) : null
    if (text !== null) rules.unshift(new IgnoreRules(text, directory.split(sep)))
    const path = [...above, ...names.slice(0, i + 1)]
    if (rules.map(rule => rule.says(path, true, 'by_name')).find(said => said !== null) === true) return true
  }
  return false
}

function readLine(raw: string): IgnoreLine[] {
  let line = raw.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '')
  if (line === '' || line.startsWith('#')) return []
  const not = line.startsWith('!')
  if (not) line = line.slice(1)
  const directoriesOnly = line.endsWith('/')
  if (directoriesOnly) line = line.slice(0, -1)
  line = line.replace(/^\\(?=[#!])/, '')
  const exact = !/[[\]\\\t]/.test(raw)
  const nameless = /^[*?/]+$/.test(line) || line.endsWith('**')
  // A class of characters may stand for any one of them, an escape for the character itself.
  line = line.replace(/\[[^\]]*\]/g, '?').replace(/\\(.)/g, '$1')
  const anchored = line.includes('/')
  // Two stars at the end are what lies below, not the directory itself.
  const names = line
    .replace(/^\//, '')
    .replace(/\/\*\*$/, '/*/**')
    .split('/')
  return [{ not, directoriesOnly, exact, nameless, path: anchored ? names : null, name: names[0] ?? '' }]
}
