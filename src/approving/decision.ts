import type { AnswerFrame, Question } from '../contract/wire/approver-frames.ts'
import { type Choice, choicesOf, keepsRules, noProject, trustOffer, whyInputOnce, whyOnlyOnce } from './choices.ts'
import { FIRST_MINUTES } from './scopes.ts'

export type Decision = AnswerFrame['decision']
type Approval = Extract<Decision, { kind: 'approve' }>

export const ONCE: Approval = { kind: 'approve', scope: { kind: 'once' } }

export type DeclineKeeps = NonNullable<Extract<Decision, { kind: 'decline' }>['keep']>

/** How long a no holds. */
export interface DeclineWay {
  /** null: this once. */
  readonly keep: DeclineKeeps | null
  readonly name: string
}

/** What a card offers as a no. Window, terminal and host all ask here. */
export function declineWays(question: Question): readonly DeclineWay[] {
  if (question.kind !== 'command' || question.intent === 'open_only') return [THIS_ONCE]
  const { id, directory } = question.project
  return [
    THIS_ONCE,
    { keep: 'project', name: `Don’t ask me again today in ${id ?? directory}, whoever wants it` },
    { keep: 'agent', name: 'Don’t ask me again today when this agent wants it' },
  ]
}
const THIS_ONCE: DeclineWay = { keep: null, name: 'Only this time' }

/** What a no for the day covers, for whoever is about to give it. */
export const KEEP_MEANS =
  'Until midnight it is refused without a question, also in other quotes, with env or sh -c around it, or by another path. You can take it back under Rules.'

/** A no, with the reason as the agent reads it. */
export const declineWith = (reason: string, keep: DeclineKeeps | null = null): Decision => ({
  kind: 'decline',
  reason: reason.trim() || null,
  ...(keep !== null && { keep }),
})

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
  if (choice.scope === 'once' || choice.scope === 'run') return { ...ONCE, scope: { kind: choice.scope }, ...more }
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
  if (decision.kind === 'decline') {
    const { keep = null } = decision
    return declineWays(question).some(way => way.keep === keep) ? null : 'This is declined this once.'
  }
  if (question.kind === 'input' && decision.kind === 'approve' && decision.scope.kind === 'run')
    return whyInputOnce(question)
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
