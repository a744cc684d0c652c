/**
 * The last lines of a run of the suite.
 * @param {readonly import('./closing-lines.d.mts').FileResult[]} files
 * @param {number} errors that belong to no file
 * @param {readonly string[]} unstable
 */
export function closingLines(files, errors, unstable = []) {
  const noSkips = process.env.IT_NO_SKIPS === '1'
  const skipped = files.flatMap(file => file.skipped)
  // .ci/run says so where bubblewrap cannot be had.
  const mayMiss = line => process.env.IT_NO_BUBBLEWRAP !== undefined && line.includes('scripts/bubblewrap.sh builds it')
  const wrong = noSkips ? skipped.filter(line => !mayMiss(line)) : []
  const failed = files.flatMap(file => file.failed).length + errors
  const passed = files.reduce((sum, file) => sum + file.passed, 0)
  const lines = [
    ...skipped.map(line => `SKIPPED ${line}${wrong.includes(line) ? ' (not allowed here)' : ''}`),
    ...unstable.map(name => `UNSTABLE ${name}: failed beside others, passed alone`),
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  ]
  return { lines, failed: failed > 0 || wrong.length > 0 }
}
