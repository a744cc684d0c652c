import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { build as buildProduct } from '../scripts/build.mjs'

/** The window's figures in a real Chromium: `node bench/window.mjs [cards|flood|reconnect|crowd]`. */
const root = join(import.meta.dirname, '..')
await buildProduct({ quiet: true })
// Beside node_modules: the packages the tests use are found from there.
const out = mkdtempSync(join(root, 'dist/bench-'))
try {
  const outfile = join(out, 'window-rows.mjs')
  await build({
    entryPoints: [join(root, 'test/bench/window-rows.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test/fakes')) },
    logLevel: 'error',
  })
  const { windowRows } = await import(pathToFileURL(outfile).href)
  await windowRows(text => console.log(text), process.argv[2])
  process.exit(0)
} finally {
  rmSync(out, { recursive: true, force: true })
}
