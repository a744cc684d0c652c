import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with the plain line that any CI can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1
      }
    }
    // After the default reporter's own summary.
    setImmediate(() => console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`))
  }
}
