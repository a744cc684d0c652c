import { loadTestPart } from '../scripts/load-test-part.mjs'
import { buildTestProduct } from '../scripts/test-product.mjs'

/** Terminals against the floor of this machine, both in one run: `node bench/pty.mjs [small | big | many | runs | probe]…`. */
await buildTestProduct()
const { ptyRows } = await loadTestPart('test/bench/pty-rows.ts')
await ptyRows(text => console.log(text), process.argv.slice(2))
process.exit(0)
