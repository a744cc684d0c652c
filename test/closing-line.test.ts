import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** A run of its own with one test that passes and one that this machine cannot run, closed by our reporter. */
function closed(env: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(root, 'node_modules/.it-closing-'))
  try {
    const text = `import { test } from 'vitest'
test('runs', () => {})
test('cannot', { skip: true, meta: { missing: 'there is no zsh' } }, () => {})
`
    writeFileSync(join(directory, 'one.test.mjs'), text)
    writeFileSync(
      join(directory, 'vitest.config.mjs'),
      'export default { test: { include: ["*.test.mjs"], exclude: [] } }\n',
    )
    const words = ['run', '--root', directory, '--reporter', join(root, 'test/closing-line.ts')]
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })
    return { status, lines: stdout.trim().split('\n') }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

test('the last line counts what could not run here, and says why', () => {
  const { status, lines } = closed({})
  expect([status, ...lines.slice(-2)]).toEqual([
    0,
    'SKIPPED one.test.mjs > cannot: there is no zsh',
    '1 passed, 0 failed, 1 skipped',
  ])
})

test('where nothing may be skipped, a skip is a failure', () => {
  const { status, lines } = closed({ IT_NO_SKIPS: '1' })
  expect([status, ...lines.slice(-2)]).toEqual([
    1,
    'SKIPPED one.test.mjs > cannot: there is no zsh (not allowed here)',
    '1 passed, 0 failed, 1 skipped',
  ])
})
