import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginStamp, freshness } from '../../scripts/freshness.mjs'

const root = resolve(import.meta.dirname, '../..')
let copy: string

/** This repository as it stands, built; below itself, so that the packages are found. */
beforeEach(() => {
  copy = mkdtempSync(join(root, 'dist-start-'))
  for (const name of ['src', 'native', 'scripts', 'dist', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

const start = () => {
  const { stdout, stderr, status } = spawnSync('npm', ['start', '--silent', '--', '--version'], {
    cwd: copy,
    encoding: 'utf8',
  })
  return { stdout, stderr: stderr.replace(/^npm warn .*\n/gm, ''), status }
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const answered = { stdout: `${version}\n`, status: 0 }

test('npm start builds when a source changed, says so while it does it, and does not build twice', {
  timeout: 120_000,
}, () => {
  expect(start()).toEqual({ ...answered, stderr: '' })
  appendFileSync(join(copy, 'src/bin/interactive-terminal.ts'), '// touched\n')
  expect(start()).toEqual({
    ...answered,
    // Where there is no C compiler that is said as well.
    stderr: expect.stringMatching(
      /^Something changed, building again, about \d+ s …\n(dist\/\S+ was left out, .+\n)*Built in [\d.]+ s\.\n$/,
    ),
  })
  expect(start()).toEqual({ ...answered, stderr: '' })
})

test('what was built counts as fresh only for these sources, these packages and this Node', () => {
  expect(freshness(copy)).toBe('fresh')
  expect(freshness(copy, 'v0.0.1')).toBe('changed')
  for (const file of ['src/web/main.tsx', 'package-lock.json', 'scripts/launcher.cjs']) {
    const before = readFileSync(join(copy, file))
    appendFileSync(join(copy, file), ' ')
    expect([file, freshness(copy)]).toEqual([file, 'changed'])
    writeFileSync(join(copy, file), before)
    expect([file, freshness(copy)]).toEqual([file, 'fresh'])
  }
  writeFileSync(join(copy, 'src/bin/another.test.ts'), '')
  expect(freshness(copy)).toBe('fresh')
  writeFileSync(join(copy, 'src/bin/another.ts'), '')
  expect(freshness(copy)).toBe('changed')
})

test('a build that lost a file, or did not come to its end, is made again', () => {
  rmSync(join(copy, 'dist/pty-host.cjs'))
  expect(freshness(copy)).toBe('changed')
  beginStamp(copy)
  expect(freshness(copy)).toBe('first')
})
