import { basename, isAbsolute, resolve } from 'node:path'
import { isInside } from '../model/inside.ts'
import type { Shell, SimpleCommand } from '../model/reading.ts'
import type { GateLane } from '../model/verdict.ts'
import type { Rules } from '../rules/rules.ts'
import { CHANGES_SHELL, isBuiltin } from '../tools/shell-builtins.ts'
import { actsOnDirectory } from '../tools/tool-models.ts'
import { isReader, readsOf } from './reads-of.ts'

/** What surrounds the words of a command: the shell's state, the directory, the program file, our own files. */

/** A builtin that changes the shell changes what the rest of the line means, even if a rule names it. */
export function stateProblem(commands: readonly SimpleCommand[], shell: Shell | 'none'): string | null {
  if (commands.length < 2) return null
  const found = commands.find(({ argv }) => CHANGES_SHELL.has(argv[0] ?? '') || (shell === 'zsh' && calculates(argv)))
  return found ? `${found.argv[0]} changes what the rest of the line means` : null
}

/** zsh reads a number as arithmetic, and that may set a variable: `printf %d PATH=7`, `[ -t PATH=7 ]`. */
const calculates = ([program = '', ...words]: readonly string[]): boolean =>
  program === 'printf'
    ? words.slice(1).some(word => /[=+-]/.test(word))
    : /^(?:test|\[)$/.test(program) && words.some(word => /\w(?:=|\+\+|--|[-+*/%&|^<>]=)|(?:\+\+|--)\w/.test(word))

const MOST_DIRECTORIES = 16
/** A drive or a provider, or the root of the drive it is on: where that lies only Windows knows. */
const ON_A_DRIVE = /^\w+:|^\\/

export interface Place {
  /** Every directory it may run in. */
  readonly cwds: readonly string[]
  /** Why this command may not run there unasked. */
  readonly problem: string | null
}

/**
 * Follows `cd` through a line. A project tool that ends up outside the directory the rules are for is not covered, and behind
 * a `cd` whose end nobody can tell nothing is that depends on where it runs.
 */
export function walkDirectories(commands: readonly SimpleCommand[], cwd: string, rules: Rules): Place[] {
  const home = rules.workspace && isInside(rules.workspace.directory, cwd) ? rules.workspace.directory : cwd
  // A cd can fail, or move only a subshell: only behind && is it certain, elsewhere every directory so far is possible.
  let here: readonly string[] | null = [cwd]
  let seen: readonly string[] = [cwd]
  let certain = true
  // Behind &&, || and ; the shell may be somewhere nobody knows.
  let lost = false

  return commands.map(({ argv, globs, joinedBy }, i): Place => {
    if (joinedBy !== '&&') {
      certain = joinedBy !== '||' && joinedBy !== '|' && joinedBy !== '|&'
      if (here !== null) here = seen
    }
    const place = { cwds: here ?? seen, problem: problemOf(argv, lost ? null : here, home, rules) }
    if (/^(?:cd|pushd|popd|chdir|(?:Set|Push|Pop)-Location|sl)$/i.test(argv[0] ?? '')) {
      const next = here === null || seen.length >= MOST_DIRECTORIES ? null : goingTo(argv, globs, here, rules)
      lost ||= next === null
      here = next
      const sure =
        next !== null &&
        runsAnyway(joinedBy, commands[i + 1]?.joinedBy) &&
        !argv.some(comesBack) &&
        next.every(isThere(rules))
      seen = sure ? next : [...new Set([...seen, ...(here ?? [])])]
      if (!certain && here !== null) here = seen
    }
    return place
  })
}

/** Whether a command runs in the shell itself, whatever the ones before it did. */
const runsAnyway = (before: string | undefined, behind: string | undefined): boolean =>
  (before === undefined || before === ';' || before === '\n') && behind !== '|' && behind !== '|&'

/** `src/nothing/..`: a shell wants all of it to be there, not only where it ends. */
function comesBack(word: string): boolean {
  const names = word.split(/[\\/]+/)
  const first = names.findIndex(name => !/^\.{0,2}$/.test(name))
  return first >= 0 && names.lastIndexOf('..') > first
}

/** Only who may go into a directory can list its dot. */
const isThere =
  ({ facts }: Rules) =>
  (directory: string): boolean =>
    facts.list(`${facts.realPath(directory, '')}/.`) !== null

function problemOf(argv: readonly string[], here: readonly string[] | null, home: string, rules: Rules): string | null {
  if (here === null) return readsNothing(argv) ? null : 'the line goes to a directory that is known only when it runs'
  const outside = here.some(at => !isInside(home, rules.facts.realPath(at, '')))
  if (isAnotherFile(argv[0] ?? '', here, home, rules))
    return `${argv[0]} is another file here than where the rules are for`
  return outside && actsOnDirectory(argv) ? `${argv[0]} would work outside the directory the rules are for` : null
}

/** `./build.sh` is the one in the directory the rules are for. A trusted folder may run what it likes of its own. */
function isAnotherFile(program: string, here: readonly string[], home: string, { facts, workspace }: Rules): boolean {
  if (!program.includes('/') || isAbsolute(program) || workspace?.trusted === true) return false
  const meant = facts.realPath(program, facts.realPath(home, ''))
  return here.some(at => facts.realPath(program, facts.realPath(at, '')) !== meant)
}

/** Where a cd leads, for each place it may start from; null: nobody can tell. */
function goingTo(
  argv: readonly string[],
  globs: readonly number[],
  from: readonly string[],
  { facts }: Rules,
): readonly string[] | null {
  const words = argv.slice(1)
  const physical = words.some(word => /^-[eL@]*P[e@]*$/.test(word))
  const options = words.filter(word => word !== '--' && /^-[LPe@]+$/.test(word)).length + Number(words.includes('--'))
  const [target, ...more] = words.slice(options)
  const known = target !== undefined && more.length === 0 && globs.length === 0
  if (!known || target === '' || target.startsWith('-') || ON_A_DRIVE.test(target)) return null
  return from.flatMap(at =>
    [...new Set([target, target.replaceAll('\\', '/')])].map(path =>
      physical ? facts.realPath(path, facts.realPath(at, '')) : resolve(at, path),
    ),
  )
}

export function programProblem(
  program: string,
  { shell, lane }: { readonly shell: Shell | 'none'; readonly lane: GateLane },
  rules: Rules,
): string | null {
  if (shell !== 'none' && isBuiltin(program, shell)) return null
  const found = rules.facts.program(program)
  // A shell says by itself that there is none.
  if ('problem' in found && found.absent && lane === 'interactive') return null
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

/** Whether it does the same wherever it runs: it only prints its words, or what another command hands it. */
function readsNothing(argv: readonly string[]): boolean {
  if (!isReader(argv[0] ?? '')) return /^(?:echo|printf|true|false|:|exit)$/.test(argv[0] ?? '')
  const reads = readsOf(argv, true)
  return !('problem' in reads) && reads.length === 0
}

/** git itself, and what calls it. */
export const isGit = (program: string): boolean => /(^|[\\/])(?:git|gh)(\.exe)?$/i.test(program)

/** An unasked git reads the repository around it, and the repository may name programs git would start. */
export function repositoryProblem(argv: readonly string[], cwds: readonly string[], { facts }: Rules): string | null {
  for (const cwd of cwds) {
    const here = facts.realPath(cwd, '')
    const problem = facts.repositoryProblem?.(here) ?? null
    if (problem) return problem
    const top = looksIntoSubmodules(argv) ? facts.repositoryTop?.(here) : null
    if (typeof top === 'string' && facts.submodules?.(top) !== false)
      return 'it runs git inside submodules, under their own rules'
  }
  return null
}

/** No setting keeps these out of a submodule: they ask git there whether anything changed. */
const looksIntoSubmodules = (argv: readonly string[]): boolean =>
  argv.some(word => /^diff-(?:index|files)$/.test(word)) ||
  (argv.includes('describe') && argv.some(word => /^--(?:di|b)/.test(word)))
