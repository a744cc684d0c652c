// The product the suite starts: the built one, file by file, with one part in another's place.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { freshness } from './freshness.mjs'
import { writeManifest } from './manifest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds the product if something changed and, beside it in dist-test/, the same files with a `machine-marks` that sees nothing: tests, measurements
 * and pictures start real hosts also where the machine is a container itself. The product in dist/ has no switch for that.
 * Returns the file to start with Node.
 */
export async function buildTestProduct() {
  if (freshness(root) !== 'fresh') await build({ quiet: true })
  return copyAsTestProduct(join(root, 'dist'), join(root, 'dist-test'))
}

/** The same for a product that was built elsewhere, such as in a clone. */
export function copyAsTestProduct(dist, copy) {
  mkdirSync(copy, { recursive: true })
  // What a test part is loaded from, for a moment, is no part of the product.
  for (const { name } of readdirSync(dist, { withFileTypes: true }))
    if (!name.startsWith('part-')) cpSync(join(dist, name), join(copy, name), { recursive: true })
  const part = join(copy, 'machine-marks.cjs')
  if (!existsSync(part)) throw new Error(`${dist} has no part that reads the marks of a container`)
  copyFileSync(join(root, 'test/fakes/no-machine-marks.cjs'), part)
  writeManifest(copy)
  return join(copy, 'interactive-terminal.cjs')
}
