import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with the plain line that any CI can read. Where nothing may be skipped, a skip is a failure. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    const skipped: string[] = []
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'skipped') skipped.push(`${module.relativeModuleId} > ${test.fullName}`)
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1
      }
    }
    const forbidden = process.env.IT_NO_SKIPS === '1' && skipped.length > 0
    if (forbidden) process.exitCode = 1
    // After the default reporter's own summary.
    setImmediate(() => {
      for (const name of skipped) console.log(`SKIPPED ${name}${forbidden ? ': not allowed here' : ''}`)
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
    })
  }
}
