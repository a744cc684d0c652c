import type { Dispatch } from './dispatch-records.ts'
import type { Judge, Trial } from './gate-under-test.ts'

/**
 * Why what bash did with an *auto* line is more than the allowlist covers, or null when it is not.
 * The match of patterns is written a second time here on purpose: the gate's own must not vouch for itself.
 */
export function whyEscape(trial: Trial, dispatch: Dispatch, judge: Judge): string | null {
  if (!dispatch.finished) return 'bash did not survive the line'
  if (dispatch.files !== null) return `it left files: ${dispatch.files}`
  if (dispatch.complaint !== null) return `bash complained: ${dispatch.complaint}`
  const assignment = dispatch.commands.find(
    command => /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(command) && !HARMLESS_SETTING.test(command),
  )
  if (assignment !== undefined) return `bash assigned: ${assignment}`
  for (const argv of dispatch.argvs) {
    if (!trial.allowlist.some(pattern => covers(pattern, argv))) return `bash started ${JSON.stringify(argv)}`
  }
  const started = dispatch.commands.filter(command => !HARMLESS_SETTING.test(command) && !LOOP_HEAD.test(command))
  if (started.length !== dispatch.argvs.length)
    return `bash ran ${JSON.stringify(dispatch.commands)} and only ${JSON.stringify(dispatch.argvs)} was seen`
  if (dispatch.argvs.length === 0) return 'bash started nothing'
  const { parts } = judge(trial)
  for (const argv of dispatch.argvs) {
    const words = JSON.stringify(argv)
    if (parts.some(part => JSON.stringify(part.argv) === words)) {
      const [line = '', ...args] = argv
      const again = judge({ allowlist: trial.allowlist, line, args })
      if (again.verdict !== 'auto') return `the same words without a shell are not auto: ${words}, ${again.why}`
    } else if (!parts.some(part => part.argv && expandsTo(part.argv, argv))) return `the gate did not foresee ${words}`
    else if (BAITED.has(argv[0] ?? '') && argv.some(word => /^-/.test(word) && BAIT.includes(word)))
      return `a file name became an option: ${words}`
  }
  return null
}

/** A line may set small names of its own to plain text; a loop tells its head before every turn. */
const HARMLESS_SETTING =
  /^(?:[a-z]\w*|[A-Z]|DIR|FILE|FOLDER|NAME|SRC|PATTERN|QUERY|WORD)=(?:'[^']*'|"(?:[^"`$\\]|\\.|\$(?!\())*"|\\.|[^`('"\\])*$/s
const LOOP_HEAD = /^for [A-Za-z]\w* in /

/** Files in the scratch directory whose names are dangerous options: what a pattern of file names may turn into. */
export const BAIT = ['-delete', '--pre=sh', '--output=out', '-oout', '-i', '--output=x.ts', 'plain.ts']
const BAITED = new Set(['find', 'rg', 'sort', 'git', 'sed', 'tar', 'awk', 'npm', 'curl', 'uniq', 'fd', 'xxd', 'date'])

/** Whether bash may make `argv` of `foreseen` by replacing patterns with file names, one or more for each. */
function expandsTo(foreseen: readonly string[], argv: readonly string[]): boolean {
  // The lengths of `argv` that the words so far may account for.
  let reached = new Set([0])
  for (const word of foreseen) {
    const next = new Set<number>()
    for (const length of reached) {
      if (argv[length] === word || isWithStatus(word, argv[length] ?? '')) next.add(length + 1)
      if (/[*?[]/.test(word)) for (let end = length + 1; end <= argv.length; end++) next.add(end)
    }
    reached = next
  }
  return reached.has(argv.length)
}

function covers(pattern: string, argv: readonly string[]): boolean {
  const words = pattern.split(' ')
  const open = words.at(-1) === '*'
  if (open) words.pop()
  return words.every((word, i) => argv[i] === word) && (open || argv.length === words.length)
}

/** `$?` is a number that nobody knows beforehand. */
const isWithStatus = (word: string, seen: string): boolean =>
  word.includes('$?') &&
  new RegExp(
    `^${word
      .split('$?')
      .map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('\\d{1,3}')}$`,
    's',
  ).test(seen)
