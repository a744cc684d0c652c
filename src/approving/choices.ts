import type { InputQuestion, Question } from '../contract/wire/approver-frames.ts'
import type { CommandQuestion } from './question.ts'
import { type ChoiceId, HELD, type HeldKind, type ScopeKind, WAYS } from './scopes.ts'

/** One way to approve. Its key is always the same, whatever else the card offers. */
export interface Choice {
  readonly id: ChoiceId
  readonly key: string
  readonly scope: ScopeKind
  /** What then runs without asking; empty for once. */
  readonly rules: readonly string[]
  /** The words around the one rule that is named; without it the rules have to be shown one by one. */
  readonly words: { readonly before: string; readonly rule: string | null; readonly after: string }
}

/** What a card offers as an approval, the narrowest first. Window, terminal and host all ask here, so none offers what another refuses. */
export function choicesOf(question: Question): readonly Choice[] {
  const once = choice('once', [])
  if (question.kind === 'input') return whyInputOnce(question) === null ? [once, choice('run', [])] : [once]
  if (question.kind !== 'command' || whyOnlyOnce(question) !== null) return [once]
  const { proposed_rules: exact, wider_rules: wider } = question
  const held = (Object.keys(HELD) as HeldKind[]).map(kind => choice(kind, exact))
  if (!keepsRules(question)) return [once, ...held]
  const after = `in ${question.project.id}`
  const always = wider.length > 0 ? wider : exact
  return [
    once,
    choice('always', always, dontAsk(always, after, isSame(always, exact))),
    ...(isSame(always, exact) ? [] : [choice('exactly', exact, exactly(after))]),
    ...held,
  ]
}

const choice = (id: ChoiceId, rules: readonly string[], words: Choice['words'] = plain(WAYS[id].name)): Choice => {
  const { key, scope } = WAYS[id]
  return { id, key, scope, rules, words }
}

export const choiceOf = (question: Question, id: ChoiceId): Choice | null =>
  choicesOf(question).find(choice => choice.id === id) ?? null

export const canBeWider = (question: Question): boolean => choicesOf(question).length > 1

/** One press may give it: all that it allows can be read in its own words, or is the command itself. */
export const isSpelledOut = (question: CommandQuestion, { rules, words }: Choice): boolean =>
  rules.length === 0 ||
  isSame(rules, question.proposed_rules) ||
  (words.rule !== null && words.rule.length <= LONGEST_NAMED)
const LONGEST_NAMED = 60

export interface TrustOffer {
  readonly directory: string
  /** It is a workspace already: its directory cannot be another one. */
  readonly isFixed: boolean
}

/** What trust allows, for whoever is about to give it. */
export const TRUST_MEANS =
  'Commands that run the project’s own code, such as npm test, then run there without asking, and a shell opens there without asking.'

/** The folder that the card offers to trust beside the answer; null: there is none to offer. */
export function trustOffer(question: Question): TrustOffer | null {
  if (question.kind !== 'command' || question.grave) return null
  const { kind, directory, trusted } = question.project
  if (kind === 'none' || trusted) return null
  return { directory, isFixed: kind === 'bound' }
}

/** Why it is approved this once and no further; null: it need not be. */
export function whyOnlyOnce({ grave, proposed_rules }: CommandQuestion): string | null {
  if (grave) return 'What is hard to undo is approved once, never for later.'
  return proposed_rules.length === 0 ? 'No rule can stand for this, so it is approved once.' : null
}

/** The same of what is to be typed; null: for the rest of the run is possible, too. */
export function whyInputOnce({ executes, grave, program, wait_state }: InputQuestion): string | null {
  if (grave) return 'What is hard to undo is approved once, never for later.'
  if (executes !== null) return 'What runs what is typed gets it once by once.'
  return program === null || wait_state === 'none' ? 'It is not known what reads it, so it is approved once.' : null
}

export const keepsRules = ({ project }: CommandQuestion): boolean => project.kind !== 'none' && project.why_not === null

export const noProject = ({ project, grave }: CommandQuestion): string =>
  grave
    ? 'What is hard to undo is approved by itself.'
    : `Nothing can be kept for ${project.directory}: ${project.why_not ?? 'it is no project'}.`

function dontAsk(rules: readonly string[], after: string, isExact: boolean): Choice['words'] {
  const [rule, another] = rules
  if (another !== undefined) return { before: `Don’t ask again for these ${rules.length} commands`, rule: null, after }
  if (rule !== undefined && rule.length <= LONGEST_NAMED) return { before: 'Don’t ask again for', rule, after }
  return isExact ? exactly(after) : { before: 'Don’t ask again for commands like this', rule: null, after }
}

const exactly = (after: string): Choice['words'] => ({ before: 'Don’t ask again for exactly this', rule: null, after })
const plain = (before: string): Choice['words'] => ({ before, rule: null, after: '' })

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((rule, i) => rule === other[i])
