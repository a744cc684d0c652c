import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * What a file below test/ exports, bundled and loaded by plain Node: for campaigns, measurements and pictures, which are no
 * tests and run without vitest. `standsIn`: the directory its own files are looked for from.
 *
 * @param {string} file
 * @param {{ standsIn?: string, define?: Record<string, string> }} options
 */
export async function loadTestPart(file, { standsIn = 'test/drivers', define = {} } = {}) {
  // Beside node_modules: the packages the tests use are found from there.
  mkdirSync(join(root, 'dist'), { recursive: true })
  const out = mkdtempSync(join(root, 'dist/part-'))
  try {
    const outfile = join(out, 'part.mjs')
    await build({
      entryPoints: [join(root, file)],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      define: { 'import.meta.dirname': JSON.stringify(join(root, standsIn)), ...define },
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
