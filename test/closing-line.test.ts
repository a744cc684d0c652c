import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const SKIPS = `import { test } from 'vitest'
test('runs', () => {})
test('cannot', { skip: true, meta: { missing: 'there is no zsh' } }, () => {})
`

/** A run of its own of one file, by vitest itself or as `npm test` does it, closed by our reporter. */
function closed(program: string, text: string, env: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(root, 'node_modules/.it-closing-'))
  try {
    writeFileSync(join(directory, 'one.test.mjs'), text)
    writeFileSync(
      join(directory, 'vitest.config.mjs'),
      'export default { test: { include: ["*.test.mjs"], exclude: [] } }\n',
    )
    const words = [
      join(root, program),
      ...(program === VITEST ? ['run'] : []),
      `--root=${directory}`,
      `--reporter=${join(root, 'test/closing-line.ts')}`,
    ]
    const { status, stdout } = spawnSync(process.execPath, words, {
      env: { PATH: process.env.PATH, SEEN: join(directory, 'seen'), ...env },
      encoding: 'utf8',
    })
    return { status, lines: stdout.trim().split('\n') }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const VITEST = 'node_modules/vitest/vitest.mjs'
const SUITE = 'scripts/run-tests.mjs'

test('the last line counts what could not run here, and says why', () => {
  const { status, lines } = closed(VITEST, SKIPS)
  expect([status, ...lines.slice(-2)]).toEqual([
    0,
    'SKIPPED one.test.mjs > cannot: there is no zsh',
    '1 passed, 0 failed, 1 skipped',
  ])
})

test('where nothing may be skipped, a skip is a failure', () => {
  const { status, lines } = closed(VITEST, SKIPS, { IT_NO_SKIPS: '1' })
  expect([status, ...lines.slice(-2)]).toEqual([
    1,
    'SKIPPED one.test.mjs > cannot: there is no zsh (not allowed here)',
    '1 passed, 0 failed, 1 skipped',
  ])
})

test('the suite allows no skip either, and runs nothing again for it', () => {
  const { status, lines } = closed(SUITE, SKIPS, { IT_NO_SKIPS: '1' })
  expect([status, ...lines.slice(-2)]).toEqual([
    1,
    'SKIPPED one.test.mjs > cannot: there is no zsh (not allowed here)',
    '1 passed, 0 failed, 1 skipped',
  ])
})

test('what fails beside others and passes alone is counted, and named as unstable', () => {
  const text = `import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
test('runs', () => {})
test('hurries', () => {
  const second = existsSync(process.env.SEEN)
  writeFileSync(process.env.SEEN, '')
  expect(second).toBe(true)
})
`
  const { status, lines } = closed(SUITE, text)
  expect([status, ...lines.slice(-2)]).toEqual([
    0,
    'UNSTABLE one.test.mjs > hurries: failed beside others, passed alone',
    '2 passed, 0 failed, 0 skipped',
  ])
})

test('what fails twice has failed', () => {
  const text = `import { expect, test } from 'vitest'
test('runs', () => {})
test('is wrong', () => expect(1).toBe(2))
`
  const { status, lines } = closed(SUITE, text)
  expect([status, lines.at(-1)]).toEqual([1, '1 passed, 1 failed, 0 skipped'])
})

test('a file that cannot be loaded has failed', () => {
  const { status, lines } = closed(SUITE, "import './missing.mjs'\n")
  expect([status, lines.at(-1)]).toEqual([1, '0 passed, 1 failed, 0 skipped'])
})

test('what its tests need may fail once too, and nothing counts as skipped for it', () => {
  const text = `import { existsSync, writeFileSync } from 'node:fs'
import { beforeAll, test } from 'vitest'
beforeAll(() => {
  const second = existsSync(process.env.SEEN)
  writeFileSync(process.env.SEEN, '')
  if (!second) throw new Error('too slow')
})
test('runs', () => {})
`
  const { status, lines } = closed(SUITE, text, { IT_NO_SKIPS: '1' })
  expect([status, ...lines.slice(-2)]).toEqual([
    0,
    'UNSTABLE one.test.mjs: before its tests: failed beside others, passed alone',
    '1 passed, 0 failed, 0 skipped',
  ])
})
