import { join } from 'node:path'
import { loadTestPart } from './load-test-part.mjs'
import { buildTestProduct } from './test-product.mjs'

/** `npm run shots [-- <folder> [<view>]]`: pictures of the window, of a real host in a real Chromium, into a folder git ignores. */
const [folder = join(import.meta.dirname, '../shots'), only = ''] = process.argv.slice(2)
// The host's own timers keep nothing alive: it waits while it ends.
const alive = setInterval(() => {}, 1000)
try {
  await buildTestProduct()
  const { takeShots } = await loadTestPart('test/shots/take-shots.ts', { define: { __VERSION__: '"shots"' } })
  await takeShots(folder, only, text => console.log(text))
} finally {
  clearInterval(alive)
}
