import type { Words } from './parse-options.ts'
import type { Below } from './walk-files.ts'
import { bracesIn, isPlain, nameMatches, pathMatches } from './wildcard.ts'

/** The options of a command as it is taken apart. */
export type Seen = Words['options']

export const has = (seen: Seen, names: string): boolean => seen.some(({ name }) => names.split(' ').includes(name))
export const valuesOf = (seen: Seen, names: string): string[] =>
  seen.flatMap(({ name, value }) => (value !== null && names.split(' ').includes(name) ? [value] : []))

const always = (): boolean => true
export const EVERY: Below = { follows: false, skips: 'nothing', namesOverrule: false, opens: always, enters: always }

/** Patterns of files it leaves out: the last one counts, and what cannot be read here exactly keeps nothing out. */
function keptOut(patterns: Seen, wanted: string): string[] {
  const last = patterns.map(({ name }) => name).lastIndexOf(wanted)
  return patterns
    .slice(last + 1)
    .flatMap(({ value }) => (value !== null && isPlain(value) && !value.includes('/') ? [value] : []))
}

/** The last choice that fits counts; where none does, a file is opened unless the first of them is an `--include`. */
function isChosen(file: string, choices: Seen): boolean {
  for (const { name, value } of [...choices].reverse()) {
    if (name === '--exclude-from' || value === null) continue
    const isSure = isPlain(value) && !value.includes('/')
    if (name === '--include' && (!isSure || nameMatches(value, file, 'matches'))) return true
    if (name === '--exclude' && isSure && nameMatches(value, file, 'does_not')) return false
  }
  return choices[0]?.name !== '--include'
}

/** `grep --include --exclude --exclude-dir`: patterns on the last name, or on the whole path where they have a slash. */
export function grepBelow(seen: Seen): Below | null {
  const recurses =
    has(seen, '-r -R --recursive --dereference-recursive') ||
    valuesOf(seen, '-d --directories').some(value => value.startsWith('r'))
  if (!recurses) return null
  const choices = seen.filter(({ name }) => /^--(?:include|exclude|exclude-from)$/.test(name))
  const left = valuesOf(seen, '--exclude-dir')
    .map(glob => glob.replace(/^\.\/|\/+$/g, ''))
    .filter(isPlain)
  return {
    ...EVERY,
    follows: has(seen, '-R --dereference-recursive'),
    opens: name => isChosen(name, choices),
    enters: name => !left.some(glob => nameMatches(glob, name, 'does_not')),
  }
}

/** As in a `.gitignore`: with a slash it is the path from where the command runs. What cannot be read here exactly matches. */
function globMatches(glob: string, name: string, path: readonly string[]): boolean {
  if (!isPlain(glob)) return true
  if (!glob.includes('/')) return nameMatches(glob, name, 'matches')
  return path[0] === '..' || glob.endsWith('/') || pathMatches(glob.replace(/^\//, '').split('/'), path, 'matches')
}

/** Leaves out what is hidden or ignored unless it is told otherwise; what a pattern asks for by name it opens all the same. */
export function rgBelow(seen: Seen): Below {
  const globs = seen
    .filter(({ name }) => ['-g', '--glob', '--iglob'].includes(name))
    .map(({ value }) => (value?.startsWith('!') ? { name: 'not', value: value.slice(1) } : { name: 'wanted', value }))
  const wanted = valuesOf(globs, 'wanted').flatMap(bracesIn)
  const unwanted = keptOut(globs, 'wanted')
  const loud = seen.some(({ name }) => /^(-\.|-u|--hidden|--unrestricted|--no-ignore.*|--ignore-file)$/.test(name))
  const anyCase = has(seen, '--iglob --glob-case-insensitive')
  return {
    follows: has(seen, '-L --follow'),
    skips: loud ? 'nothing' : has(seen, '-t --type') ? 'ignored_and_hidden_directories' : 'hidden_and_ignored',
    namesOverrule: wanted.length > 0,
    opens: (name, path) =>
      (wanted.length === 0 || anyCase || wanted.some(glob => globMatches(glob, name, path))) &&
      !unwanted.some(glob => nameMatches(glob, name, 'does_not')),
    enters: name => !unwanted.some(glob => nameMatches(glob, name, 'does_not')),
  }
}
