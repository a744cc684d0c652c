import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { build as buildProduct } from '../scripts/build.mjs'

/** Terminals against the floor of this machine, both in one run: `node bench/pty.mjs [small | big | many | runs]…`. */
const root = join(import.meta.dirname, '..')
await buildProduct({ quiet: true })
// Beside node_modules: the packages the tests use are found from there.
const out = mkdtempSync(join(root, 'dist/bench-'))
try {
  const outfile = join(out, 'pty-rows.mjs')
  await build({
    entryPoints: [join(root, 'test/bench/pty-rows.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test/fakes')) },
    logLevel: 'error',
  })
  const { ptyRows } = await import(pathToFileURL(outfile).href)
  await ptyRows(text => console.log(text), process.argv.slice(2))
  process.exit(0)
} finally {
  rmSync(out, { recursive: true, force: true })
}
