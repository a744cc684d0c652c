import type { Verdict } from '../../policy/model/verdict.ts'
import type { Plan } from '../plan/plan.ts'
import type { Run } from './run.ts'

export interface JudgedRun {
  readonly verdict: Verdict
  readonly plan: () => Plan
}

/** What a person said, or why there is no answer. Silence and absence are never an approval. */
export type Answer =
  /** `instead`: the person wants this line, as it was judged and shown to them. */
  | { readonly kind: 'approved'; readonly instead: (JudgedRun & { readonly command: string }) | null }
  /** `kept`: they said so before, and do not want to be asked again before then. */
  | {
      readonly kind: 'declined'
      readonly reason: string | null
      readonly kept?: { readonly since: number; readonly until: number }
    }
  | { readonly kind: 'expired'; readonly afterMs?: number }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'nobody'; readonly why?: string | null }
  /** As many questions wait as may: nobody was asked. */
  | { readonly kind: 'too_many'; readonly why: string }

/** What a question says and hears of a run; a line that an editor would type is asked about in the same way. */
export type AskedRun = Pick<Run, 'request' | 'note' | 'state' | 'watch'>

/** What a person is asked: the verdict, and exactly what an approval would start. */
export interface LineQuestion extends JudgedRun {
  readonly run: AskedRun
  /** What is not as it was on the card before, which they approved; empty on the first. One sentence each. */
  readonly changed: readonly string[]
}

export interface RunQuestion extends LineQuestion {
  readonly run: Run
}

export interface Approver {
  ask(question: RunQuestion, signal: AbortSignal): Promise<Answer>
  /** Whether what runs without approval would be seen: an interactive run needs somebody who could look. */
  present(signal: AbortSignal): boolean | Promise<boolean>
  /** Why nobody is there, in whole sentences that say what to do; null: nothing is known to be wrong. */
  absence(): string | null
}

export const NOBODY = 'nobody could be asked'

/** The headless lane has no window, so nobody can be asked there. */
export const nobodyToAsk: Approver = {
  ask: async () => ({ kind: 'nobody' }),
  present: () => true,
  absence: () => null,
}
