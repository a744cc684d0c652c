// The page of an editor's panel: the same views as the window's, as files that a webview can load from the extension's folder.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { buildPage } from './build-web.mjs'

/** Writes the page and `files.json`, the hash of each of its files: what is not in it, or is another, is not shown. */
export async function buildPanel(/** @type {string} */ root, /** @type {string} */ outDir) {
  rmSync(outDir, { recursive: true, force: true })
  await buildPage(root, { outDir, base: './', page: 'panel.html' })
  if (!existsSync(join(outDir, 'panel.html'))) throw new Error('the build did not produce panel.html')
  const entries = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = entries.map(entry => relative(outDir, join(entry.parentPath, entry.name)).split(sep).join('/')).sort()
  const hash = path =>
    createHash('sha256')
      .update(readFileSync(join(outDir, path)))
      .digest('hex')
  writeFileSync(join(outDir, 'files.json'), `${JSON.stringify(Object.fromEntries(paths.map(p => [p, hash(p)])))}\n`)
}
