import { loadTestPart } from './load-test-part.mjs'
import { buildTestProduct } from './test-product.mjs'

/**
 * A program that prints without end through a real host: `node scripts/soak-host.mjs [megabytes=1024] [quota in MB=64]`.
 * Needs /proc. Ends with 1 when bytes were lost in silence, or the host grew or stopped answering.
 */
const [megabytes = 1024, quotaMb = 64] = process.argv.slice(2).map(Number)
await buildTestProduct()
const { flood } = await loadTestPart('test/soak/host-flood.ts')
process.exitCode = (await flood({ bytes: megabytes * 1024 * 1024, quotaMb, say: text => console.log(text) })) ? 0 : 1
