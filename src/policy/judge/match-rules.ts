import { dirname, join } from 'node:path'
import { NO_RULE } from '../../contract/verdict-words.ts'
import { isInside } from '../model/inside.ts'
import type { Hazard } from '../model/option-model.ts'
import type { PlacedCommand, Shell } from '../model/reading.ts'
import { everyWord } from '../model/tool-model.ts'
import { placeProblem, readProblem } from '../reads/read-problem.ts'
import { gitProblem, wordsProblem } from '../reads/words-problem.ts'
import { cmdBeyondWildcard } from '../rules/cmd-rules.ts'
import { matches, type Pattern, readPattern } from '../rules/pattern.ts'
import { powershellBeyondWildcard } from '../rules/powershell-rules.ts'
import type { Rule, Rules } from '../rules/rules.ts'
import { rulesFor } from '../rules/rules-by-program.ts'
import { isBuiltin } from '../tools/shell-builtins.ts'
import { modelFor } from '../tools/tool-models.ts'

export interface CoverChecks {
  readonly optionModels: boolean
  readonly globs: boolean
}
export type Coverage = { readonly rule: Rule } | { readonly why: string }
const ALL_CHECKS: CoverChecks = { optionModels: true, globs: true }

/**
 * The rule that covers a command, or why none does. A rule's words cover what they spell; its open end covers further
 * words, but never one that runs a program, writes a file or loads code, nor an option that is not known.
 */
export function coverage(call: PlacedCommand, rules: Rules, checks: CoverChecks = ALL_CHECKS): Coverage {
  let closest: string | null = null
  for (const argv of spellings(call.command.argv)) {
    const hazards = checks.optionModels ? hazardsOf(argv, call.shell) : []
    for (const rule of candidates(argv, call.shell, rules)) {
      const pattern = patternFor(rule.pattern, call.shell)
      if (!pattern || !matches(pattern, argv, call.shell === 'none' ? 'bash' : call.shell)) continue
      const obstacle =
        beyond(pattern, argv, rule.scripts ? scriptHazards(rule.scripts, argv, hazards) : hazards) ??
        (checks.globs ? globObstacle(pattern, call, argv) : null) ??
        outOfReach(rule, call, argv, rules)
      if (obstacle === null) return { rule }
      closest ??= `"${rule.pattern.text}" does not cover it: ${obstacle}`
    }
  }
  return { why: closest ?? NO_RULE }
}

/** Windows shells compare programs without case, and PowerShell reads a pattern in its own way. */
const candidates = ([program = '']: readonly string[], shell: PlacedCommand['shell'], { rules }: Rules) =>
  shell === 'powershell' || shell === 'cmd' ? rules : rulesFor(program, rules)

/** `git --no-pager log` is `git log`: the option only switches something off. */
function spellings(argv: readonly string[]): (readonly string[])[] {
  const plain = argv[0] === 'git' && argv[1] === '--no-pager' ? ['git', ...argv.slice(2)] : null
  return plain ? [argv, plain] : [argv]
}

function hazardsOf(argv: readonly string[], shell: PlacedCommand['shell']): readonly Hazard[] {
  const windows = shell === 'powershell' || shell === 'cmd' ? powershellBeyondWildcard(argv) : null
  if (windows) return everyWord(argv, 1, windows)
  const slashes = shell === 'cmd' ? cmdBeyondWildcard(argv) : []
  return [...slashes, ...(modelFor(argv, lettersOf(shell))?.inspect(argv, 1) ?? [])]
}

const lettersOf = (shell: PlacedCommand['shell']): 'as_typed' | 'any_case' =>
  shell === 'powershell' || shell === 'cmd' ? 'any_case' : 'as_typed'

function beyond(pattern: Pattern, argv: readonly string[], hazards: readonly Hazard[]): string | null {
  // A rule without an open end has chosen to leave the rest out: `yarn`.
  const hazard = hazards.find(({ at, kind }) => at >= pattern.words.length && (pattern.openEnded || kind !== 'choice'))
  return hazard ? `${argv[hazard.at] ?? 'what is left out'} ${hazard.why}` : null
}

/** The script itself is what such a rule is for: directly behind the program, and never on a way out. */
function scriptHazards(scripts: RegExp, argv: readonly string[], hazards: readonly Hazard[]): readonly Hazard[] {
  const script = argv[1] ?? ''
  return scripts.test(script) && !script.split('/').includes('..') ? hazards.filter(({ at }) => at !== 1) : hazards
}

