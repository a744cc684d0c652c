import { loadTestPart } from './load-test-part.mjs'

/**
 * The fuzz of what lies around a line, long: `node scripts/soak-surroundings.mjs [runs=100000] [seed=now]`.
 * Ends with 1 when a line that runs unasked read something secret, started something planted or changed a file.
 */
const [runs = 100_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const { soakSurroundings } = await loadTestPart('test/fuzz/soak-surroundings.ts', { standsIn: 'test/fuzz' })
process.exitCode = (await soakSurroundings({ runs, seed, say: text => console.log(text) })) ? 0 : 1
