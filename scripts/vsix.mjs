#!/usr/bin/env node
// One .vsix per platform: the extension, and the product with its native parts for that platform. Without arguments for this one.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { buildExtension } from './build-vscode.mjs'
import { writeManifest } from './manifest.mjs'
import { zip } from './zip.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** As editors call them; so do the packages with native parts. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64']
const HERE = `${process.platform}-${process.arch}`
/** What we promise (issue 17): the whole file, and our own code in it. */
const MOST_BYTES = 15 * 2 ** 20
const MOST_OWN_BYTES = 3 * 2 ** 20

/** @type {(options?: { platforms?: readonly string[], quiet?: boolean }) => Promise<string[]>} */
export async function buildVsix({ platforms = [HERE], quiet = false } = {}) {
  const unknown = platforms.filter(platform => !PLATFORMS.includes(platform))
  if (unknown.length > 0) throw new Error(`No .vsix for ${unknown.join(', ')}: one of ${PLATFORMS.join(', ')}.`)
  await build({ quiet: true })
  const extension = await buildExtension({ quiet: true })
  const own = filesBelow(extension).reduce((sum, file) => sum + statSync(join(extension, file)).size, 0)
  if (own > MOST_OWN_BYTES) throw new Error(`our own code is ${own} bytes, more than ${MOST_OWN_BYTES}`)

  const made = []
  for (const platform of platforms) {
    const product = join(root, 'dist-vscode', `product-${platform}`)
    putProduct(product, platform)
    const file = join(root, 'dist-vscode', `interactive-terminal-${platform}.vsix`)
    writeFileSync(file, packed(extension, product, platform))
    rmSync(product, { recursive: true })
    const { size } = statSync(file)
    if (size > MOST_BYTES) throw new Error(`${file} is ${size} bytes, more than ${MOST_BYTES}`)
    if (!quiet) {
      const run = platform === 'linux-x64' ? 'run by npm run reality:vscode' : 'not run by us yet'
      console.log(`${relative(root, file)}  ${inMiB(size)}, of it our own code ${inMiB(own)} unpacked; ${run}`)
    }
    made.push(file)
  }
  return made
}

const inMiB = bytes => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** What is installed from npm beside the bundle, in the same places. */
function putProduct(out, platform) {
  rmSync(out, { recursive: true, force: true })
  const dist = join(root, 'dist')
  // Compiled code is for one version of V8, and editors bring another; the spawner is for the machine that compiled it.
  const left = /\.cache$|^made-of\.json$|^manifest\.json$|^part-|^dist-|\.new\b/
  for (const file of filesBelow(dist)) {
    if (left.test(file) || (file === 'spawner' && platform !== HERE)) continue
    mkdirSync(join(out, file, '..'), { recursive: true })
    cpSync(join(dist, file), join(out, file))
  }
  writeManifest(out)

  const packages = join(out, 'node_modules')
  const from = join(root, 'node_modules')
  cpSync(join(from, '@lydell/node-pty'), join(packages, '@lydell/node-pty'), { recursive: true })
  putPty(join(packages, `@lydell/node-pty-${platform}`), platform)
  const sqlite = join(packages, '@photostructure/sqlite')
  mkdirSync(sqlite, { recursive: true })
  for (const file of ['package.json', 'LICENSE', 'dist/index.cjs', `prebuilds/${platform}`])
    cpSync(join(from, '@photostructure/sqlite', file), join(sqlite, file), { recursive: true })
  cpSync(join(from, 'node-gyp-build'), join(packages, 'node-gyp-build'), { recursive: true })
}

/** npm installs the one for this machine only; another one is fetched from the registry, in the version that is locked. */
function putPty(out, platform) {
  const here = join(root, 'node_modules/@lydell', `node-pty-${platform}`)
  if (existsSync(here)) {
    cpSync(here, out, { recursive: true })
    return
  }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const name = `@lydell/node-pty-${platform}`
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  const work = mkdtempSync(join(tmpdir(), 'it-vsix-'))
  try {
    const said = execFileSync('npm', ['pack', '--json', `${name}@${version}`], { cwd: work, encoding: 'utf8' })
    const [packed] = Object.values(JSON.parse(said))
    if (packed.integrity !== integrity) throw new Error(`${name}@${version} is not what package-lock.json has`)
    mkdirSync(out, { recursive: true })
    execFileSync('tar', ['-xzf', join(work, packed.filename), '--strip-components=1', '-C', out])
  } finally {
    rmSync(work, { recursive: true })
  }
}

function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

function packed(extension, product, platform) {
  const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'))
  const put = (directory, below) =>
    filesBelow(directory).map(file => {
      const path = join(directory, file)
      return { path: `${below}/${file}`, bytes: readFileSync(path), mode: statSync(path).mode & 0o777 }
    })
  const files = [...put(extension, 'extension'), ...put(product, 'extension/product')]
  const kinds = [...new Set(files.map(({ path }) => /\.([^./]+)$/.exec(path)?.[1]).filter(Boolean))]
  const bare = files.filter(({ path }) => !/\.[^./]+$/.test(path)).map(({ path }) => path)
  const text = content => Buffer.from(`<?xml version="1.0" encoding="utf-8"?>\n${content}\n`)
  return zip([
    { path: 'extension.vsixmanifest', bytes: text(vsixManifest(manifest, platform)) },
    { path: '[Content_Types].xml', bytes: text(contentTypes(kinds, bare)) },
    ...files,
  ])
}

const xml = words => String(words).replace(/[<>&"']/g, sign => `&#${sign.charCodeAt(0)};`)

function contentTypes(kinds, bare) {
  const type = 'ContentType="application/octet-stream"'
  const defaults = [...kinds, 'vsixmanifest'].map(kind => `<Default Extension="${xml(kind)}" ${type}/>`)
  const overrides = bare.map(path => `<Override PartName="/${xml(path)}" ${type}/>`)
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[...defaults, ...overrides].join('')}</Types>`
}

function vsixManifest({ name, publisher, version, displayName, description, engines, categories }, platform) {
  const property = (id, value) => `<Property Id="Microsoft.VisualStudio.${id}" Value="${xml(value)}"/>`
  const asset = (type, path) =>
    `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true"/>`
  return `<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="${xml(name)}" Version="${xml(version)}" Publisher="${xml(publisher)}" TargetPlatform="${platform}"/>
<DisplayName>${xml(displayName)}</DisplayName><Description xml:space="preserve">${xml(description)}</Description>
<Categories>${xml(categories.join(','))}</Categories><GalleryFlags>Public</GalleryFlags>
<Properties>${property('Code.Engine', engines.vscode)}${property('Code.ExtensionKind', 'workspace')}</Properties>
<License>extension/LICENSE.txt</License><Icon>extension/icon.png</Icon></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets>${asset('Code.Manifest', 'package.json')}${asset('Services.Content.Details', 'README.md')}${asset('Services.Content.License', 'LICENSE.txt')}${asset('Services.Icons.Default', 'icon.png')}</Assets>
</PackageManifest>`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { all: { type: 'boolean' }, platform: { type: 'string', multiple: true } },
  })
  await buildVsix({ platforms: values.all ? PLATFORMS : (values.platform ?? [HERE]) })
}
