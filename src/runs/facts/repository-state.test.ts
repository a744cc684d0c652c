import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { repositoryState } from './repository-state.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-repository-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@b']
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...AUTHOR, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
function repository(): string {
  git(root, 'init', '-q', '-b', 'main')
  writeFileSync(join(root, 'a'), 'a')
  git(root, 'add', 'a')
  git(root, 'commit', '-q', '-m', 'first')
  mkdirSync(join(root, 'deep', 'er'), { recursive: true })
  return git(root, 'rev-parse', 'HEAD')
}

test('a run records the commit, the branch and what was staged, from anywhere in the repository', needs('git'), () => {
  const head = repository()
  const before = repositoryState(join(root, 'deep', 'er'))
  expect(before).toEqual({ top: root, head, branch: 'main', index: expect.stringMatching(/^[0-9a-f]{40}$/) })
  writeFileSync(join(root, 'b'), 'b')
  git(root, 'add', 'b')
  expect(repositoryState(root)?.index).not.toBe(before?.index)
})

test(
  'branches that git has packed, a commit without a branch and a linked work tree are read as well',
  needs('git'),
  () => {
    const head = repository()
    git(root, 'pack-refs', '--all')
    expect(repositoryState(root)).toMatchObject({ head, branch: 'main' })
    git(root, 'worktree', 'add', '-q', '-b', 'other', join(root, 'tree'))
    expect(repositoryState(join(root, 'tree'))).toMatchObject({ top: join(root, 'tree'), head, branch: 'other' })
    git(root, 'checkout', '-q', '--detach')
    expect(repositoryState(root)).toEqual({ top: root, head, index: expect.any(String) })
  },
)

test('without a repository, or without a commit in it, that is said', needs('git'), () => {
  expect(repositoryState(root)).toBeNull()
  git(root, 'init', '-q', '-b', 'main')
  expect(repositoryState(root)).toEqual({ top: root, branch: 'main' })
})

test('a hostile repository neither holds anybody up nor has anything started or shown', needs('git'), () => {
  const started = join(root, 'started')
  repository()
  for (const [name, value] of [
    ['core.fsmonitor', `touch ${started}`],
    ['filter.x.clean', `touch ${started}`],
  ] as const)
    git(root, 'config', name, value)
  expect(repositoryState(root)).toMatchObject({ branch: 'main' })

  writeFileSync(join(root, 'secret'), `${'f'.repeat(40)}\n`)
  for (const [file, make] of [
    ['HEAD', (path: string) => void execFileSync('mkfifo', [path])],
    ['HEAD', (path: string) => symlinkSync(join(root, 'secret'), path)],
    ['HEAD', (path: string) => writeFileSync(path, 'ref: refs/../../secret\n')],
    ['HEAD', (path: string) => writeFileSync(path, 'x'.repeat(100_000))],
    ['index', (path: string) => void execFileSync('mkfifo', [path])],
  ] as const) {
    const path = join(root, '.git', file)
    rmSync(path, { force: true })
    make(path)
    expect(JSON.stringify(repositoryState(root))).not.toContain('ffff')
  }
  expect(repositoryState(root)).toEqual({ top: root })
  expect(() => execFileSync('test', ['-e', started])).toThrow()
})
