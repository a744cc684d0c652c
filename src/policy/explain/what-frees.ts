import { decide } from '../judge/decide.ts'
import type { Line } from '../judge/line.ts'
import type { GateLane, Verdict } from '../model/verdict.ts'
import type { Rules } from '../rules/rules.ts'
import { suggest } from './suggest.ts'

/**
 * What would make a line run unasked, in one sentence for a person; null: it does already. Tried out, not guessed: the line is
 * judged again with the folder bound, with it trusted, and with the narrowest rules. Only where none of them helps the reason is
 * read.
 */
export function whatFrees(line: Line, rules: Rules, lane: GateLane = 'interactive'): string | null {
  const verdict = decide(line, rules, lane)
  if (verdict.verdict === 'auto') return null
  if (verdict.tier !== 'none') return NOTHING[verdict.tier]
  if (rules.autoApprove === 'never') return 'PM_TERM_AUTO_APPROVE=allowlist: now nothing runs unasked'
  return (
    besideSecrets(verdict, line) ??
    hintFor(verdict, ALWAYS) ??
    byPlace(line, rules, lane) ??
    byRules(line, rules, lane) ??
    hintFor(verdict, HINTS) ??
    'nothing: it is for a person to look at, each time'
  )
}

/** A search meets what the line does not name. */
function besideSecrets({ why }: Verdict, { command, args = [] }: Line): string | null {
  const [, path] =
    /(?:does not cover it: |^)(\S+) (?:may hold secrets|holds what looks like a key|is ignored by git)/.exec(why) ?? []
  const isNamed = path === undefined || [command, ...args].some(text => text.includes(path))
  return isNamed ? null : `name files or a directory without ${path}: what may hold secrets always needs approval`
}

const NOTHING = {
  grave: 'nothing: what is hard to undo always needs approval',
  catastrophic: 'nothing: it is refused for everybody',
} as const

const TRUST = 'trust this folder: policy trust'

function byPlace(line: Line, rules: Rules, lane: GateLane): string | null {
  const directory = rules.workspace?.directory ?? line.cwd
  const inPlace = (trusted: boolean): Verdict['verdict'] =>
    decide(line, { ...rules, workspace: { id: 'this', directory, trusted } }, lane).verdict
  if (!rules.workspace && inPlace(false) === 'auto') return 'bind this folder'
  return !rules.workspace?.trusted && inPlace(true) === 'auto' ? TRUST : null
}

/** The narrowest rule for each part that has none. In a folder that would also have to be trusted, that is said, too. */
function byRules(line: Line, rules: Rules, lane: GateLane): string | null {
  if (lane === 'headless') return null
  const directory = rules.workspace?.directory ?? line.cwd
  const trusted = { ...rules, workspace: { id: 'this', directory, trusted: true } }
  for (const [place, lead] of [
    [rules, ''],
    [trusted, `${TRUST}, and `],
  ] as const) {
    const open = decide(line, place, lane).parts.flatMap(({ covered }, i) => (covered ? [] : [i]))
    const found = suggest(line, place)
    // Narrowest first: the last that stays with what the line does is the usual one.
    const each = open.map(i => found.filter(({ part, stays }) => part === i && stays).at(-1)?.pattern)
    if (each.length > 0 && !each.includes(undefined)) return `${lead}${shown([...new Set(each)])}`
  }
  return null
}

const shown = (rules: readonly (string | undefined)[]): string =>
  `${rules.length > 1 ? 'rules' : 'a rule'}: ${rules.map(rule => `\`${rule}\``).join(', ')}`

/** Why it asks, and what to write instead. */
type Hint = readonly [why: RegExp, instead: string]
const ALWAYS: readonly Hint[] = [
  [
    /may hold secrets|looks like a key|git’s own|ignored by git/,
    'nothing: what may hold secrets always needs approval',
  ],
  [/our own files/, 'nothing: what touches our own files always needs approval'],
]
const HINTS: readonly Hint[] = [
  [/takes no shell operators/, 'send one command alone, or run it with a window'],
  [/outside/, 'name files inside this folder, or bind the folder they are in'],
  [/\$ expansion|in a variable|may not stay one word/, 'write the variable out'],
  [/wildcard|stands? for|may turn into an option/, 'name the files instead of a wildcard'],
  [/command substitution/, 'run the inner command by itself and write out what it prints'],
  [/home directory/, 'write the home directory out'],
  [/assignment/, 'write the value out where it is used'],
  [/redirection/, 'leave the redirection out'],
  [/background/, 'leave the & out'],
  [/keyword time/, 'leave the word time out'],
  [/keyword \[\[/, 'write [ … ] instead of [[ … ]]'],
  [/keyword (?:if|then|else|elif|fi),/, 'write it with && and ||'],
  [/keyword|loop|parenthesis|brace|construct|backslash|pattern/, 'write the commands one after the other'],
  [/quote that is not closed/, 'close the quote'],
  [/the request sets/, 'leave the variable out of the request'],
  [/not trusted/, TRUST],
  [/not found on the PATH|is not a program/, 'nothing: the program is not there'],
  [/no repository|could start a program|submodule|configuration/, 'nothing, as long as the repository is as it is'],
  [/more below it|cannot be looked through|too|more than/, 'ask for less at once'],
  [/runs a program|writes|loads|runs pr|option/, 'leave the option out'],
]

function hintFor({ why, parts }: Verdict, hints: readonly Hint[]): string | null {
  const reasons = [why, ...parts.filter(({ covered }) => !covered).map(part => part.why)]
  return hints.find(([pattern]) => reasons.some(reason => pattern.test(reason)))?.[1] ?? null
}
