import { type Choice, choicesOf, isSpelledOut, trustOffer } from '../../approving/choices.ts'
import { approvalOf, type Decision, ONCE } from '../../approving/decision.ts'
import { FIRST_MINUTES, MINUTES } from '../../approving/scopes.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { fieldWith, typedInto } from './field.ts'
import { isNamed, type Key } from './keys.ts'
import type { Pressed, Ways } from './pressed.ts'
import type { ApproveState, Ruling } from './state.ts'

/** What a person presses to approve for more than this once. */

interface Wider extends Ways {
  /** The key means nothing here. */
  readonly stay: Pressed
}

/** A number on the card itself: one press, when all that it allows is on the card; else its rules are shown first. */
export function chooseAtOnce(question: Question, key: Key, ways: Wider & { readonly once: () => Pressed }): Pressed {
  const choice = choicesOf(question).find(each => key.kind === 'char' && each.key === key.char)
  if (choice?.id === 'run') return ways.decide(approvalOf(choice, {}) ?? ONCE)
  if (!choice || question.kind !== 'command') return key.kind === 'char' && key.char === '1' ? ways.once() : ways.stay
  if (choice.id === 'once') return ways.once()
  const decision = isSpelledOut(question, choice) ? approvalOf(choice, {}) : null
  return decision === null ? ways.go(rulingOf(choice, FIRST_MINUTES)) : ways.decide(decision)
}

/** A number in the list: its rules are shown, one per line, and may be changed. */
export function choose(question: Question, key: Key, ways: Wider): Pressed {
  const option = optionsOf(question).find(each => key.kind === 'char' && each.key === key.char)
  if (!option) return ways.stay
  const { choice, minutes } = option
  if (choice.id === 'run') return ways.decide(approvalOf(choice, {}) ?? ONCE)
  return choice.id === 'once' ? ways.decide(ONCE) : ways.go(rulingOf(choice, minutes))
}

export interface Option {
  readonly key: string
  readonly choice: Choice
  readonly minutes: number
}

/** What the list holds: the answers of the card, and the longer whiles behind them. */
export function optionsOf(question: Question): readonly Option[] {
  return choicesOf(question).flatMap((choice): Option[] =>
    choice.id === 'time'
      ? MINUTES.map(({ minutes }, i) => ({ key: String(Number(choice.key) + i), choice, minutes }))
      : [{ key: choice.key, choice, minutes: FIRST_MINUTES }],
  )
}

const rulingOf = (choice: Choice, minutes: number): Ruling => ({
  at: 'ruling',
  choice,
  minutes,
  rules: choice.rules.map(fieldWith),
  row: 0,
})

export function ruled(mode: Ruling, key: Key): Ruling {
  if (isNamed(key, 'down')) return { ...mode, row: Math.min(mode.rules.length - 1, mode.row + 1) }
  if (isNamed(key, 'up')) return { ...mode, row: Math.max(0, mode.row - 1) }
  return { ...mode, rules: mode.rules.map((field, i) => (i === mode.row ? typedInto(field, key) : field)) }
}

export function decideRules(
  { choice, minutes, rules }: Ruling,
  { decide, back }: Pick<Ways, 'decide'> & { readonly back: Pressed },
): Pressed {
  const decision = approvalOf(choice, { rules: rules.map(({ text }) => text), minutes })
  return decision === null ? back : decide(decision)
}

/** Trusts the folder with the answer, or no longer. Where it may be another one, it is shown to be changed. */
export function trust(state: ApproveState, question: Question, { go }: Ways): Pressed {
  const offer = trustOffer(question)
  if (offer === null) return { state }
  if (state.trust !== null) return { state: { ...state, trust: null, notice: null } }
  if (offer.isFixed) return { state: { ...state, trust: offer.directory, notice: null } }
  return go({ at: 'trusting', field: fieldWith(offer.directory) })
}

export const withTrust = (decision: Decision, directory: string | null, question: Question): Decision =>
  decision.kind === 'approve' && directory !== null && trustOffer(question) !== null
    ? { ...decision, trust: { directory } }
    : decision
