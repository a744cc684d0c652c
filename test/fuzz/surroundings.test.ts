import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../drivers/needs.ts'
import { RepositoryMould } from './repository-mould.ts'
import { runSurroundings } from './surroundings-campaign.ts'
import { CLOSED_EYES } from './surroundings-eyes.ts'
import { SurroundingsJail } from './surroundings-jail.ts'

const SEED = Number(process.env['GATE_FUZZ_SEED'] ?? 20_261_117)
/** `npm run soak:surroundings` goes on until 100,000 have run. */
const LINES = 5_000
/** A closed eye is caught long before. */
const MOST_LINES = 20_000

// Without the jail, a line that should not have run would act on the machine of whoever runs the tests.
describe('what really happens where lines run unasked', needs('a scratch root'), () => {
  let jail: SurroundingsJail
  let mould: RepositoryMould
  beforeAll(() => {
    jail = new SurroundingsJail()
    mould = new RepositoryMould()
  })
  afterAll(() => {
    jail.dispose()
    mould.dispose()
  })

  test(`${LINES} lines in random trees: nothing secret is read, nothing of the tree runs or changes`, {
    timeout: 600_000,
  }, async () => {
    const { harms, ran } = await runSurroundings({ seed: SEED, lines: LINES, jail, mould, mostHarms: 3 })
    expect({ seed: SEED, harms }).toEqual({ seed: SEED, harms: [] })
    expect(ran).toBeGreaterThan(LINES / 6)
  })

  test.each(CLOSED_EYES)('bites: one that is blind to $blindTo is caught', { timeout: 240_000 }, async ({ eyes }) => {
    const bites = { seed: SEED, lines: MOST_LINES, jail, mould, mostHarms: 1, eyes, roundSize: 50 }
    const { harms } = await runSurroundings(bites)
    expect(harms).not.toEqual([])
  })
})
