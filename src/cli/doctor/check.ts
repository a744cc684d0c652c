/** What a check found. `note`: it works, but not all of it; `skipped`: what it needs failed before. */
export type Outcome = 'ok' | 'note' | 'failed' | 'skipped'

export interface CheckResult {
  readonly name: string
  readonly outcome: Outcome
  readonly detail: string
  /** What to do about it; null: nothing has to be done. */
  readonly fix: string | null
  readonly ms: number
}

/** One thing a request needs. It returns what it found, or throws what is wrong. */
export interface Check {
  readonly name: string
  readonly run: () => Promise<CheckFound> | CheckFound
  /** What to do when it fails without saying so itself. */
  readonly fix?: string
}
export type CheckFound = string | { readonly detail: string; readonly note: string } | { readonly skipped: string }

/** What is wrong, and what a person does about it. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly fix: string

  constructor(what: string, fix: string) {
    super(what)
    this.fix = fix
  }
}

/** Where a check knows no fix of its own. */
const FOLLOWS = 'Fix what failed before it first. If nothing did: docs/operator.md goes by what you see.'

/** One after another: each needs what the ones before it found. */
export async function runChecks(checks: readonly Check[], elapsed: () => number): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    const began = elapsed()
    const outcome = await outcomeOf(check)
    results.push({ name: check.name, ...outcome, ms: Math.round((elapsed() - began) * 10) / 10 })
  }
  return results
}

async function outcomeOf({ run, fix }: Check): Promise<Pick<CheckResult, 'outcome' | 'detail' | 'fix'>> {
  try {
    const found = await run()
    if (typeof found === 'string') return { outcome: 'ok', detail: found, fix: null }
    if ('skipped' in found) return { outcome: 'skipped', detail: found.skipped, fix: null }
    return { outcome: 'note', detail: found.detail, fix: found.note }
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    return { outcome: 'failed', detail, fix: cause instanceof Fault ? cause.fix : (fix ?? FOLLOWS) }
  }
}
