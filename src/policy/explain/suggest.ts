import { checkRule } from '../files/check-rule.ts'
import { decide } from '../judge/decide.ts'
import type { Line } from '../judge/line.ts'
import type { Part, Verdict } from '../model/verdict.ts'
import { readPattern } from '../rules/pattern.ts'
import type { Rule, Rules } from '../rules/rules.ts'
import { mayEndOpen, modelFor } from '../tools/tool-models.ts'

/** A rule that would cover a part of a line the next time, and what else it would let through. */
export interface Suggestion {
  readonly pattern: string
  /** Which part of the verdict it is for. */
  readonly part: number
  readonly alsoAllows: string
  /** Whether what else it lets through stays with what the line does. Only such a rule is offered with one key. */
  readonly stays: boolean
}

/**
 * The narrowest useful rules that would cover a line, narrowest first. None for a line that is grave, that hides something,
 * or that the readers gave up on: those are for a person, each time.
 */
export function suggest(line: Line, rules: Rules): Suggestion[] {
  const verdict = decide(line, rules, 'interactive')
  if (verdict.verdict !== 'approval' || verdict.tier !== 'none') return []
  const shell = line.shell ?? 'bash'
  if (shell !== 'bash' && shell !== 'sh' && shell !== 'zsh') return []
  const found = verdict.parts.flatMap((part, i) =>
    // A file that may hold secrets is shown to nobody by rule; a person decides each time.
    part.covered || !part.argv || part.why.includes('may hold secrets') ? [] : suggestFor(part, i),
  )
  const covered = found.filter(({ pattern, part }) => wouldCover(pattern, line, { rules, part }))
  return covered.filter(({ pattern }, i) => covered.findIndex(other => other.pattern === pattern) === i)
}

function suggestFor(part: Part, index: number): Suggestion[] {
  const argv = part.argv ?? []
  const exact: Suggestion = { pattern: patternOf(argv), part: index, alsoAllows: 'nothing else', stays: true }
  const open = stemsOf(argv).map(stem => ({
    pattern: `${patternOf(stem)} *`,
    part: index,
    alsoAllows: alsoAllows(stem, argv),
    stays: mayEndOpen(stem),
  }))
  return [
    ...[exact].filter(({ pattern }) => checkRule(pattern).advice !== 'refuse'),
    ...open.filter(({ pattern }) => checkRule(pattern).advice === 'fine'),
  ]
}

const patternOf = (words: readonly string[]): string => words.map(quoted).join(' ')

/** Where a rule may end: behind the subcommand, behind the script or tool a runner starts, behind the program. Longest first. */
function stemsOf(argv: readonly string[]): (readonly string[])[] {
  const [program = '', second, third] = argv
  const words = [second, third].map(word =>
    word !== undefined && /^[a-z][a-z0-9:_-]*$/i.test(word) ? word : undefined,
  )
  const stems: (readonly string[])[] = []
  if (/^(npm|pnpm|yarn)$/.test(program) && second === 'run' && third !== undefined) stems.push([program, 'run', third])
  else if (/^python[\d.]*$/.test(program) && second === '-m' && third !== undefined) stems.push([program, '-m', third])
  else if (
    /^(docker|gh|kubectl|aws|gcloud|az|go|cargo)$/.test(program) &&
    words[0] &&
    words[1] &&
    TWO_WORDS.has(words[0])
  )
    stems.push([program, words[0], words[1]])
  else if (words[0] && HAS_COMMANDS.test(program)) stems.push([program, words[0]])
  else if (modelFor(argv)) stems.push([program])
  return stems.filter(stem => stem.length <= argv.length)
}

const TWO_WORDS = new Set(
  'compose container image network volume pr issue run repo release workflow config rollout mod s3'.split(' '),
)
const HAS_COMMANDS =
  /^(git|npm|npx|pnpm|yarn|docker|podman|kubectl|cargo|go|gh|terraform|helm|systemctl|pip3?|poetry|uv|bundle|rails|dotnet|make|just|gradle|mvn|ruff|turbo|nx)$/

const alsoAllows = (stem: readonly string[], argv: readonly string[]): string =>
  modelFor(argv)
    ? `"${stem.join(' ')}" with any further words, except options that run a program, write a file or load code`
    : `"${stem.join(' ')}" with any further words`

const quoted = (word: string): string =>
  /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+=,-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Whether the line would run unasked with these rules, or is kept from it only by something else than a missing rule. */
export function wouldHold(texts: readonly string[], line: Line, rules: Rules): boolean {
  const again = judgedWith(texts, line, rules)
  return again.verdict === 'auto' || again.parts.every(({ covered }) => covered)
}

function wouldCover(text: string, line: Line, where: { rules: Rules; part: number }): boolean {
  const again = judgedWith([text], line, where.rules)
  return again.verdict === 'auto' || again.parts[where.part]?.covered === true
}

function judgedWith(texts: readonly string[], line: Line, rules: Rules): Verdict {
  const more = texts.flatMap((text): Rule[] => {
    const pattern = readPattern(text)
    if ('problem' in pattern) return []
    return [{ pattern, source: 'suggestion', why: 'suggested', reach: 'anywhere', options: 'any' }]
  })
  return decide(line, { ...rules, rules: [...rules.rules, ...more] }, 'interactive')
}
