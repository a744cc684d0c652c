import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { closingLines, type FileResult } from '../scripts/closing-lines.mjs'

/**
 * Ends the run with the plain lines that any CI can read: what this machine could not run and why, then the count. Where
 * nothing may be skipped, a skip is a failure. scripts/run-tests.mjs gets the same as a file, and says them at the very end.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const files = modules.map(resultOf)
    const resultFile = process.env.IT_RESULT_FILE
    if (resultFile !== undefined) {
      writeFileSync(resultFile, JSON.stringify({ files, errors: errors.length }))
      return
    }
    const { lines, failed } = closingLines(files, errors.length)
    if (failed) process.exitCode = 1
    // After the default reporter's own summary.
    setImmediate(() => {
      for (const line of lines) console.log(line)
    })
  }
}

function resultOf(module: TestModule): FileResult {
  const name = module.relativeModuleId
  const failed: string[] = []
  const skipped: string[] = []
  let passed = 0
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state === 'passed') passed += 1
    else if (state === 'failed') failed.push(`${name} > ${test.fullName}`)
    else if (state === 'skipped') skipped.push(`${name} > ${test.fullName}: ${reasonOf(test)}`)
  }
  // It could not be loaded, or what its tests need could not be made.
  if (module.state() === 'failed' && failed.length === 0) failed.push(`${name}: before its tests`)
  return { name, passed, failed, skipped }
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