/** A file name can look like an option: a shell wildcard is fine only where no option does harm, or behind plain text. */
function globObstacle(pattern: Pattern, call: PlacedCommand, argv: readonly string[]): string | null {
  const shift = call.command.argv.length - argv.length
  // A cmdlet gets the wildcard as it is written; for other programs PowerShell expands it on some systems.
  if (call.shell === 'powershell' && isBuiltin(argv[0] ?? '', 'powershell')) return null
  const where = modelFor(argv, lettersOf(call.shell))?.globs ?? 'after_text'
  for (const glob of call.command.globs) {
    const word = argv[glob - shift] ?? ''
    if (glob - shift < pattern.words.length) return `${word} is a wildcard of the shell`
    if (where === 'nowhere' || (where === 'after_text' && !/^[A-Za-z0-9_./]/.test(word)))
      return `${word} may turn into an option`
  }
  return null
}

const otherShells = new WeakMap<Pattern, Map<Shell, Pattern | null>>()

/** Patterns are written as bash would read them; for PowerShell a backslash is a plain character, so they are read again. */
function patternFor(pattern: Pattern, shell: PlacedCommand['shell']): Pattern | null {
  if (shell !== 'powershell') return pattern
  const known = otherShells.get(pattern) ?? new Map<Shell, Pattern | null>()
  otherShells.set(pattern, known)
  const before = known.get(shell)
  if (before !== undefined) return before
  const reading = readPattern(pattern.text, shell)
  const again = 'problem' in reading ? null : reading
  known.set(shell, again)
  return again
}

/** A person's own rule is for what is written, not for what a shell makes of it. */
const GIVEN: Readonly<Record<string, string>> = { $: 'it has a variable', '{': 'it has braces' }

/** Why a rule that matches by its words does not apply here, or null when it does. */
function outOfReach(rule: Rule, call: PlacedCommand, argv: readonly string[], rules: Rules): string | null {
  const words = argv.slice(rule.pattern.words.length)
  // What the rule spells out may be a directory (`cmake --build build`), and that a link to somewhere else.
  const own = argv.slice(1, rule.pattern.words.length).filter(word => /^[\w.-]+$/.test(word))

  const [input] = call.command.inputs ?? []
  // To a program that only reads, a file that was looked up is the same as its input or as a word. To others it may be orders.
  if (input !== undefined && rule.reach !== 'workspace') return `it would get ${input} as its input`
  const [given] = call.command.given ?? []
  if (given !== undefined && rule.reach === 'anywhere') return GIVEN[given] ?? `the line sets ${given}`
  const [set] = call.command.sets ?? []
  if (set !== undefined && rule.reach === 'anywhere') return `${set} is set before it`

  switch (rule.reach) {
    case 'anywhere':
      return null
    case 'nothing_read':
      // The names of files are read by the shell already.
      return call.command.globs.length > 0
        ? `${call.command.argv[call.command.globs[0] ?? 0]} stands for names of files`
        : null
    case 'workspace':
      return readProblem(call, argv, rules)
    case 'repository':
      return (
        placeProblem(call.cwd, rules) ??
        (argv[0] === 'npm'
          ? npmProblem(call.cwd, rules)
          : (noRepository(words, call.cwd, rules) ?? gitProblem(words))) ??
        wordsProblem(words, call.cwd, rules)
      )
    case 'trusted':
      if (rules.workspace && !rules.workspace.trusted)
        return 'it runs code of the project and the workspace is not trusted'
      return changesFiles(words) ?? placeProblem(call.cwd, rules) ?? wordsProblem([...own, ...words], call.cwd, rules)
  }
}

/** Words behind a script's name that make a linter or a test runner change files instead of looking at them. */
function changesFiles(words: readonly string[]): string | null {
  const found = words.find(word =>
    /^(?:--(?:fix|write|apply|in-?place|update|update-?snapshots?)(?:[=-].*)?|-u|-w)$/i.test(word),
  )
  return found === undefined ? null : `${found} changes files`
}

/** git prints of the whole repository, and compares any two files where there is none or where one of them is not in it. */
function noRepository(words: readonly string[], cwd: string, { workspace, facts }: Rules): string | null {
  const here = facts.realPath(cwd, '')
  const top = facts.repositoryTop?.(here)
  if (top === undefined) return null
  const operands = words.filter(word => !word.startsWith('-'))
  if (top === null) return operands.length > 0 ? 'there is no repository here' : null
  if (workspace && !isInside(workspace.directory, top))
    return `the repository (${top}) is larger than the trusted folder`
  const outside = operands.find(word => !isInside(top, facts.realPath(word, here)))
  return outside === undefined ? null : `${outside} is outside the repository`
}

/** npm reads settings of the project: where it looks, where it writes, what it starts. A trusted project may have its own. */
function npmProblem(cwd: string, { workspace, facts }: Rules): string | null {
  if (!workspace || workspace.trusted) return null
  for (let at = facts.realPath(cwd, ''); isInside(workspace.directory, at); at = dirname(at)) {
    if (facts.text(join(at, '.npmrc')) !== null) return 'the .npmrc here changes what npm does'
    if (dirname(at) === at) break
  }
  return null
}
