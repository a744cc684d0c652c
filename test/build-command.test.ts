import { appendFileSync, cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkCommands, problemsOf, readBuildLine } from '../scripts/build-command.mjs'
import { copyAsTestProduct } from '../scripts/test-product.mjs'

const root = resolve(import.meta.dirname, '..')
const dir = mkdtempSync(join(root, 'dist-command-'))
afterAll(() => rmSync(dir, { recursive: true }))

test.each([
  [[], { clean: false, profile: 'release', test: false, run: false, port: null }],
  [['--clean', '--test', '--profile', 'debug'], { clean: true, profile: 'debug', test: true, run: false }],
  [['--run', '--port', '0'], { run: true, port: '0' }],
])('the build takes %j', (argv, wish) => {
  expect(readBuildLine(argv)).toMatchObject(wish)
})

test.each([
  [['--profile', 'fast'], 'There is no profile "fast". There are release and debug.'],
  [['--port', '9100'], '--port is for --run'],
  [['--run', '--port', '65536'], '"65536" is no port'],
  [['--optimise'], "Unknown option '--optimise'"],
])('the build says what is wrong with %j, shows its options and builds nothing', (argv, words) => {
  expect(readBuildLine(argv)).toMatchObject({ say: expect.stringContaining(words), code: 2 })
  expect(readBuildLine(argv)).toMatchObject({ say: expect.stringContaining('--clean ') })
})

test('"npm run build -- --help" names every option', () => {
  for (const option of ['--clean', '--test', '--profile', '--run', '--port'])
    expect(readBuildLine(['--help'])).toMatchObject({ say: expect.stringContaining(`  ${option} `), code: 0 })
})

test('the commands that check a build name the listeners of each system, at the port that was asked for', () => {
  const systems = ['linux', 'darwin', 'win32'] as const
  const listeners = systems.map(system =>
    checkCommands('9700', system).find(([line]) => /^(ss|lsof|netstat) /.test(line)),
  )
  expect(listeners.map(row => row?.[0].split(' ')[0])).toEqual(['ss', 'lsof', 'netstat'])
  expect(listeners[0]?.[0]).toContain(':9700')
})

test('a build that lost a file, or has another one in its place, is not called whole', () => {
  const dist = join(dir, 'dist')
  copyAsTestProduct(join(root, 'dist'), dist)
  cpSync(join(root, 'package.json'), join(dir, 'package.json'))
  const files = ['app.cjs', 'web/index.html', 'doctor.cjs']
  expect(problemsOf(dist, files)).toEqual([])

  appendFileSync(join(dist, 'web/index.html'), ' ')
  renameSync(join(dist, 'doctor.cjs'), join(dist, 'physician.cjs'))
  renameSync(join(dist, 'app.cjs'), join(dist, 'away.cjs'))
  expect(problemsOf(dist, [...files, 'physician.cjs'])).toEqual([
    'dist/app.cjs is missing',
    'dist/doctor.cjs is missing',
    'dist/physician.cjs is not in manifest.json',
    'dist/web/index.html is not what was built',
    expect.stringContaining('it does not start: '),
  ])
})
