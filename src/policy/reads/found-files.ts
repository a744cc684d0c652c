import { EVERY } from './search-below.ts'
import type { Below } from './walk-files.ts'
import { isPlain, nameMatches } from './wildcard.ts'

/** What `find` would find: where it looks, and which files below it leaves out for certain. */
export interface Found {
  readonly roots: readonly string[]
  readonly below: (root: string) => Below
  /** `-print0` */
  readonly zero: boolean
}

type Choice = (name: string) => boolean

/** Tests that only choose among files, with their one value. */
const TESTS =
  /^-(?:type|path|ipath|wholename|iwholename|maxdepth|mindepth|size|mtime|atime|ctime|mmin|amin|cmin|newermt|perm|user|group|regex|iregex|regextype)$/
const FLAGS = /^-(?:empty|readable|writable|executable|true|mount|xdev|daystart|depth|a|and|warn|nowarn)$/
const NAMED = /^-i?name$/
const PATHS = /^-(?:path|wholename)$/

/**
 * Reads an expression in which every test has to hold; one of them may be a choice of names in brackets. null: it is another one,
 * and then nobody here can tell what it finds. What a test leaves out is taken for found unless that is certain.
 */
export function foundBy(argv: readonly string[]): Found | null {
  const first = argv.findIndex((word, i) => i > 0 && /^[-(),!]/.test(word))
  const roots = argv.slice(1, first < 0 ? undefined : first)
  const left = first < 0 ? [] : argv.slice(first)
  const names: Choice[] = []
  const notPaths: string[] = []
  let onlyFiles = false
  let zero = false

  for (let at = 0; at < left.length; ) {
    const isNot = left[at] === '!' || left[at] === '-not'
    if (isNot) at += 1
    const [test = '', value] = left.slice(at)
    if (test === '(' && !isNot) {
      const group = readGroup(left, at)
      if (group === null) return null
      names.push(group.choice)
      at = group.end
    } else if (NAMED.test(test) && value !== undefined) {
      if (!isNot) names.push(named(test, value))
      at += 2
    } else if (TESTS.test(test) && value !== undefined) {
      if (isNot && PATHS.test(test)) notPaths.push(value)
      onlyFiles ||= !isNot && test === '-type' && value === 'f'
      at += 2
    } else if (/^-print0?$/.test(test) && !isNot && at === left.length - 1) {
      zero = test === '-print0'
      at += 1
    } else if (FLAGS.test(test)) at += 1
    else return null
  }

  if (!roots.every(root => /^[\w./][\w./@+-]*$/.test(root))) return null
  const below = (root: string): Below => ({
    ...EVERY,
    // What is handed a link opens what it leads to.
    follows: !onlyFiles,
    opens: name => names.every(isChosen => isChosen(name)),
    enters: (_, path) => !notPaths.some(glob => leavesOutAll(glob, `${root.replace(/\/+$/, '')}/${path.join('/')}/`)),
  })
  return { roots: roots.length === 0 ? ['.'] : roots, below, zero }
}

const named =
  (test: string, glob: string): Choice =>
  name =>
    !isPlain(glob) ||
    (test === '-iname' ? nameMatches(glob.toLowerCase(), name.toLowerCase()) : nameMatches(glob, name))

/** A pattern that ends with a star and fits a directory fits all below it. */
const leavesOutAll = (glob: string, directory: string): boolean =>
  isPlain(glob) && glob.endsWith('*') && nameMatches(glob, directory)

/** `( -name a -o -name b )` */
function readGroup(words: readonly string[], start: number): { readonly choice: Choice; readonly end: number } | null {
  const choices: Choice[] = []
  for (let at = start + 1; ; at += 3) {
    const [test = '', glob, behind] = words.slice(at)
    if (!NAMED.test(test) || glob === undefined) return null
    choices.push(named(test, glob))
    if (behind === ')') return { choice: name => choices.some(choice => choice(name)), end: at + 3 }
    if (behind !== '-o' && behind !== '-or') return null
  }
}
