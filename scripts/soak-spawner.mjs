import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileSpawner } from './build-spawner.mjs'
import { loadTestPart } from './load-test-part.mjs'

/**
 * Wrong frames for a spawner that is compiled with sanitizers: `node scripts/soak-spawner.mjs [rounds=5000] [seed=now]`.
 * Ends with 1 when it crashed, leaked over a border, did what C does not define, or started something that was not asked for.
 */
const [rounds = 5000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const root = fileURLToPath(new URL('..', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'it-soak-spawner-'))
try {
  const program = join(dir, 'spawner')
  const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-O1', '-g', '-Werror']
  const problem = compileSpawner(root, program, sanitizers)
  if (problem !== null) {
    console.log(`not run: ${problem}`)
  } else {
    const allowed = join(dir, 'allowed')
    mkdirSync(allowed)
    const { talkNonsense } = await loadTestPart('test/fuzz/spawner-frames.ts', { standsIn: 'test/fuzz' })
    let wrong = 0
    for (let round = 0; round < rounds; round++) {
      const said = await talkNonsense(program, { seed: seed + round, allowed })
      if (said === null) continue
      wrong++
      console.log(said)
    }
    console.log(`${rounds} rounds from seed ${seed}: ${wrong} wrong`)
    process.exitCode = wrong === 0 ? 0 : 1
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
