import { relative, sep } from 'node:path'
import { isInside } from './inside.ts'
import { matches, type Pattern, readPattern } from './pattern.ts'
import { powershellBeyondWildcard } from './powershell-rules.ts'
import type { Shell, SimpleCommand } from './reading.ts'
import type { Rule, Rules } from './rules.ts'
import type { Hazard } from './tools/option-model.ts'
import { isBuiltin } from './tools/shell-builtins.ts'
import { everyWord } from './tools/tool-model.ts'
import { modelFor } from './tools/tool-models.ts'

/** One simple command and where it would run. */
export interface Call {
  readonly command: SimpleCommand
  readonly shell: Shell | 'none'
  readonly cwd: string
}

export interface CoverChecks {
  readonly optionModels: boolean
  readonly globs: boolean
}
const ALL_CHECKS: CoverChecks = { optionModels: true, globs: true }

/**
 * The rule that covers a command, or why none does. A rule's words cover what they spell; its open end covers further
 * words, but never one that runs a program, writes a file or loads code, nor an option nobody has looked at.
 */
export function coverage(call: Call, rules: Rules, checks: CoverChecks = ALL_CHECKS): { rule: Rule } | { why: string } {
  let closest: string | null = null
  for (const argv of spellings(call.command.argv)) {
    const hazards = checks.optionModels ? hazardsOf(argv, call.shell) : []
    for (const rule of rules.rules) {
      const pattern = patternFor(rule.pattern, call.shell)
      if (!pattern || !matches(pattern, argv, call.shell === 'none' ? 'bash' : call.shell)) continue
      const obstacle =
        beyond(pattern, argv, hazards) ??
        (checks.globs ? globObstacle(pattern, call, argv) : null) ??
        outOfReach(rule, argv, call.cwd, rules)
      if (obstacle === null) return { rule }
      closest ??= `"${rule.pattern.text}" does not cover it: ${obstacle}`
    }
  }
  return { why: closest ?? 'no rule covers it' }
}

/** `git --no-pager log` is `git log`: the option only switches something off. */
function spellings(argv: readonly string[]): (readonly string[])[] {
  const plain = argv[0] === 'git' && argv[1] === '--no-pager' ? ['git', ...argv.slice(2)] : null
  return plain ? [argv, plain] : [argv]
}

function hazardsOf(argv: readonly string[], shell: Call['shell']): readonly Hazard[] {
  const windows = shell === 'powershell' ? powershellBeyondWildcard(argv) : null
  if (windows) return everyWord(argv, 1, windows)
  return modelFor(argv, lettersOf(shell))?.inspect(argv, 1) ?? []
}

const lettersOf = (shell: Call['shell']): 'as_typed' | 'any_case' =>
  shell === 'powershell' || shell === 'cmd' ? 'any_case' : 'as_typed'

function beyond(pattern: Pattern, argv: readonly string[], hazards: readonly Hazard[]): string | null {
  const hazard = hazards.find(({ at }) => at >= pattern.words.length)
  return hazard ? `${argv[hazard.at] ?? 'what is left out'} ${hazard.why}` : null
}

/** A file name can look like an option: a shell wildcard is fine only where no option does harm, or behind plain text. */
function globObstacle(pattern: Pattern, call: Call, argv: readonly string[]): string | null {
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
function patternFor(pattern: Pattern, shell: Call['shell']): Pattern | null {
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

/** Why a rule that matches by its words does not apply here, or null when it does. */
function outOfReach(rule: Rule, argv: readonly string[], cwd: string, rules: Rules): string | null {
  if (rule.reach === 'anywhere') return null
  const { workspace, facts } = rules
  if (!workspace) return 'this directory is not in a workspace you have bound'
  if (!isInside(workspace.directory, cwd)) return 'the directory is outside the workspace'
  if (rule.reach === 'trusted' && !workspace.trusted)
    return 'it runs code of the project and the workspace is not trusted'
  const words = argv.slice(rule.pattern.words.length)
  // Once an option brings the pattern, the first operand is a file like the others.
  let texts = words.some(word => /^-[A-Za-z]*[ef]|^--(regexp|file)/.test(word)) ? 0 : (rule.textOperands ?? 0)
  if (searchesEverything(rule, words, texts)) return 'without a path it searches hidden files too'
  for (const word of words) {
    if (rule.never?.includes(word)) return `${word} may reach hidden files`
    // A pathspec of git with magic in it (`:(top).env`) names files in a way of its own.
    if (word.startsWith(':')) return `${word} may hold secrets`
    if (texts > 0 && !word.startsWith('-')) {
      texts -= 1
      continue
    }
    if (word.startsWith('-') && rule.options !== 'any' && !rule.options.includes(word))
      return `the option ${word} is not on its list`
    for (const value of pathsIn(word)) {
      const path = facts.realPath(value, facts.realPath(cwd, ''))
      if (!isInside(workspace.directory, path)) return `${word} is outside the workspace`
      if (isSecretFile(relative(workspace.directory, path)) || /(^|\/)\.[^/]*[*?[]/.test(value))
        return `${word} may hold secrets`
    }
  }
  return null
}

/** A recursive search that names no path goes through the whole directory, `.env` and all. */
function searchesEverything(rule: Rule, words: readonly string[], texts: number): boolean {
  if (rule.textOperands === undefined || !words.some(word => /^-[A-Za-z]*[rR]|^--(dereference-)?recursive/.test(word)))
    return false
  return words.filter(word => !word.startsWith('-')).length <= texts
}

/** What of a word may be a path: an operand, the value of a long option, what is glued to a short one. */
function pathsIn(word: string): string[] {
  // `HEAD:src/a.ts` names a file in a revision.
  const colon = word.indexOf(':')
  if (!word.startsWith('-')) return colon >= 0 && colon + 1 < word.length ? [word, word.slice(colon + 1)] : [word]
  const cut = word.indexOf('=')
  if (cut >= 0) return [word.slice(cut + 1)]
  const glued = /^-[A-Za-z0-9]+?([./~].*)$/.exec(word)?.[1]
  return glued === undefined ? [] : [glued]
}

const isSecretFile = (path: string): boolean =>
  path
    .split(sep)
    .some(name =>
      /^\.env|^\.ssh$|^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|kdbx|jks|keystore)$|^\.netrc$|^\.npmrc$|^\.pypirc$|^\.aws$|^\.gnupg$|^\.git-credentials$|^credentials(\.json)?$|^secrets?(\.|$)/i.test(
        name,
      ),
    )
