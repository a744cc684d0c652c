// What a built program consists of, by hash: src/cli/machine/check-bundle.ts holds it to that at every start.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** What is not started: tests' parts, what says of what it was made, and the list itself. */
const NOT_LISTED = /^part-|^dist-|\.new\b|^made-of\.json$|^manifest\.json$/

/** @type {(dist: string) => void} */
export function writeManifest(dist) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(dist, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(file => !NOT_LISTED.test(file))
    .sort()
  const hash = file =>
    createHash('sha256')
      .update(readFileSync(join(dist, file)))
      .digest('hex')
  writeFileSync(
    join(dist, 'manifest.json'),
    `${JSON.stringify(Object.fromEntries(files.map(file => [file, hash(file)])), null, 1)}\n`,
  )
}
