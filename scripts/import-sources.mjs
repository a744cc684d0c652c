import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'

/** What a few lines of the product's own sources export, bundled and imported once. @type {(root: string, contents: string) => Promise<any>} */
export async function importSources(root, contents) {
  const dir = mkdtempSync(join(tmpdir(), 'it-sources-'))
  try {
    const outfile = join(dir, 'sources.mjs')
    await esbuild.build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
