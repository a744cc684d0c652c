import { basename, resolve } from 'node:path'
import { isInside } from './inside.ts'
import type { Shell, SimpleCommand } from './reading.ts'
import type { Rules } from './rules.ts'
import { CHANGES_SHELL, isBuiltin } from './tools/shell-builtins.ts'
import { actsOnDirectory } from './tools/tool-models.ts'

/** What surrounds the words of a command: the shell's state, the directory, the program file, our own files. */

/** A builtin that changes the shell changes what the rest of the line means, even if a rule names it. */
export function stateProblem(commands: readonly SimpleCommand[]): string | null {
  if (commands.length < 2) return null
  const found = commands.find(({ argv }) => CHANGES_SHELL.has(argv[0] ?? ''))
  return found ? `${found.argv[0]} changes what the rest of the line means` : null
}

const MOST_DIRECTORIES = 16
/** A drive or a provider, or the root of the drive it is on: where that lies only Windows knows. */
const ON_A_DRIVE = /^\w+:|^\\/

export interface Place {
  /** Every directory it may run in. */
  readonly cwds: readonly string[]
  /** Why this command may not run there unasked. */
  readonly problem: string | null
}

/** Follows `cd` through a line. A project tool that ends up outside the directory the rules are for is not covered. */
export function walkDirectories(commands: readonly SimpleCommand[], cwd: string, rules: Rules): Place[] {
  const home = rules.workspace && isInside(rules.workspace.directory, cwd) ? rules.workspace.directory : cwd
  // A cd can fail, or move only a subshell: only behind && is it certain, elsewhere every directory so far is possible.
  let here: readonly string[] | null = [cwd]
  let seen: readonly string[] = [cwd]
  let certain = true
  return commands.map(({ argv, globs, joinedBy }): Place => {
    if (joinedBy !== '&&') {
      certain = joinedBy !== '||' && joinedBy !== '|' && joinedBy !== '|&'
      if (here !== null) here = seen
    }
    const outside = here === null || here.some(at => !isInside(home, rules.facts.realPath(at, '')))
    const problem =
      outside && actsOnDirectory(argv) ? `${argv[0]} would work outside the directory the rules are for` : null
    const place = { cwds: here ?? seen, problem }
    if (/^(?:cd|pushd|popd|chdir|(?:Set|Push|Pop)-Location|sl)$/i.test(argv[0] ?? '')) {
      const [target, second] = argv.slice(1).filter(word => word === '-' || !word.startsWith('-'))
      const known =
        target !== undefined && second === undefined && target !== '-' && globs.length === 0 && !ON_A_DRIVE.test(target)
      here =
        here !== null && known && seen.length < MOST_DIRECTORIES
          ? here.flatMap(at => [...new Set([target, target.replaceAll('\\', '/')])].map(path => resolve(at, path)))
          : null
      seen = [...new Set([...seen, ...(here ?? [])])]
      if (!certain && here !== null) here = seen
    }
    return place
  })
}

export function programProblem(program: string, shell: Shell | 'none', rules: Rules): string | null {
  if (shell !== 'none' && isBuiltin(program, shell)) return null
  const found = rules.facts.program(program)
  return 'problem' in found ? `${program}: ${found.problem}` : null
}

/** Lines that name our state or our program could widen what is allowed. */
export function namesUs(argv: readonly string[], cwd: string, rules: Rules): boolean {
  return argv.some(word => {
    if (/^interactive-terminal(\.\w+)?$/.test(basename(word))) return true
    const values = word.startsWith('-')
      ? [word.slice(word.indexOf('=') + 1), word.slice(2)]
      : [word, word.slice(word.indexOf('=') + 1)]
    return values.some(value => {
      if (value === '' || rules.facts.ours.length === 0) return false
      if (/[*?[]/.test(value)) return rules.facts.ours.some(own => couldMatch(resolve(cwd, value), own))
      const path = rules.facts.realPath(value, rules.facts.realPath(cwd, ''))
      return rules.facts.ours.some(own => isInside(own, path))
    })
  })
}

/** Whether a path with shell wildcards could lead to `own` or into it: name by name, as far as both go. */
function couldMatch(path: string, own: string): boolean {
  const names = path.split('/')
  return own.split('/').every((name, i) => {
    const glob = names[i]
    if (glob === undefined) return false
    return glob === '**' || nameMatches(glob, name)
  })
}

function nameMatches(glob: string, name: string): boolean {
  if (!/[*?[]/.test(glob)) return glob === name
  // Brackets are taken for any character, and a hidden name for a plain one: it costs a question, never a secret.
  const shape = glob.replace(/\[[^\]]*\]/g, '?').replace(/[.+^${}()|\\\][]/g, '\\$&')
  const pattern = new RegExp(`^${shape.replace(/\*+/g, '.*').replace(/\?/g, '.')}$`)
  return pattern.test(name)
}

export const isGit = (program: string): boolean => /(^|[\\/])git(\.exe)?$/i.test(program)

/** An unasked git reads the repository around it, and the repository may name programs git would start. */
export function repositoryProblem(cwds: readonly string[], { facts }: Rules): string | null {
  for (const cwd of cwds) {
    const problem = facts.repositoryProblem?.(facts.realPath(cwd, '')) ?? null
    if (problem) return problem
  }
  return null
}
