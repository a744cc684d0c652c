import { loadTestPart } from './load-test-part.mjs'
import { buildTestProduct } from './test-product.mjs'

/**
 * Kills host and pty-host under load: `node scripts/soak-survival.mjs [rounds=300 | 30m] [seed=now]`.
 * Ends with 1 and what was wrong when a byte was lost, something ran twice, or anything was told that is not so.
 */
const [much = '300', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
const minutes = /^\d+m$/.test(much) ? Number.parseInt(much, 10) : Number.POSITIVE_INFINITY
const rounds = Number.isFinite(minutes) ? Number.POSITIVE_INFINITY : Number(much)
await buildTestProduct()
const { campaign } = await loadTestPart('test/soak/survival.ts')
const ok = await campaign({ rounds, minutes, seed: Number(seed), say: text => console.log(text) })
process.exit(ok ? 0 : 1)
