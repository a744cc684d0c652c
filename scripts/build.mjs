#!/usr/bin/env node
// The one build: bundles the product into dist/, writes the start-up cache, checks that every run-time file is there.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
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
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { checkCommands, problemsOf, readBuildLine } from './build-command.mjs'
import { buildSpawners } from './build-spawner.mjs'
import { buildWeb } from './build-web.mjs'
import { beginStamp } from './freshness.mjs'
import { writeManifest } from './manifest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const RUN_TIME_FILES = [
  'interactive-terminal.cjs',
  'app.cjs',
  'pty-host.cjs',
  'preview.cjs',
  'web/index.html',
  'interactive-terminal.1',
]
/** What V8 compiled of these parts is kept beside them. */
const CACHES = ['app.cache', 'engine.cache', 'sdk-conversation.cache']

/** @param {{ quiet?: boolean, clean?: boolean, forPackage?: boolean, profile?: 'release' | 'debug' }} options */
export async function build({ quiet = false, clean = false, forPackage = false, profile = 'release' } = {}) {
  const say = quiet ? () => {} : console.log
  if (clean) rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const stamp = beginStamp(root, profile)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const window = await webFiles()
  const windowFiles = Object.keys(window).map(file => `web/${file}`)
  const define = {
    __VERSION__: JSON.stringify(version),
    __TOOL_LIST__: JSON.stringify(JSON.stringify(await toolList())),
    __WEB_FILES__: JSON.stringify(JSON.stringify(window)),
    // CommonJS has none; what asks for it is told so.
    'import.meta.url': 'undefined',
  }
  const parts = new Set()
  await bundle('src/bin/interactive-terminal.ts', join(dist, 'app.cjs'), { define, parts, profile })
  await bundle('src/bin/pty-host-main.ts', join(dist, 'pty-host.cjs'), { define, parts, profile })
  await bundle('src/bin/preview-main.ts', join(dist, 'preview.cjs'), { define, parts, profile })
  // A part may name further parts; each is built once.
  for (const part of parts) await bundle(`src/${part}.ts`, join(dist, fileOf(part)), { define, parts, profile })
  copyFileSync(join(root, 'scripts/launcher.cjs'), join(dist, 'interactive-terminal.cjs'))
  chmodSync(join(dist, 'interactive-terminal.cjs'), 0o755)
  // Not on stdout: `npm start` builds before a command whose answer a program may read.
  for (const { name, leftOut } of buildSpawners(root, dist, forPackage))
    if (leftOut !== null) console.error(`dist/${name} was left out, commands start more slowly there: ${leftOut}`)
  // It starts the product, which looks at the list; what V8 compiled is in the next one.
  writeManPage()
  // What can be read has source maps, which know a part by its own path and not by the name that a cache has for it.
  const caches = profile === 'release' ? CACHES : []
  for (const cache of CACHES) rmSync(join(dist, cache), { force: true })
  writeManifest(dist)
  if (caches.length > 0) await writeCodeCaches()
  writeManifest(dist)
  const files = [...RUN_TIME_FILES, ...caches, ...[...parts].map(fileOf), ...windowFiles]
  const problems = problemsOf(dist, files)
  if (problems.length > 0) throw new Error(`the build is not whole:\n  ${problems.join('\n  ')}`)
  for (const file of files.filter(file => !file.startsWith('web/assets/')))
    say(`dist/${file}  ${Math.ceil(statSync(join(dist, file)).size / 1024)} kB`)
  stamp()
}

/** The manual page, as the product prints it: `npm install --global` puts it where `man` finds it. */
function writeManPage() {
  const { status, stdout } = spawnSync(process.execPath, [join(dist, 'interactive-terminal.cjs'), 'man'])
  if (status !== 0) throw new Error('the product did not print its manual page')
  writeFileSync(join(dist, 'interactive-terminal.1'), stdout)
}

/** The window's files, each with its hash: the program serves these and no others. */
async function webFiles() {
  await buildWeb(root)
  const web = join(dist, 'web')
  const files = readdirSync(web, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => relative(web, join(entry.parentPath, entry.name)).split(sep).join('/')).sort()
  const hash = path =>
    createHash('sha256')
      .update(readFileSync(join(web, path)))
      .digest('hex')
  return Object.fromEntries(paths.map(path => [path, hash(path)]))
}

/**
 * What a bundle loads by `import()` is a part of its own, read only when it is needed: the first one starts faster. A part is
 * named by its room and file ("cli/commands/setup-command"); in dist it is a file beside the others.
 */
