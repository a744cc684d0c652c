import { build } from '../scripts/build.mjs'
import { loadTestPart } from '../scripts/load-test-part.mjs'

/** The window's figures in a real Chromium: `node bench/window.mjs [cards|flood|reconnect|crowd]`. */
await build({ quiet: true })
const { windowRows } = await loadTestPart('test/bench/window-rows.ts')
await windowRows(text => console.log(text), process.argv[2])
process.exit(0)
