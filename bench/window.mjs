import { loadTestPart } from '../scripts/load-test-part.mjs'
import { buildTestProduct } from '../scripts/test-product.mjs'

/** The window's figures in a real Chromium: `node bench/window.mjs [cards|flood|interrupt|reconnect|crowd]`. */
await buildTestProduct()
const { windowRows } = await loadTestPart('test/bench/window-rows.ts')
await windowRows(text => console.log(text), process.argv[2])
process.exit(0)
