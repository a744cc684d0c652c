// Whether dist/ was made of what is here now. Only what Node brings: `npm start` asks this at every start.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Beside src/: what the build itself is made of, and the packages that go into it. */
const OTHERS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'native/spawner.c',
  'scripts/build.mjs',
  'scripts/build-command.mjs',
  'scripts/build-spawner.mjs',
  'scripts/build-web.mjs',
  'scripts/freshness.mjs',
  'scripts/launcher.cjs',
  'scripts/manifest.mjs',
  'scripts/warm-code-cache.cjs',
]

/** @type {(root: string) => string} */
const stampFile = root => join(root, 'dist/made-of.json')

/**
 * `first`: it was never built, or not to its end. `changed`: of something else, not for release, or a file of it is gone.
 *
 * @type {(root: string, node?: string) => 'fresh' | 'first' | 'changed'}
 */
export function freshness(root, node = process.version) {
  let stamp
  try {
    stamp = JSON.parse(readFileSync(stampFile(root), 'utf8'))
  } catch {
    return 'first'
  }
  if (stamp.profile !== 'release') return 'changed'
  if (!Object.entries(stamp.files).every(([file, size]) => sizeOf(join(root, 'dist', file)) === size)) return 'changed'
  const sources = sourcesOf(root)
  // Reading them all takes longer than everything else: nobody has written to any of them since.
  const seen = look(sources, node)
  if (stamp.seen === seen) return 'fresh'
  if (stamp.made_of !== madeOf(root, sources, node)) return 'changed'
  try {
    writeFileSync(stampFile(root), asText({ ...stamp, seen }))
  } catch {
    // somebody else's: they are read again the next time
  }
  return 'fresh'
}

/**
 * What a build begins with; it calls the answer when everything is there. A build that did not come to its end is never fresh,
 * and neither is one whose sources changed meanwhile.
 *
 * @type {(root: string, profile?: 'release' | 'debug') => () => void}
 */
export function beginStamp(root, profile = 'release') {
  rmSync(stampFile(root), { force: true })
  const sources = sourcesOf(root)
  const [made_of, seen] = [madeOf(root, sources, process.version), look(sources, process.version)]
  return () => {
    const dist = join(root, 'dist')
    const files = filesBelow(dist).filter(file => !/^dist-|^part-|\.new\b/.test(relative(dist, file)))
    const sizes = Object.fromEntries(files.map(file => [relative(dist, file), sizeOf(file)]))
    writeFileSync(stampFile(root), asText({ profile, made_of, seen, files: sizes }))
  }
}

/** @type {(stamp: unknown) => string} */
const asText = stamp => `${JSON.stringify(stamp, null, 1)}\n`

/** @type {(root: string) => string[]} */
function sourcesOf(root) {
  const sources = filesBelow(join(root, 'src')).filter(file => !file.endsWith('.test.ts'))
  return [...OTHERS.map(name => join(root, name)), ...sources.sort()]
}

/** What they say. @type {(root: string, files: readonly string[], node: string) => string} */
function madeOf(root, files, node) {
  const hash = createHash('sha256').update(`${node} ${process.platform} ${process.arch}\n`)
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Which files they are, and when each was written to. @type {(files: readonly string[], node: string) => string} */
function look(files, node) {
  const hash = createHash('sha256').update(node)
  for (const file of files) {
    const { size, ino, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    hash.update(`${file} ${size} ${ino} ${mtimeNs} ${ctimeNs}\n`)
  }
  return hash.digest('hex')
}

/** @type {(directory: string) => string[]} */
const filesBelow = directory =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

/** @type {(file: string) => number | null} */
function sizeOf(file) {
  try {
    return statSync(file).size
  } catch {
    return null
  }
}
