import type { Clock } from '../../base/clock.ts'
import type { LifecycleStep, Result } from '../../contract/tool/response.ts'

export type LifecycleTrace = (step: LifecycleStep) => NonNullable<Result['lifecycle']>

/** Notes when each step was first reached, from the first one on. */
export function lifecycle(clock: Clock): LifecycleTrace {
  const began = clock.elapsed()
  const steps: NonNullable<Result['lifecycle']> = {}
  return step => {
    steps[step] ??= Math.round((clock.elapsed() - began) * 10) / 10
    return steps
  }
}
