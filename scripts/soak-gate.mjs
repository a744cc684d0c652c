import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/**
 * The bash-dispatch fuzz, long: `node scripts/soak-gate.mjs [mutants=1000000] [seed=now]`.
 * Ends with 1 and the smallest form of each escape when a real bash did more than the allowlist covers.
 */
const [mutants = 1_000_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const fuzz = join(import.meta.dirname, '../test/fuzz')
const out = mkdtempSync(join(tmpdir(), 'gate-soak-'))

try {
  const outfile = join(out, 'soak.mjs')
  await build({
    entryPoints: [join(fuzz, 'soak.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    define: { 'import.meta.dirname': JSON.stringify(fuzz) },
    logLevel: 'error',
  })
  const { soak } = await import(pathToFileURL(outfile).href)
  process.exitCode = (await soak({ mutants, seed, say: text => console.log(text) })) ? 0 : 1
} finally {
  rmSync(out, { recursive: true, force: true })
}
