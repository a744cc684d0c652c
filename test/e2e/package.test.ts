import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyAsTestProduct } from '../../scripts/test-product.mjs'
import { spawnerName } from '../../src/base/process/spawner-program.ts'
import { COMMANDS } from '../../src/cli/line/commands.ts'
import { commandLine, typed } from '../drivers/command-line.ts'
import { openCommand } from '../drivers/mcp-client.ts'
import { usesSpawner } from '../drivers/needs.ts'
import { NpmRegistry, npmOrThrow } from '../drivers/npm-registry.ts'
import { Place } from '../drivers/place.ts'

/**
 * What people install: packed, published and installed by the real npm with install scripts blocked, and every command of it started. The
 * packages it needs come from a registry on loopback.
 */
const root = resolve(import.meta.dirname, '../..')
let place: Place
let registry: NpmRegistry
let tarball: string
let installed: string
/** The installed product as the suite starts it: it sees no marks of a container. */
let product: string

beforeAll(async () => {
  place = new Place()
  const packed = join(place.root, 'packed')
  mkdirSync(packed)
  registry = await NpmRegistry.open(packed)
  // What is packed was built before the first test: a build of its own would be the same.
  await npmOrThrow(['pack', '--ignore-scripts', '--pack-destination', packed], root)
  tarball = join(packed, readdirSync(packed).find(name => name.endsWith('.tgz')) ?? '')
  place.write('fresh/package.json', '{"name":"fresh","private":true}')
  const { code, out } = await registry.npm(['install', tarball], join(place.root, 'fresh'))
  if (code !== 0) throw new Error(out)
  installed = join(place.root, 'fresh/node_modules/interactive-terminal')
  product = copyAsTestProduct(join(installed, 'dist'), join(installed, 'dist-test'))
}, 120_000)
afterAll(() => {
  registry.close()
  place.remove()
})

const bin = () => join(place.root, 'fresh/node_modules/.bin/interactive-terminal')
const about = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>

test('the package is clean: publint has nothing to say, nothing of the build machine is in it, and it needs three packages at most', async () => {
  expect((await publint({ pkgDir: installed, pack: false, strict: true })).messages).toEqual([])
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    file => !file.startsWith('dist-test'),
  )
  expect(files.filter(file => /made-of|part-|\.test\.|^src|^test|\.map$|node_modules/.test(file))).toEqual([])
  for (const file of files.filter(file => statSync(join(installed, file)).isFile()))
    expect([file, readFileSync(join(installed, file), 'latin1').includes(root)]).toEqual([file, false])
  expect(Object.keys(about().dependencies as object).length).toBeLessThanOrEqual(3)
  expect(about()).toMatchObject({
    license: 'MIT',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    keywords: expect.anything(),
  })
  expect(about()).not.toHaveProperty('private')
  expect(existsSync(join(installed, 'LICENSE'))).toBe(true)
  expect(readFileSync(join(installed, String(about().man)), 'utf8')).toMatch(/^\.TH INTERACTIVE/)
})

test('every page that the README of the package leads to is in the package', () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8')
  const targets = [...readme.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, target = '']) => target)
  expect(targets.length).toBeGreaterThan(10)
  expect(targets.filter(target => !existsSync(join(installed, target)))).toEqual([])
})

test('a registry is sent what it takes: npm publishes it', async () => {
  const { code, out } = await registry.npm(['publish', tarball], place.root)
  expect([code, out]).toEqual([0, expect.stringContaining('+ interactive-terminal@')])
  expect(out).not.toMatch(/auto-corrected|errors corrected/)
  expect(registry.published).toMatchObject([{ name: 'interactive-terminal', _attachments: expect.anything() }])
})

test('installed with install scripts blocked, it is what was built and every command says what it does', async () => {
  const { version } = about()
  expect(await commandLine(place, ['--version'], {}, bin())).toEqual({ code: 0, out: `${version}\n` })
  const pages = await Promise.all(COMMANDS.map(({ name }) => commandLine(place, [name, '--help'], {}, bin())))
  expect(pages.map(({ code }) => code)).toEqual(COMMANDS.map(() => 0))
  const { out } = await commandLine(place, ['doctor', '--http-port', '0'], {}, bin())
  expect(out).toMatch(/ok +this program is what was built/)
  const manifest = JSON.parse(readFileSync(join(installed, 'dist/manifest.json'), 'utf8')) as object
  if (usesSpawner) expect(manifest).toHaveProperty(spawnerName(process.arch), expect.stringMatching(/^[0-9a-f]{64}$/))
})

test.each([
  [['where'], 'state'],
  [['policy', 'list'], 'looks at what runs on this machine'],
  [['policy', 'explain', 'node --version'], 'node --version'],
  [['runs'], ''],
  [['verify'], ''],
  [['pair', '--list'], 'Nobody is paired'],
  [['setup', 'claude'], '.claude.json'],
])('installed, %j answers', async (words, text) => {
  const said = await commandLine(place, words, {}, bin())
  expect([said.code, said.out]).toEqual([0, expect.stringContaining(text)])
})

test('installed, an agent runs a command over stdio, and the host starts, says that it runs, and stops', async () => {
  const server = await openCommand({ command: process.execPath, args: [product, 'mcp'], env: place.env() }, place, {
    place,
  })
  const { data } = await server.headless({ action: 'run', command: 'node --version' })
  expect(data).toMatchObject({ success: true, result: { stdout: `${process.version}\n`, exit_code: 0 } })
  await server.close()

  const quiet = { PM_TERM_WINDOW: 'never' }
  place.write('home/settings.json', JSON.stringify(quiet))
  const opened = await commandLine(place, ['open', '--json'], quiet, product)
  expect(opened.out).toContain('There is no window, because this host was started without one')
  expect(await commandLine(place, ['status', '--json'], quiet, product)).toMatchObject({ code: 0 })
  expect(await typed(place, ['stop', '--force'], quiet, product)).toEqual({ code: 0, out: expect.anything() })
  expect(await commandLine(place, ['status'], quiet, product)).toMatchObject({ code: 3 })
})

test('npx starts it from the file, and what it says to type works after npx has gone; setup writes no path of npx', async () => {
  const npx = (...words: string[]) =>
    registry.npm(
      ['exec', '--yes', `--package=${tarball}`, '--', 'interactive-terminal', ...words],
      join(place.root, 'fresh/..'),
    )
  const { code, out } = await npx('aprove')
  const said = /See "(.+)" for all commands\./.exec(out)?.[1] ?? ''
  expect([code, said]).toEqual([2, expect.stringMatching(/^node .*_npx.*interactive-terminal --help$/)])
  const script = said.split(' ')[1] ?? ''
  expect(lstatSync(dirname(script)).isDirectory()).toBe(true)
  expect(await commandLine(place, ['help'], {}, script)).toMatchObject({ code: 0 })
  const written = await npx('setup', 'claude', '--write')
  expect([written.code, written.out]).toEqual([2, expect.stringContaining('npx may remove this program at any time')])
})
