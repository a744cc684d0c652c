import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { isTracked } from './git-index.ts'
import { plainFile } from './plain-file.ts'
import { repositoryProblem } from './repository-problem.ts'

const place = mkdtempSync(join(tmpdir(), 'it-plain-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('a named pipe where a file should be is not waited for', () => {
  const pipe = join(place, 'pipe')
  execFileSync('mkfifo', [pipe])
  writeFileSync(join(place, 'file'), 'text')
  expect([plainFile(pipe), plainFile(join(place, 'file'))?.toString(), plainFile(join(place, 'none'))]).toEqual([
    null,
    'text',
    null,
  ])
  expect(plainFile(join(place, 'file'), 3)).toBe(null)
})

test.each(['config', 'index', 'commondir'])(
  'a repository whose %s is a named pipe holds up nobody who judges a line',
  needs('git'),
  name => {
    const top = join(place, `repository-${name}`)
    execFileSync('git', ['init', '-q', top])
    const file = join(top, '.git', name)
    rmSync(file, { force: true })
    execFileSync('mkfifo', [file])
    mkdirSync(join(top, 'build'))
    // Whatever they say, they say it at once.
    expect([repositoryProblem(top), isTracked(top, 'build')]).toHaveLength(2)
  },
)
