import type { LifecycleStep } from '../../contract/tool/response.ts'

/** Notes that a step was reached, and gives those that were, in their order. */
export type LifecycleTrace = (step: LifecycleStep) => LifecycleStep[]

export function lifecycle(): LifecycleTrace {
  const steps = new Set<LifecycleStep>()
  return step => [...steps.add(step)]
}
