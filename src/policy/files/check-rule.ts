import { catastropheOf } from '../destructive/catastrophe.ts'
import { graveCommand } from '../effects/grave.ts'
import { readPattern } from '../rules/pattern.ts'
import { modelFor } from '../tools/tool-models.ts'

/** What a person should know before a pattern becomes a rule. */
export type RuleCheck =
  | { readonly advice: 'fine' }
  /** It is allowed, but wider than it looks: the person confirms it, with the reason shown. */
  | { readonly advice: 'confirm'; readonly why: string }
  | { readonly advice: 'refuse'; readonly why: string }

export function checkRule(text: string): RuleCheck {
  const pattern = readPattern(text)
  if ('problem' in pattern) return refuse(`the pattern ${pattern.problem}`)
  const { words, openEnded } = pattern
  const [program = ''] = words

  const wiped = catastropheOf(words, '/')
  if (wiped) return refuse(`${wiped}; no rule can allow that`)
  const heavy = graveCommand(words)
  if (heavy) return refuse(`${heavy}; that always needs approval, whatever the rules say`)
  if (program === 'interactive-terminal') return refuse('our own program is never run unasked')

  const model = modelFor(words)
  if (openEnded && !model && words.length === 1)
    return confirm(`nobody has looked at the options of ${program}: the rule allows everything it can do`)
  if (openEnded && model && coversNothing(words)) {
    const why = model.inspect([...words, 'x'], 1)[0]?.why ?? 'runs other programs'
    return refuse(`${program} ${why}; name the whole command instead`)
  }

  const spelled = model?.inspect(words, 1).find(hazard => hazard.at < words.length && hazard.kind !== 'choice')
  if (spelled) return confirm(`${words[spelled.at]} ${spelled.why}`)
  if (openEnded && words.length === 1 && MANY_COMMANDS.has(program))
    return confirm(
      `${program} has many commands; the rule covers only the reading ones. Name one, as in "${program} ${example(program)} *"`,
    )
  return { advice: 'fine' }
}

const refuse = (why: string): RuleCheck => ({ advice: 'refuse', why })
const confirm = (why: string): RuleCheck => ({ advice: 'confirm', why })

const MANY_COMMANDS = new Set(
  'git npm yarn pnpm docker podman kubectl cargo go gh terraform helm systemctl pip pip3'.split(' '),
)
const example = (program: string): string =>
  ({ git: 'log', npm: 'run', docker: 'ps', kubectl: 'get', cargo: 'test', go: 'test', gh: 'pr view' })[program] ??
  'list'

/** Shells, interpreters, wrappers, `rm`: whatever the open end is given, the option model turns it down. */
function coversNothing(words: readonly string[]): boolean {
  const model = modelFor(words)
  return ['x', 'status', 'list', 'ps', 'get', './x', '-x'].every(word =>
    (model?.inspect([...words, word], 1) ?? []).some(hazard => hazard.at === words.length),
  )
}