function lazyParts(parts) {
  return {
    name: 'lazy-parts',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\/[a-z./-]+\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined
        const part = relative(join(root, 'src'), join(resolveDir, path)).split(sep).join('/').slice(0, -3)
        const taken = [...parts].find(other => other !== part && fileOf(other) === fileOf(part))
        if (taken) throw new Error(`${taken} and ${part} would be the same file in dist: rename one`)
        parts.add(part)
        return { path: `./${fileOf(part)}`, external: true }
      })
    },
  }
}

const fileOf = part => `${part.split('/').at(-1)}.cjs`

async function bundle(entry, outfile, { define, parts, profile }) {
  await esbuild.build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: profile === 'release',
    sourcemap: profile === 'debug' ? 'linked' : false,
    legalComments: 'none',
    define,
    // The SDK's default shim pulls in a whole JSON schema compiler that only elicitation uses, which we do not.
    alias: { '@modelcontextprotocol/server/_shims': join(root, 'src/mcp/server/sdk-shims.ts') },
    // The launcher runs the bundle as a script, which has no import(): parts are required.
    supported: { 'dynamic-import': false },
    plugins: [lazyParts(parts)],
    // Native code: the two packages that are installed beside the bundle.
    external: ['@lydell/node-pty', '@photostructure/sqlite'],
    logLevel: 'warning',
  })
  const written = readFileSync(outfile, 'utf8')
  writeFileSync(outfile, written.replace(NOT_ASCII, escaped))
}

/**
 * esbuild leaves them in regular expressions. The launcher reads files byte by byte, where they would be other characters; and one of
 * them makes V8 keep the whole text of a file with two bytes for each character.
 */
const NOT_ASCII = /[^\0-\x7f]/g
const escaped = unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The tool list is the same at every start, so its JSON schemas are made here and not by every start anew. */
async function toolList() {
  const dir = mkdtempSync(join(tmpdir(), 'it-build-'))
  try {
    const outfile = join(dir, 'tool-list.cjs')
    await bundle('src/mcp/server/tool-list.ts', outfile, { define: {}, parts: new Set(), profile: 'release' })
    return (await import(pathToFileURL(outfile).href)).default.toolList()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Runs two short sessions and keeps what V8 compiled on the way: the next starts skip that work. */
async function writeCodeCaches() {
  const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const clientInfo = { name: 'build', version: '0' }
  const call = { name: 'memory_terminal', arguments: { action: 'run', command: 'pwd' } }
  await warm(['app.cjs', 'engine.cjs'], '"success":true', [
    request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    request(2, 'tools/list', {}),
    request(3, 'tools/call', call),
  ])
  // A client of the next generation needs the SDK from its first word on.
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  await warm(['sdk-conversation.cjs'], '"id":2', [
    request(1, 'server/discover', { _meta }),
    request(2, 'tools/list', { _meta }),
  ])
}

/** One session of the product until it has said `last`, and the caches of these parts. */
async function warm(parts, last, lines) {
  const home = mkdtempSync(join(tmpdir(), 'it-warm-'))
  try {
    const child = spawn(process.execPath, [join(root, 'scripts/warm-code-cache.cjs'), dist, ...parts], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, PM_TERM_HOME: home },
      cwd: home,
    })
    let seen = ''
    child.stdout.on('data', chunk => {
      seen += chunk
      if (seen.includes(last)) child.stdin.end()
    })
    child.stdin.write(lines.join(''))
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    if (code !== 0 || !seen.includes(last)) throw new Error(`the product did not start: ${code} ${seen.slice(-500)}`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Builds, says how to check it, and does what else was asked for. Returns the code to end with. */
async function buildAndMore(wish) {
  await build(wish)
  if (!wish.quiet) {
    console.log(`\nEvery file that is needed to run is there (${wish.profile}). Check it:`)
    for (const [command, sentence] of checkCommands(wish.port)) console.log(`  ${command}\n      ${sentence}`)
  }
  const go = (command, words) => spawnSync(command, words, { cwd: root, stdio: 'inherit' }).status ?? 1
  const tested = wish.test ? go('npm', ['test']) : 0
  if (tested !== 0 || !wish.run) return tested
  const port = wish.port === null ? [] : ['--port', wish.port]
  return go(process.execPath, [join(dist, 'interactive-terminal.cjs'), 'start', ...port])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const line = readBuildLine(process.argv.slice(2))
  if ('say' in line) (line.code === 0 ? console.log : console.error)(line.say)
  process.exitCode = 'say' in line ? line.code : await buildAndMore(line)
}
