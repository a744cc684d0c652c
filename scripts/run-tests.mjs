#!/usr/bin/env node
// The suite. Most of it are real processes on a busy machine: the few files that failed get a second run, one after another with
// nothing beside them. What fails again has failed. What passes then is counted, and named as UNSTABLE: it wants a fix too.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closingLines } from './closing-lines.mjs'

/** More than a busy machine explains. */
const MOST_FILES = 3
const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)

const first = run(words)
const failedFiles = first.files.filter(file => file.failed.length > 0)
const again = failedFiles.length > 0 && failedFiles.length <= MOST_FILES && first.errors === 0
const options = words.filter(word => word.startsWith('--'))
const second = again ? run([...options, ...failedFiles.map(({ name }) => name), '--maxWorkers=1']) : null

const latest = first.files.map(file => second?.files.find(({ name }) => name === file.name) ?? file)
const unstable = failedFiles.flatMap(file => file.failed).filter(() => second?.code === 0)
const { lines, failed } = closingLines(latest, second ? second.errors : first.errors, unstable)
for (const line of lines) console.log(line)
process.exitCode = failed || (second ?? first).code !== 0 ? 1 : 0

/** One run of vitest, and what the reporter test/closing-line.ts wrote down of it. */
function run(args) {
  const dir = mkdtempSync(join(tmpdir(), 'it-suite-'))
  const result = join(dir, 'result.json')
  try {
    const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, IT_RESULT_FILE: result },
    })
    return { code: status ?? 1, ...JSON.parse(readFileSync(result, 'utf8')) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
