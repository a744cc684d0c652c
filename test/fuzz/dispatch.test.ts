import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../drivers/needs.ts'
import { brokenGates } from './broken-gates.ts'
import { findEscapes, runCampaign } from './campaign.ts'
import { DispatchJail } from './dispatch-jail.ts'
import { gateUnderTest, type Trial } from './gate-under-test.ts'
import { fuzzSeeds } from './seed-lines.ts'
import { shrink } from './shrink.ts'

const SEED = Number(process.env['GATE_FUZZ_SEED'] ?? 20_261_115)
/** In rounds, each of which breeds from the one before. `npm run soak:gate` makes a million. */
const MUTANTS = 30_000
const ROUND = MUTANTS / 5

// Without the jail, a line that escapes would act on the machine of whoever runs the tests.
describe('what a real bash does with lines that run unasked', needs('a jail'), () => {
  const judge = gateUnderTest()
  let jails: readonly [DispatchJail, DispatchJail]
  beforeAll(() => {
    jails = [new DispatchJail(), new DispatchJail()]
  })
  afterAll(() => {
    for (const jail of jails) jail.dispose()
  })

  test('the recorder sees what bash starts, however it is written', async () => {
    const lines = ['/bin/rm x', 'x=1', '> pwn', 'echo $(id)', 'f() { id; }; f', 'builtin echo hi', "echo '", 'exit 3']
    const seen = await jails[0].run(lines, 0)
    expect(seen.map(({ argvs, commands }) => ({ argvs, commands }))).toEqual([
      { argvs: [], commands: ['/bin/rm x'] },
      { argvs: [], commands: ['x=1'] },
      { argvs: [], commands: ['> pwn'] },
      { argvs: [['id'], ['echo']], commands: ['echo $(id)', 'id'] },
      { argvs: [['id']], commands: ['f'] },
      { argvs: [], commands: ['builtin echo hi'] },
      { argvs: [], commands: [] },
      { argvs: [['exit', '3']], commands: ['exit 3'] },
    ])
  })

  test.each(regressions())('stays closed: $name', async ({ allowlist, line }) => {
    const autos = judge({ allowlist, line }).verdict === 'auto' ? [{ allowlist, line }] : []
    expect(await findEscapes(autos, judge, jails)).toEqual([])
  })

  test(`${MUTANTS} mutants: bash starts nothing the allowlist does not cover`, { timeout: 240_000 }, async () => {
    const report = await runCampaign({
      seed: SEED,
      mutants: MUTANTS,
      seeds: fuzzSeeds(),
      judge,
      jails,
      mostEscapes: 3,
      roundSize: ROUND,
    })
    const smallest = []
    for (const found of report.escapes.slice(0, 3)) smallest.push(await shrink(found, judge, jails))
    expect({ seed: SEED, smallest }).toEqual({ seed: SEED, smallest: [] })
    expect(report.autos).toBeGreaterThan(MUTANTS / 50)
  })

  test.each(brokenGates())('bites: a gate $broken is caught', { timeout: 60_000 }, async gate => {
    const report = await runCampaign({
      seed: SEED,
      mutants: 40_000,
      seeds: fuzzSeeds(),
      judge: gate.judge,
      whole: gate.whole,
      jails,
      mostEscapes: 1,
      roundSize: 1_000,
    })
    expect(report.escapes).not.toEqual([])
  })
})

function regressions(): (Trial & { readonly name: string })[] {
  return readFileSync(join(import.meta.dirname, 'regressions.jsonl'), 'utf8')
    .split('\n')
    .filter(row => row !== '')
    .map(row => JSON.parse(row) as Trial & { name: string })
}
