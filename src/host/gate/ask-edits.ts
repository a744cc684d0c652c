import { TermError } from '../../contract/tool/errors.ts'
import type { JudgedRun } from '../../runs/run/approver.ts'
import { explained } from '../../runs/run/explained.ts'
import type { EditVerdict } from '../questions/approval-queue.ts'
import { isGrave } from './gate.ts'

const MOST_KEPT = 64

/** Lines a person tried in place of the one that was asked for. Each is judged once; what is approved is found by its plan. */
export class Edits {
  readonly #judgeLine: (command: string) => JudgedRun
  readonly #byPlan = new Map<string, JudgedRun>()

  constructor(judgeLine: (command: string) => JudgedRun) {
    this.#judgeLine = judgeLine
  }

  judge(command: string): EditVerdict {
    const judged = this.#judgeLine(command)
    const { verdict } = judged
    const said = { verdict: explained(verdict), reaches: [...verdict.reaches], grave: isGrave(verdict) }
    const cannot = (problem: string): EditVerdict => ({ ...said, plan_hash: null, problem, executables: [] })
    if (verdict.verdict === 'destructive' || verdict.verdict === 'blocked')
      return cannot(`That is refused: ${verdict.why}.`)
    try {
      const { hash, executable, alsoRuns } = judged.plan()
      this.#keep(hash, judged)
      return { ...said, plan_hash: hash, problem: null, executables: [executable, ...alsoRuns].map(({ path }) => path) }
    } catch (cause) {
      if (cause instanceof TermError) return cannot(cause.message)
      throw cause
    }
  }

  /** What was judged and shown under this hash. */
  under(planHash: string): JudgedRun | null {
    return this.#byPlan.get(planHash) ?? null
  }

  #keep(planHash: string, judged: JudgedRun): void {
    if (!this.#byPlan.has(planHash)) this.#byPlan.set(planHash, judged)
    const [oldest] = this.#byPlan.keys()
    if (this.#byPlan.size > MOST_KEPT && oldest !== undefined) this.#byPlan.delete(oldest)
  }
}
