#!/usr/bin/env node
// The suite on a machine that has other things to do: `npm run reality:busy [-- times=5] [vitest arguments]`. One core is kept
// busy, and a writer syncs 20 MB a second to the disk, all the while. Prints what failed in which run; nothing may.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const times = /^\d+$/.test(words[0] ?? '') ? Number(words.shift()) : 5
const LONGEST_MS = 40 * 60_000
/** Ends by itself when whoever started it is gone, or after a day. */
const WITH_PARENT = `const parent = process.ppid
const isOver = () => process.ppid !== parent || performance.now() > 86_400_000
`
const SPIN = `${WITH_PARENT}while (!isOver()) for (let i = 0; i < 1e7; i++);`
const WRITE = `${WITH_PARENT}const { openSync, writeSync, fsyncSync, ftruncateSync } = require('node:fs')
const fd = openSync(process.argv[1], 'w')
const piece = Buffer.alloc(2 * 1024 * 1024, 7)
let written = 0
setInterval(() => {
  if (isOver()) process.exit()
  if ((written += piece.length) > 64 * 1024 * 1024) { ftruncateSync(fd, 0); written = 0 }
  writeSync(fd, piece, 0, piece.length, written)
  fsyncSync(fd)
}, 100)`

const place = mkdtempSync(join(tmpdir(), 'it-busy-'))
const load = [
  spawn(process.execPath, ['-e', SPIN], { stdio: 'ignore' }),
  spawn(process.execPath, ['-e', WRITE, join(place, 'written')], { stdio: ['ignore', 'ignore', 'inherit'] }),
]
const seen = new Map()
try {
  for (let run = 1; run <= times; run++) {
    const outputFile = join(place, `${run}.json`)
    const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--outputFile', outputFile]
    const began = performance.now()
    spawnSync(process.execPath, [...vitest, ...words], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    })
    const failed = failuresIn(outputFile)
    for (const { name } of failed) seen.set(name, [...(seen.get(name) ?? []), run])
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`run ${run} of ${times}: ${failed.length} failed, ${seconds} s`)
    for (const { name, why } of failed) console.log(`  ${name}\n    ${why}`)
  }
} finally {
  for (const one of load) one.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
}
for (const [name, runs] of seen) console.log(`\n${name}\n  failed in run ${runs.join(', ')}`)
console.log(`\n${seen.size} tests failed in at least one of ${times} runs.`)
process.exitCode = seen.size === 0 ? 0 : 1

/** A file that could not be loaded or prepared counts as one. */
function failuresIn(outputFile) {
  let outcome
  try {
    outcome = JSON.parse(readFileSync(outputFile, 'utf8'))
  } catch {
    return [{ name: 'the whole run', why: 'it did not come to its end' }]
  }
  return outcome.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults
      .filter(test => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: `${file} > ${fullName}`, why: beginningOf(failureMessages[0]) }))
    return tests.length > 0 || status === 'passed' ? tests : [{ name: file, why: beginningOf(message) }]
  })
}

/** What went wrong and where, without the depths of the runner. */
function beginningOf(text = '') {
  return text.split('\n').slice(0, 12).join('\n    ').slice(0, 1500)
}
