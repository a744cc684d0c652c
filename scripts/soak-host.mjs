import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { build } from './build.mjs'

/**
 * A program that prints without end through a real host: `node scripts/soak-host.mjs [megabytes=1024] [quota in MB=64]`.
 * Needs /proc. Ends with 1 when bytes were lost in silence, or the host grew or stopped answering.
 */
const [megabytes = 1024, quotaMb = 64] = process.argv.slice(2).map(Number)
const root = join(import.meta.dirname, '..')
// Beside the product: the packages with native parts are found from there.
const outfile = join(root, 'dist/soak-host.mjs')

await build({ quiet: true })
try {
  await esbuild.build({
    entryPoints: [join(root, 'test/soak/host-flood.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test/fakes')) },
    logLevel: 'error',
  })
  const { flood } = await import(pathToFileURL(outfile).href)
  process.exitCode = (await flood({ bytes: megabytes * 1024 * 1024, quotaMb, say: text => console.log(text) })) ? 0 : 1
} finally {
  rmSync(outfile, { force: true })
}
