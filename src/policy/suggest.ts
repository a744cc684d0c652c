import { checkRule } from './check-rule.ts'
import { decide, type Line } from './decide.ts'
import { readPattern } from './pattern.ts'
import type { Rule, Rules } from './rules.ts'
import { modelFor } from './tools/tool-models.ts'
import type { Part } from './verdict.ts'

/** A rule that would cover a part of a line the next time, and what else it would let through. */
export interface Suggestion {
  readonly pattern: string
  /** Which part of the verdict it is for. */
  readonly part: number
  readonly alsoAllows: string
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
  const stems = stemsOf(argv)
  const texts = [argv.map(quoted).join(' '), ...stems.map(stem => `${stem.map(quoted).join(' ')} *`)]
  return texts
    .filter(
      (text, i) =>
        checkRule(text).advice === (i === 0 ? checkRule(text).advice : 'fine') && checkRule(text).advice !== 'refuse',
    )
    .map((pattern, i) => ({
      pattern,
      part: index,
      alsoAllows: i === 0 ? 'nothing else' : alsoAllows(stems[i - 1] ?? argv, argv),
    }))
}

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

function wouldCover(text: string, line: Line, where: { rules: Rules; part: number }): boolean {
  const pattern = readPattern(text)
  if ('problem' in pattern) return false
  const rule: Rule = { pattern, source: 'suggestion', why: 'suggested', reach: 'anywhere', options: 'any' }
  const again = decide(line, { ...where.rules, rules: [...where.rules.rules, rule] }, 'interactive')
  return again.verdict === 'auto' || again.parts[where.part]?.covered === true
}
