import { loadTestPart } from './load-test-part.mjs'

/**
 * The bash-dispatch fuzz, long: `node scripts/soak-gate.mjs [mutants=1000000] [seed=now]`.
 * Ends with 1 and the smallest form of each escape when a real bash did more than the allowlist covers.
 */
const [mutants = 1_000_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const { soak } = await loadTestPart('test/fuzz/soak.ts', { standsIn: 'test/fuzz' })
process.exitCode = (await soak({ mutants, seed, say: text => console.log(text) })) ? 0 : 1
