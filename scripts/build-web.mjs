import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { build } from 'vite'

/** The window's page, into dist/web: plain files that a strict content policy can serve. Terminals are a part of their own. */
export async function buildWeb(/** @type {string} */ root) {
  const web = join(root, 'dist/web')
  // Made beside it and then put in its place: two builds at once must not leave half of each.
  const outDir = `${web}.${process.pid}.new`
  await buildPage(root, { outDir, base: '/', page: 'index.html' })
  if (!existsSync(join(outDir, 'index.html'))) throw new Error('the build did not produce dist/web/index.html')
  rmSync(web, { recursive: true, force: true })
  renameSync(outDir, web)
}

/**
 * One page of src/web with all it loads.
 *
 * @type {(root: string, how: { outDir: string, base: string, page: string }) => Promise<void>}
 */
export async function buildPage(root, { outDir, base, page }) {
  await build({
    configFile: false,
    root: join(root, 'src/web'),
    base,
    logLevel: 'warn',
    plugins: [tailwindcss()],
    mode: 'production',
    // Else, built while NODE_ENV says something else, each part would carry the path of its source.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    worker: { format: 'es' },
    build: {
      outDir,
      rollupOptions: { input: join(root, 'src/web', page) },
      emptyOutDir: true,
      target: 'es2023',
      cssTarget: ['chrome125', 'firefox128', 'safari18'],
      // Terminals are one big part that is loaded when the first one is shown.
      chunkSizeWarningLimit: 700,
      modulePreload: false,
      // Inlined files would be data: addresses, which the content policy refuses.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  })
}
