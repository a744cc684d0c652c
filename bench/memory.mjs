import { loadTestPart } from '../scripts/load-test-part.mjs'
import { buildTestProduct } from '../scripts/test-product.mjs'

/** Memory of an idle host and its pty-host, PSS by /proc/<pid>/smaps_rollup: `node bench/memory.mjs [times]`. */
await buildTestProduct()
const { idleMemory } = await loadTestPart('test/bench/growth-rows.ts')
for (let i = 0; i < Number(process.argv[2] ?? 3); i++) {
  const [host, ptyHost] = await idleMemory()
  console.log(`idle: host ${host} MB, pty-host ${ptyHost} MB`)
}
process.exit(0)
