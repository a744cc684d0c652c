#!/usr/bin/env node
// How fast the gate is: node bench/gate.mjs. Times are CPU milliseconds of this process, so that neighbours matter less;
// each is also given as a multiple of parsing the same lines as JSON strings, the least anybody could do with them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as esbuild from 'esbuild'

const root = join(import.meta.dirname, '..')
const dir = mkdtempSync(join(tmpdir(), 'it-gate-'))
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const quantile = (times, q) => times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))]

try {
  const outfile = join(dir, 'gate.cjs')
  await esbuild.build({
    entryPoints: [join(root, 'src/policy/evaluate.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
  })
  const before = cpuMs()
  const { evaluate } = createRequire(import.meta.url)(outfile)
  console.log(`loading the gate: ${(cpuMs() - before).toFixed(1)} ms CPU`)

  const cases = readFileSync(join(root, 'test/data/policy-sample.jsonl'), 'utf8').trim().split('\n').map(JSON.parse)
  const lanes = ['interactive', 'headless']
  for (const each of cases) for (const lane of lanes) evaluate({ ...each, lane })
  const times = []
  for (let round = 0; round < 20; round++)
    for (const each of cases)
      for (const lane of lanes) {
        const start = performance.now()
        evaluate({ ...each, lane })
        times.push(performance.now() - start)
      }
  const floor = []
  for (const each of cases) {
    const text = JSON.stringify(each.command)
    const start = performance.now()
    for (let i = 0; i < 100; i++) JSON.parse(text)
    floor.push((performance.now() - start) / 100)
  }
  const median = quantile(times, 0.5)
  console.log(
    `a verdict: median ${median.toFixed(3)} ms (${(median / quantile(floor, 0.5)).toFixed(0)} × JSON.parse), p99 ${quantile(times, 0.99).toFixed(2)} ms`,
  )

  const nasty = {
    'a long line': `echo ${'a '.repeat(32_000)}`,
    'deep brackets': `${'$('.repeat(20_000)}`,
    'many commands': 'ls; '.repeat(15_000),
    'many quotes': `echo ${'"\'"'.repeat(15_000)}`,
    'many braces': `echo ${'{a,'.repeat(15_000)}`,
    'a megabyte': 'x'.repeat(1_000_000),
  }
  for (const [what, command] of Object.entries(nasty)) {
    const start = cpuMs()
    const { verdict } = evaluate({ id: what, allowlist: ['echo *', 'ls'], command })
    console.log(`${what}: ${verdict} in ${(cpuMs() - start).toFixed(1)} ms CPU`)
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
