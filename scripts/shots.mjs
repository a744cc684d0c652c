import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as bundle } from 'esbuild'
import { build } from './build.mjs'

/** `npm run shots [-- <folder> [<view>]]`: pictures of the window, of a real host in a real Chromium, into a folder git ignores. */
const root = fileURLToPath(new URL('..', import.meta.url))
const [folder = join(root, 'shots'), only = ''] = process.argv.slice(2)
const fakes = join(root, 'test/fakes')
// The host's own timers keep nothing alive: it waits while it ends.
const alive = setInterval(() => {}, 1000)
// Beside the packages it needs.
const out = mkdtempSync(join(root, 'node_modules/.shots-'))

try {
  await build({ quiet: true })
  const outfile = join(out, 'take-shots.mjs')
  await bundle({
    entryPoints: [join(root, 'test/shots/take-shots.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    define: { 'import.meta.dirname': JSON.stringify(fakes), __VERSION__: '"shots"' },
    logLevel: 'error',
  })
  const { takeShots } = await import(pathToFileURL(outfile).href)
  await takeShots(folder, only, text => console.log(text))
} finally {
  clearInterval(alive)
  rmSync(out, { recursive: true, force: true })
}
