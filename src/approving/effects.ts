import { isBeyondProject } from '../contract/verdict-words.ts'
import type { Reach } from '../contract/wire/reach.ts'
import type { CommandQuestion } from './question.ts'

/** Above what a card says about the effects of a command. */
export const EFFECTS = 'What it does'

/** One effect. The words quote the agent, so they are drawn; no full stop, which could be part of a path. */
export interface EffectLine {
  readonly text: string
  /** beyond: it reaches root, another machine, what is outside of the project. */
  readonly tone: 'beyond' | 'here' | 'unknown'
}

type ReachingCommand = { readonly reaches: readonly Reach[] } & Partial<Pick<CommandQuestion, 'intent'>>

/** What it does in words, the farthest first; where nothing is known, that. */
export function effectLines({ reaches, intent }: ReachingCommand): readonly EffectLine[] {
  if (intent === 'open_only') return []
  if (reaches.length === 0) return [NOT_KNOWN]
  const tones = new Map(reaches.map(reach => [reach.words, isBeyondProject(reach) ? 'beyond' : 'here'] as const))
  return [...tones].map(([text, tone]) => ({ text, tone }))
}

const NOT_KNOWN: EffectLine = { text: 'not known here: the command itself says all there is', tone: 'unknown' }
