import { basename, dirname, join, relative, sep } from 'node:path'
import { isPrecious } from '../destructive/precious-paths.ts'
import { programName } from '../destructive/unwrap.ts'
import { isInside } from '../model/inside.ts'
import type { SimpleCommand } from '../model/reading.ts'
import { walkDirectories } from '../reads/context-checks.ts'
import { ignoresForSure } from '../reads/ignore-rules.ts'
import { isSecretPath } from '../reads/secret-files.ts'
import type { Facts, Rules } from '../rules/rules.ts'
import { operandsOf } from './effect-row.ts'
import { workTreeAt } from './outside-project.ts'

/** By the words of a command: what it deletes, all of which can be made again. */
export type Cheap = ReadonlyMap<string, string>

export const wordsOf = ({ argv }: { readonly argv: readonly string[] | null }): string => JSON.stringify(argv)

export const canBeMadeAgain = (deleted: string): string =>
  `git ignores ${deleted}: it can be made again; deleting it still needs approval`

/**
 * Deleting what git ignores in its own work tree is cheap: a build, an install. The commands of a line that delete nothing else;
 * where that is not certain, deleting stays grave.
 */
export function cheapCommands(commands: readonly SimpleCommand[], cwd: string, rules: Rules): Cheap {
  const deleting = commands.map(deletedBy)
  if (deleting.every(operands => operands === null)) return new Map()
  const places = walkDirectories(commands, cwd, rules)
  const isCheap = (i: number): boolean => {
    const { cwds, problem } = places[i] ?? { cwds: [], problem: 'nowhere' }
    const operands = deleting[i] ?? []
    return (
      problem === null && operands.length > 0 && cwds.every(at => operands.every(each => isMadeAgain(each, at, rules)))
    )
  }
  const grave = new Set(commands.filter((_, i) => !isCheap(i)).map(wordsOf))
  // The same words further on in the line may mean another directory.
  return new Map(
    commands.flatMap((command, i) =>
      grave.has(wordsOf(command)) ? [] : [[wordsOf(command), (deleting[i] ?? []).join(', ')] as const],
    ),
  )
}

/** What `rm -rf a b`, `rimraf a` and `npx rimraf a` name; null: it is another command, or one with options that are not known. */
function deletedBy({ argv, globs }: SimpleCommand): readonly string[] | null {
  const words = argv[0] === 'npx' ? argv.slice(1) : argv
  const name = programName(words[0] ?? '')
  if (globs.length > 0 || !/^(?:rm|rimraf)$/.test(name) || (name === 'rm' && words !== argv)) return null
  const rest = words.slice(1)
  const options = rest
    .slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
    .filter(word => word.startsWith('-'))
  const known = name === 'rm' ? /^-[rRfvdiI]+$|^--(?:recursive|force|verbose|dir|one-file-system)$/ : /^--verbose$/
  const whole = name === 'rimraf' || options.some(word => /^-[a-z]*r|^--recursive$/i.test(word))
  return whole && options.every(word => known.test(word)) ? operandsOf(rest) : null
}

function isMadeAgain(operand: string, cwd: string, { facts, workspace }: Rules): boolean {
  const path = operand.replace(/\/+$/, '')
  // Letters that mean the same to everybody, and a name of its own at the end.
  if (!/^[\w.@+/-]+$/.test(path) || /^\.{0,2}$/.test(basename(path))) return false
  const here = facts.realPath(cwd, '')
  const real = join(facts.realPath(dirname(path), here), basename(path))
  const top = workTreeAt(dirname(real), facts)
  if (facts.realPath(real, '') !== real || top === null || top !== workTreeAt(here, facts) || isPrecious(top, '/'))
    return false
  if (
    isInside(real, here) ||
    (workspace && (isInside(real, workspace.directory) || !isInside(workspace.directory, real)))
  )
    return false
  if (facts.ours.some(own => isInside(real, own) || isInside(own, real))) return false
  const names = relative(top, real).split(sep)
  if (isSecretPath(names.join('/')) || !ignoresForSure(top, names, facts)) return false
  // Ignored or not, what git keeps there is somebody's work.
  if (facts.tracked?.(top, names.join('/')) !== false) return false
  return isNowhere(real, facts) || holdsOnlyMade(real, facts)
}

const isNowhere = (path: string, { list }: Facts): boolean =>
  !list(dirname(path))?.some(({ name }) => name === basename(path))

const MOST_ENTRIES = 40_000
/** What is installed brings keys for its own tests along. */
const PACKAGES = /^(?:node_modules|site-packages)$/
const KEPT = /\.(?:sqlite3?|db|rdb|mdb|dump|bak|kdbx)$|^PG_VERSION$|^ibdata1$/i

/** A directory without a repository, a secret or a database in it, looked through to its end. */
function holdsOnlyMade(top: string, facts: Facts): boolean {
  const ahead = [{ directory: top, installed: PACKAGES.test(basename(top)) }]
  let seen = 0
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { directory, installed } = next
    const listed = facts.list(directory)
    seen += listed?.length ?? 0
    if (listed === null || seen > MOST_ENTRIES) return false
    for (const { name, kind } of listed) {
      if (name === '.git' || (kind === 'directory' && name.endsWith('.git'))) return false
      if (!installed && (isSecretPath(name) || KEPT.test(name))) return false
      if (kind === 'directory')
        ahead.push({ directory: join(directory, name), installed: installed || PACKAGES.test(name) })
    }
  }
  return true
}
