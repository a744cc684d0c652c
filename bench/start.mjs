import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beginStamp } from '../scripts/freshness.mjs'
import { loadTestPart } from '../scripts/load-test-part.mjs'
import { buildTestProduct, copyAsTestProduct } from '../scripts/test-product.mjs'

/** `npm start` where everything is built, until the listener answers: `node bench/start.mjs`, the median of ten. */
const root = fileURLToPath(new URL('..', import.meta.url))
await buildTestProduct()
// Below the repository, so that the packages are found.
const copy = mkdtempSync(join(root, 'dist-bench-'))
try {
  for (const name of ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  // Its host runs also where this machine is a container.
  copyAsTestProduct(join(root, 'dist'), join(copy, 'dist'))
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  manifest.scripts.nothing = 'node -e 0'
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest))
  beginStamp(copy)()
  const { startRows } = await loadTestPart('test/bench/start-rows.ts')
  await startRows(text => console.log(text), copy)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exit(0)
