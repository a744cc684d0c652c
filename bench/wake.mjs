import { loadTestPart } from '../scripts/load-test-part.mjs'
import { buildTestProduct } from '../scripts/test-product.mjs'

/** How soon a wait of read_output ends, in both lanes: `node bench/wake.mjs [headless | interactive | line | port | …]…`. */
await buildTestProduct()
const { wakeRows } = await loadTestPart('test/bench/wake-rows.ts')
await wakeRows(text => console.log(text), process.argv.slice(2))
process.exit(0)
