import { basename, isAbsolute, relative, sep } from 'node:path'
import { catastrophe } from './destructive.ts'
import { matches } from './pattern.ts'
import type { Rule, Rules } from './rules.ts'
import { type Lane, notAuto, type Part, type Verdict } from './verdict.ts'
import { readWords } from './words.ts'

/** What a caller wants to run. With `args` the command is the program and nothing is read as shell. */
export interface Line {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The real directory it would run in. */
  readonly cwd: string
}

const LONGEST_LINE = 64 * 1024
const SAFE_ENV =
  /^(CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|COLORTERM|NODE_ENV)$/
const SAFE_ENV_VALUE = /^[A-Za-z0-9_.:@,+-]*$/

/**
 * The gate: may this line run without asking? Reads it as literal words, refuses what it does not fully understand,
 * and never guesses towards yes.
 */
export function decide(line: Line, rules: Rules, lane: Lane): Verdict {
  const whole = { text: line.command, start: 0, end: Buffer.byteLength(line.command) }
  const giveUp = (why: string): Verdict =>
    notAuto(lane, why, [{ ...whole, argv: null, covered: false, rule: null, why }])
  if (whole.end > LONGEST_LINE) return giveUp('the line is longer than 64 KiB')

  const argv = argvOf(line)
  if ('gaveUp' in argv) return giveUp(`the line has ${argv.gaveUp}, which only a person can allow`)
  const [program] = argv.words
  if (program === undefined || program === '') return giveUp('there is no command')

  const part = (covered: boolean, rule: string | null, why: string): Part => ({
    ...whole,
    argv: argv.words,
    covered,
    rule,
    why,
  })
  const destroyed = catastrophe(argv.words)
  if (destroyed) return { verdict: 'destructive', why: destroyed, parts: [part(false, null, destroyed)], flags: [] }

  const ask = (why: string): Verdict => notAuto(lane, why, [part(false, null, why)])
  if (rules.autoApprove === 'never') return ask('nothing runs unasked: PM_TERM_AUTO_APPROVE is never')
  const env = Object.entries(line.env ?? {}).find(
    ([name, value]) => !SAFE_ENV.test(name) || !SAFE_ENV_VALUE.test(value),
  )
  if (env) return ask(`the request sets ${env[0]}, which only a person can allow`)
  if (namesUs(argv.words, line.cwd, rules)) return ask('the line names our own files or program')
  const found = rules.facts.program(program)
  if ('problem' in found) return ask(`${program}: ${found.problem}`)

  let closest: string | null = null
  for (const rule of rules.rules) {
    if (!matches(rule.pattern, argv.words)) continue
    const obstacle = outOfReach(rule, argv.words, line.cwd, rules)
    if (obstacle === null)
      return { verdict: 'auto', why: rule.why, parts: [part(true, rule.pattern.text, rule.why)], flags: [] }
    closest ??= `"${rule.pattern.text}" does not cover it: ${obstacle}`
  }
  return ask(closest ?? 'no rule covers it')
}

function argvOf(line: Line): { words: readonly string[] } | { gaveUp: string } {
  if (line.args) return { words: [line.command, ...line.args] }
  const reading = readWords(line.command)
  return 'gaveUp' in reading ? reading : { words: reading.words.map(word => word.text) }
}

/** Why a rule that matches by its words does not apply here, or null when it does. */
function outOfReach(rule: Rule, argv: readonly string[], cwd: string, rules: Rules): string | null {
  if (rule.reach === 'anywhere') return null
  const { workspace, facts } = rules
  if (!workspace) return 'this directory is not in a workspace you have bound'
  if (!isInside(workspace.directory, cwd)) return 'the directory is outside the workspace'
  if (rule.reach === 'trusted' && !workspace.trusted)
    return 'it runs code of the project and the workspace is not trusted'
  for (const word of argv.slice(rule.pattern.words.length)) {
    if (word.startsWith('-')) {
      if (rule.options === 'any' || rule.options.includes(word)) continue
      return `the option ${word} is not on its list`
    }
    const path = facts.realPath(word, cwd)
    if (!isInside(workspace.directory, path)) return `${word} is outside the workspace`
    if (isSecretFile(path)) return `${word} may hold secrets`
  }
  return null
}

function namesUs(argv: readonly string[], cwd: string, rules: Rules): boolean {
  return argv.some(word => {
    if (/^interactive-terminal(\.\w+)?$/.test(basename(word))) return true
    const value = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word
    if (value === '') return false
    const path = rules.facts.realPath(value, cwd)
    return rules.facts.ours.some(own => isInside(own, path))
  })
}

const isSecretFile = (path: string): boolean =>
  path
    .split(sep)
    .some(name =>
      /^\.env(\.|$)|^\.ssh$|^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|kdbx)$|^\.netrc$|^\.npmrc$|^\.aws$/.test(
        name,
      ),
    )

export function isInside(directory: string, path: string): boolean {
  const from = relative(directory, path)
  return from === '' || (!from.startsWith(`..${sep}`) && from !== '..' && !isAbsolute(from))
}
