import type { AnswerFrame, Question } from '../contract/wire/approver-frames.ts'
import { FIRST_MINUTES, type ScopeKind } from './scopes.ts'

type Decision = AnswerFrame['decision']
type Approval = Extract<Decision, { kind: 'approve' }>
export type CommandQuestion = Extract<Question, { kind: 'command' }>

export type ChoiceId = 'once' | 'always' | 'exactly' | 'terminal' | 'time'

/** One way to say yes. Its key is always the same, whatever else the card offers. */
export interface Choice {
  readonly id: ChoiceId
  readonly key: string
  readonly scope: ScopeKind
  /** What then runs without asking; empty for once. */
  readonly rules: readonly string[]
  /** The words around the one rule that is named; without it the rules have to be shown one by one. */
  readonly words: { readonly before: string; readonly rule: string | null; readonly after: string }
}

/** What a card offers as a yes, the narrowest first. Window, terminal and host all ask here, so none offers what another refuses. */
export function choicesOf(question: Question): readonly Choice[] {
  const once: Choice = { id: 'once', key: '1', scope: 'once', rules: [], words: plain('Once') }
  if (question.kind !== 'command' || whyOnlyOnce(question) !== null) return [once]
  const { proposed_rules: exact, wider_rules: wider } = question
  const held: readonly Choice[] = [
    { id: 'terminal', key: '4', scope: 'terminal', rules: exact, words: plain('In this terminal') },
    { id: 'time', key: '5', scope: 'time', rules: exact, words: plain(`For ${FIRST_MINUTES} minutes`) },
  ]
  if (!keepsRules(question)) return [once, ...held]
  const after = `in ${question.project.id}`
  const always = wider.length > 0 ? wider : exact
  return [
    once,
    { id: 'always', key: '2', scope: 'workspace', rules: always, words: dontAsk(always, after, isSame(always, exact)) },
    ...(isSame(always, exact)
      ? []
      : [{ id: 'exactly', key: '3', scope: 'workspace', rules: exact, words: exactly(after) } as const]),
    ...held,
  ]
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

/** The answer that a choice stands for, as it was filled in; null: something is missing in it. */
export function approvalOf(
  choice: Choice,
  filled: {
    readonly rules?: readonly string[]
    readonly minutes?: number
    readonly trust?: string | null
    readonly typed?: string
    readonly drop?: readonly string[]
  },
): Approval | null {
  const directory = filled.trust?.trim()
  const more = {
    ...(filled.typed !== undefined && { typed: filled.typed }),
    ...(directory !== undefined && { trust: { directory } }),
    ...(filled.drop && filled.drop.length > 0 && { drop: [...filled.drop] }),
  }
  if (directory === '') return null
  if (choice.scope === 'once') return { kind: 'approve', scope: { kind: 'once' }, ...more }
  const rules = (filled.rules ?? choice.rules).map(rule => rule.trim()).filter(rule => rule !== '')
  if (rules.length === 0) return null
  const scope =
    choice.scope === 'time'
      ? { kind: choice.scope, rules, minutes: filled.minutes ?? FIRST_MINUTES }
      : { kind: choice.scope, rules }
  return { kind: 'approve', scope, ...more }
}

/** Why this answer is none that the card offered; null: it is one. */
export function notOffered(question: Question, decision: Decision): string | null {
  if (decision.kind === 'decline') return null
  if (question.kind !== 'command')
    return decision.kind === 'approve' && decision.scope.kind === 'once' && !decision.trust
      ? null
      : 'This is approved as it is, or declined.'
  if (decision.kind === 'edit') return null
  const { scope, trust } = decision
  if (!choicesOf(question).some(choice => choice.scope === scope.kind))
    return scope.kind === 'workspace' && !keepsRules(question)
      ? noProject(question)
      : (whyOnlyOnce(question) ?? noProject(question))
  if (!trust) return null
  const offer = trustOffer(question)
  if (offer === null) return question.project.trusted ? 'The project is trusted already.' : noProject(question)
  return offer.isFixed && trust.directory !== offer.directory
    ? `The workspace is ${offer.directory}; another directory cannot be trusted in its place.`
    : null
}

function whyOnlyOnce({ grave, proposed_rules }: CommandQuestion): string | null {
  if (grave) return 'What is hard to undo is approved once, never for later.'
  return proposed_rules.length === 0 ? 'No rule can stand for this, so it is approved once.' : null
}

const keepsRules = ({ project }: CommandQuestion): boolean => project.kind !== 'none' && project.why_not === null

const noProject = ({ project, grave }: CommandQuestion): string =>
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
