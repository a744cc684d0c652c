import type { Verdict } from '../../policy/model/verdict.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import type { JudgedRun } from '../../runs/run/approver.ts'
import type { Run } from '../../runs/run/run.ts'

/** What is judged of a run, or of a line that somebody else would type. */
export type Judgeable = Pick<Run, 'request' | 'note'> & Partial<Pick<Run, 'sandbox'>>

/** Whoever asked hears once that no rule of the person's counts here, and why. */
export function noteBroken(run: Judgeable, broken: string | null): void {
  if (broken !== null && !run.note?.includes(broken)) run.note = run.note === null ? broken : `${run.note} ${broken}`
}

/** One plan only: what was shown is what is checked again and started. */
export function judged(verdict: Verdict, make: () => Plan): JudgedRun {
  let plan: Plan | null = null
  return {
    verdict,
    plan: () => {
      plan ??= make()
      return plan
    },
  }
}
