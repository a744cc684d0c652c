import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lookAtWorkTree } from '../src/runs/receipt/work-tree.ts'
import { needs } from './drivers/needs.ts'

/** Real repositories: what git lists there, and what a hash over it notices. */
let top: string
const ROOM = { files: 100, bytes: 1_000_000, ms: 30_000 }
const git = (...args: string[]) =>
  execFileSync('git', ['-C', top, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { stdio: 'ignore' })
const write = (name: string, text: string) => writeFileSync(join(top, name), text)
const look = (bounds = ROOM) => lookAtWorkTree(top, bounds)
const hash = async (): Promise<string> => {
  const found = await look()
  if ('problem' in found) throw new Error(found.problem)
  return found.sha256
}

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'it-tree-'))
  git('init', '-q')
  write('kept.txt', 'one\n')
  write('.gitignore', 'ignored\n')
  git('add', '.')
  git('commit', '-qm', 'first')
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

test('a clean work tree has no changed files, and what git ignores is no change', needs('git'), async () => {
  const clean = await look()
  expect(clean).toMatchObject({ files: 0, bytes: 0, head: expect.stringMatching(/^[0-9a-f]{40}$/) })
  write('ignored', 'whatever')
  expect(await look()).toEqual(clean)
})

test('every kind of change makes another hash, and taking it back makes the old one', needs('git'), async () => {
  const seen = [await hash()]
  const changes: [() => void, () => void][] = [
    [() => write('kept.txt', 'two\n'), () => write('kept.txt', 'one\n')],
    [() => rmSync(join(top, 'kept.txt')), () => write('kept.txt', 'one\n')],
    [() => write('new', 'a'), () => rmSync(join(top, 'new'))],
    [() => write('new', 'b'), () => rmSync(join(top, 'new'))],
    [() => write('other', 'b'), () => rmSync(join(top, 'other'))],
    [() => symlinkSync('kept.txt', join(top, 'link')), () => rmSync(join(top, 'link'))],
    [() => chmodSync(join(top, 'kept.txt'), 0o755), () => chmodSync(join(top, 'kept.txt'), 0o644)],
  ]
  for (const [change, back] of changes) {
    change()
    seen.push(await hash())
    back()
    expect(await hash()).toBe(seen[0])
  }
  git('commit', '-q', '--allow-empty', '-m', 'second')
  seen.push(await hash())
  expect(new Set(seen).size).toBe(seen.length)
})

test('beyond a bound there is a reason and no hash', needs('git'), async () => {
  for (const name of ['a', 'b', 'c']) write(name, 'x'.repeat(100))
  expect(await look({ ...ROOM, files: 2 })).toEqual({
    problem: '3 files are changed or untracked; at most 2 are looked at',
  })
  expect(await look({ ...ROOM, bytes: 250 })).toEqual({ problem: 'the files have too many bytes (c)' })
  expect(await look({ ...ROOM, ms: 1 })).toEqual({ problem: expect.stringMatching(/took (longer|too long)/) })
})

test(
  'a repository that names programs in its configuration is not asked, and none of them is started',
  needs('git'),
  async () => {
    const mark = join(top, '.git', 'started')
    write('.gitattributes', '*.txt filter=evil\n')
    git('config', 'filter.evil.clean', `touch ${mark}; cat`)
    write('kept.txt', 'two\n')
    expect(await look()).toEqual({ problem: expect.stringContaining('git was not asked') })
    git('config', '--unset', 'filter.evil.clean')
    git('config', 'core.fsmonitor', `touch ${mark}`)
    expect(await look()).toEqual({ problem: expect.stringContaining('git was not asked') })
    expect(existsSync(mark)).toBe(false)
  },
)

test('a repository inside it is named and not looked into', needs('git'), async () => {
  mkdirSync(join(top, 'inner'))
  execFileSync('git', ['-C', join(top, 'inner'), 'init', '-q'])
  writeFileSync(join(top, 'inner', 'file'), 'x')
  expect(await look()).toMatchObject({ files: 1, bytes: 0 })
})

test('where there is no repository any more, the reason is told', needs('git'), async () => {
  rmSync(join(top, '.git'), { recursive: true })
  expect(await look()).toEqual({ problem: expect.stringContaining('not a git repository') })
})
