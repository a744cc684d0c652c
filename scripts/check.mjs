#!/usr/bin/env node
// What takes seconds, side by side: format and lint, types, unused code. Each says what it found when it is done.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PARTS = ['check:style', 'check:types', 'check:unused']

/** One script of package.json: its exit code. */
function run(part) {
  return new Promise((done, fail) => {
    // npm is a batch file on Windows, which only a shell starts.
    const child = spawn('npm', ['run', '--silent', part], { cwd: root, shell: process.platform === 'win32' })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
    child.once('error', fail)
    child.once('close', code => {
      process.stdout.write(`${part}: ${code === 0 ? 'well' : `exit ${code}`}\n${code === 0 ? '' : said}`)
      done(code ?? 1)
    })
  })
}

const codes = await Promise.all(PARTS.map(run))
process.exitCode = codes.some(code => code !== 0) ? 1 : 0
