import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { build as buildProduct } from './build.mjs'

/**
 * Kills host and pty-host under load: `node scripts/soak-survival.mjs [rounds=300 | 30m] [seed=now]`.
 * Ends with 1 and what was wrong when a byte was lost, something ran twice, or anything was told that is not so.
 */
const [much = '300', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
const minutes = /^\d+m$/.test(much) ? Number.parseInt(much, 10) : Number.POSITIVE_INFINITY
const rounds = Number.isFinite(minutes) ? Number.POSITIVE_INFINITY : Number(much)
const root = join(import.meta.dirname, '..')
await buildProduct({ quiet: true })
// Beside node_modules: the packages the tests use are found from there.
const out = mkdtempSync(join(root, 'dist/soak-'))

try {
  const outfile = join(out, 'survival.mjs')
  await build({
    entryPoints: [join(root, 'test/soak/survival.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test/fakes')) },
    logLevel: 'error',
  })
  const { campaign } = await import(pathToFileURL(outfile).href)
  const ok = await campaign({ rounds, minutes, seed: Number(seed), say: text => console.log(text) })
  process.exit(ok ? 0 : 1)
} finally {
  rmSync(out, { recursive: true, force: true })
}
