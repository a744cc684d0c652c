#!/usr/bin/env node
// Bundles the editor's extension into dist-vscode/extension: what the editor loads at its start is small, the rest are parts.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { buildPanel } from './build-panel.mjs'
import { importSources } from './import-sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {(options?: { quiet?: boolean }) => Promise<string>} */
export async function buildExtension({ quiet = false } = {}) {
  const out = join(root, 'dist-vscode/extension')
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const parts = new Set(['vscode/extension'])
  // A part may name further parts; each is built once.
  for (const part of parts) await bundle(part, join(out, fileOf(part)), parts)
  cpSync(join(root, 'vscode'), out, { recursive: true })
  await writeToolSchema(join(out, 'package.json'))
  await buildPanel(root, join(out, 'page'))
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE.txt'))
  for (const part of parts) {
    const file = join(out, fileOf(part))
    if (!existsSync(file)) throw new Error(`the build did not produce ${fileOf(part)}`)
    if (!quiet) console.log(`dist-vscode/extension/${fileOf(part)}  ${Math.ceil(statSync(file).size / 1024)} kB`)
  }
  return out
}

const fileOf = part => `${part.split('/').at(-1)}.cjs`

async function bundle(part, outfile, parts) {
  await esbuild.build({
    entryPoints: [join(root, `src/${part}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    define: { 'import.meta.url': 'undefined' },
    supported: { 'dynamic-import': false },
    plugins: [lazyParts(parts)],
    external: ['vscode'],
    logLevel: 'warning',
  })
}

/** The manifest lists the tool with the schema of the contract: it is made here, as for the server's tools, and written nowhere else. */
export async function writeToolSchema(file) {
  const { schema } = await importSources(
    root,
    `import { EditorRequest } from './src/contract/tool/editor-request.ts'
    import { inputSchema } from './src/mcp/server/tool-schema.ts'
    export const schema = inputSchema(EditorRequest)`,
  )
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  manifest.contributes.languageModelTools[0].inputSchema = schema
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** As in the product (build.mjs): what is loaded by `import()` is a file of its own. */
function lazyParts(parts) {
  return {
    name: 'lazy-parts',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\/[a-z./-]+\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined
        const part = relative(join(root, 'src'), join(resolveDir, path)).split(sep).join('/').slice(0, -3)
        parts.add(part)
        return { path: `./${fileOf(part)}`, external: true }
      })
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension()
