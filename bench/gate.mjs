#!/usr/bin/env node
// How fast the gate is: node bench/gate.mjs. Times are CPU milliseconds of this process, so that neighbours matter less;
// each is also given as a multiple of parsing the same lines as JSON strings, the least anybody could do with them.
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { everydayGate, everydayLines } from '../scripts/everyday-places.mjs'

const root = join(import.meta.dirname, '..')
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'it-gate-')))
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const quantile = (times, q) => times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))]

try {
  const outfile = join(dir, 'evaluate.cjs')
  await esbuild.build({
    entryPoints: [join(root, 'src/policy/judge/evaluate.ts'), join(root, 'test/data/worst-lines.ts')],
    outdir: dir,
    entryNames: '[name]',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
  })
  const before = cpuMs()
  const load = createRequire(import.meta.url)
  const { evaluate } = load(outfile)
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

  // With the disk: everyday lines in a trusted folder that is really there, against one look at one small file.
  const { judge } = await everydayGate(join(dir, 'places'))
  const everyday = Object.values(everydayLines()).flat()
  const onDisk = []
  for (let round = 0; round < 6; round++)
    for (const line of everyday) {
      const start = performance.now()
      judge(line, 'app', 'interactive')
      // The first round warms up.
      if (round > 0) onDisk.push({ line, took: performance.now() - start })
    }
  const small = join(dir, 'places/app/package.json')
  const looks = Array.from({ length: 2000 }, () => {
    const start = performance.now()
    lstatSync(small)
    readFileSync(small)
    return performance.now() - start
  })
  const took = onDisk.map(each => each.took)
  const look = quantile(looks, 0.5)
  const middle = quantile(took, 0.5)
  const slowest = onDisk.toSorted((a, b) => b.took - a.took)[0]
  console.log(
    `a verdict with the disk: median ${middle.toFixed(3)} ms (${(middle / look).toFixed(0)} × lstat and readFile of one small file), ` +
      `p99 ${quantile(took, 0.99).toFixed(2)} ms, at most ${slowest.took.toFixed(1)} ms (${slowest.line})`,
  )

  // The worst lines: 64 KiB of work each. Cold is a fresh process per line, its first verdict, on the clock; the better of two.
  const { WORST_LINES, lineOf } = load(join(dir, 'worst-lines.cjs'))
  const allowlist = ['echo *', 'ls *', 'sed *', 'awk *']
  const once = `const { evaluate } = require(process.argv[1])
    const given = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
    const start = performance.now()
    evaluate(given)
    console.log(performance.now() - start)`
  const worst = WORST_LINES.map(line => {
    const given = { id: line.name, allowlist, command: lineOf(line), shell: line.shell }
    const warm = [1, 2, 3].map(() => {
      const start = cpuMs()
      evaluate(given)
      return cpuMs() - start
    })
    const cold = [1, 2].map(() =>
      Number(spawnSync(process.execPath, ['-e', once, outfile], { input: JSON.stringify(given) }).stdout),
    )
    return { name: line.name, warm: Math.min(...warm), cold: Math.min(...cold) }
  })
  for (const how of ['warm', 'cold']) {
    const [slowest, ...others] = worst.toSorted((a, b) => b[how] - a[how])
    console.log(
      `the worst of ${worst.length} lines of 64 KiB, ${how}: ${slowest.name} ${slowest[how].toFixed(1)} ms; then ${others
        .slice(0, 4)
        .map(each => `${each.name} ${each[how].toFixed(1)}`)
        .join(', ')}; over 50 ms: ${worst.filter(each => each[how] > 50).length}`,
    )
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
