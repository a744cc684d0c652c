import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Ends the run with the plain lines that any CI can read: what this machine could not run and why, then the count. Where
 * nothing may be skipped, a skip is a failure.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    const skipped: string[] = []
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'skipped') skipped.push(`${module.relativeModuleId} > ${test.fullName}: ${reasonOf(test)}`)
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1
      }
    }
    const forbidden = process.env.IT_NO_SKIPS === '1' && skipped.length > 0
    if (forbidden) process.exitCode = 1
    // After the default reporter's own summary.
    setImmediate(() => {
      for (const line of skipped) console.log(`SKIPPED ${line}${forbidden ? ' (not allowed here)' : ''}`)
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
    })
  }
}

/** What it, or a group it is in, said that this machine lacks (test/drivers/needs.ts), or said itself when it ran. */
function reasonOf(test: TestCase): string {
  for (let at: TestCase | TestCase['parent'] = test; at.type !== 'module'; at = at.parent) {
    const { missing } = at.meta() as { missing?: string }
    if (missing !== undefined) return missing
  }
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'not reached, or left out by its name'
}
