import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import type { PreviewRequest } from '../../contract/preview/preview-frames.ts'
import { LookBudget } from './look-budget.ts'
import { previewLine } from './preview-line.ts'

/** Whoever tells what git keeps. */
const GIT = needs('git')
const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-preview-')))
const home = join(root, 'home')
const project = join(root, 'project')
const git = (...args: string[]) =>
  execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  })
const commit = (message: string): void => {
  writeFileSync(join(project, 'src/a.ts'), message)
  git('commit', '-qam', message)
}

beforeAll(() => {
  for (const directory of [home, join(project, 'src'), join(project, 'build/deep')])
    mkdirSync(directory, { recursive: true })
  writeFileSync(join(project, 'src/a.ts'), 'a')
  writeFileSync(join(project, 'src/b.ts'), 'bb')
  writeFileSync(join(project, 'build/out.js'), 'x'.repeat(1000))
  writeFileSync(join(project, 'build/deep/more.js'), 'y'.repeat(24))
  writeFileSync(join(project, 'notes.txt'), 'hello')
  symlinkSync('/etc', join(project, 'link'))
  if (GIT.skip) return
  git('init', '-q', '-b', 'main')
  git('add', 'src')
  git('commit', '-qm', 'first')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const request = (command: string, more: Partial<PreviewRequest> = {}): PreviewRequest => ({
  id: 'ask_1',
  command,
  args: null,
  shell: 'bash',
  cwd: project,
  home,
  variables: {},
  own_git: false,
  ours: [],
  ms: 5000,
  ...more,
})
const see = (command: string, more: Partial<PreviewRequest> = {}, entries = 10_000) => [
  ...previewLine(request(command, more), new LookBudget(() => performance.now(), { ms: 5000, entries })),
]

test('rm says how many files go, how large they are, and whether git keeps them', GIT, () => {
  expect(see('rm -rf build src')).toEqual([
    {
      about: 'deletes',
      paths: ['build', 'src'],
      count: 2,
      files: 4,
      directories: 3,
      bytes: 1027,
      at_least: false,
      tracked: 2,
      missing: [],
      refused: [],
    },
  ])
  expect(see('sudo rm build none link')).toMatchObject([
    { files: 1, directories: 0, missing: ['none'], refused: ['build'] },
  ])
})

test('a wildcard is told by what it stands for now', GIT, () => {
  expect(see('rm src/*.ts')).toMatchObject([
    { about: 'glob', pattern: 'src/*.ts', names: ['src/a.ts', 'src/b.ts'], count: 2 },
    { about: 'deletes', files: 2, tracked: 2 },
  ])
  expect(see('ls *.none')).toEqual([{ about: 'glob', pattern: '*.none', names: [], count: 0 }])
})

test('a variable is told by its value, one that is not set by that, a secret not at all', () => {
  expect(see('rm -rf $OUT', { variables: { OUT: 'build' } })).toMatchObject([
    { about: 'variable', name: 'OUT', value: 'build' },
    { about: 'deletes', paths: ['build'], files: 2 },
  ])
  expect(see('rm -rf "$OUT/"', { variables: { OUT: null } })).toMatchObject([
    { about: 'variable', name: 'OUT', value: null },
    { about: 'unknown', what: 'what rm deletes' },
  ])
  expect(see('echo $TOKEN')).toMatchObject([{ about: 'unknown', what: '$TOKEN' }])
  expect(see('dir=src; ls $dir')).toEqual([])
})

test.each([
  ['echo a > notes.txt', { path: 'notes.txt', how: 'overwritten', bytes: 5 }],
  ['echo a >> notes.txt', { path: 'notes.txt', how: 'appended', bytes: 5 }],
  ['echo a > new.txt', { path: 'new.txt', how: 'new', bytes: null }],
  ['cd build && echo a > new.txt', { path: 'new.txt', how: 'new' }],
  ['echo a > none/new.txt', { path: 'none/new.txt', how: 'no_directory' }],
  ['echo a > src', { path: 'src', how: 'no_file' }],
  ['echo a | tee -a notes.txt', { path: 'notes.txt', how: 'appended' }],
  ["cat > notes.txt <<'EOF'\nx\nEOF", { path: 'notes.txt', how: 'overwritten' }],
])('%s: the file it writes is told, and whether something is there', (line, expected) => {
  expect(see(line)).toMatchObject([{ about: 'writes', ...expected }])
})

test.each([
  ['ls | xargs rm', 'what rm deletes'],
  ['find . -name x -exec rm {} ;', 'what rm deletes'],
  ["bash -c 'rm -rf build'", 'what rm deletes'],
  ['for f in *; do rm $f; done', 'what rm deletes'],
  ['rm $(ls)', 'what rm deletes'],
  ['cd $X && rm -rf build', 'what rm deletes'],
  ['cd none && rm -rf build', 'what rm does'],
  ['rm --what build', 'what rm deletes'],
  ['git clean -fdx', 'what git clean deletes'],
  ['if true; then echo > a; fi', 'which files it writes'],
  ['env -C / rm -rf tmp', 'what rm deletes'],
])('%s: what is not known before it runs is said to be unknown', (line, what) => {
  expect(see(line).findLast(({ about }) => about === 'unknown')).toMatchObject({ what })
  expect(see(line).some(({ about }) => about === 'deletes')).toBe(false)
})

test('an everyday line has no preview', () => {
  expect(['npm test', 'git status', 'ls -la src', 'node build.mjs'].flatMap(line => see(line))).toEqual([])
})

test('git push names its commits and where they go, without asking anybody', GIT, () => {
  git('remote', 'add', 'origin', 'https://me:secret@git.invalid/a.git')
  expect(see('git push -u origin main')).toMatchObject([
    {
      about: 'pushes',
      remote: 'origin',
      address: 'https://me@git.invalid/a.git',
      branch: 'main',
      is_new: true,
      commits: 1,
    },
  ])
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  git('config', 'branch.main.remote', 'origin')
  git('config', 'branch.main.merge', 'refs/heads/main')
  commit('second')
  commit('third')
  expect(see('git push')).toMatchObject([
    {
      commits: 2,
      is_new: false,
      lost: null,
      first: [expect.stringMatching(/ third$/), expect.stringMatching(/ second$/)],
    },
  ])

  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  git('reset', '-q', '--hard', 'HEAD~2')
  expect(see('git push --force')).toMatchObject([{ commits: 0, lost: 2 }])
  expect(see('git push origin :main')).toMatchObject([{ deletes: true, branch: 'main' }])
  expect(see('git push --tags')).toMatchObject([{ about: 'unknown' }])
  expect(see('git push', { own_git: true })).toMatchObject([{ about: 'unknown' }])
})

test('a repository that would start a program is not asked, and the program does not run', GIT, () => {
  const canary = join(root, 'canary')
  const evil = join(root, 'evil.sh')
  writeFileSync(evil, `#!/bin/sh\ntouch ${canary}\n`)
  chmodSync(evil, 0o755)
  git('config', 'core.fsmonitor', evil)
  for (const line of ['git push', 'rm -rf build src', 'rm src/*']) see(line)
  expect(see('git push')).toMatchObject([{ about: 'unknown', why: expect.stringContaining('core.fsmonitor') }])
  expect(existsSync(canary)).toBe(false)
  git('config', '--unset', 'core.fsmonitor')
})

test('a directory that is too large is counted as far as the budget goes, and that is said', GIT, () => {
  mkdirSync(join(project, 'many'))
  for (let i = 0; i < 300; i += 1) writeFileSync(join(project, 'many', `f${i}`), 'x')
  expect(see('rm -rf many', {}, 100)).toMatchObject([{ about: 'deletes', at_least: true }])
  expect(see('rm -rf many')).toMatchObject([{ files: 300, at_least: false, tracked: 0 }])
})

test('a wildcard that a shell would take for an option is unknown, and so is what is deleted by it', () => {
  mkdirSync(join(project, 'odd'))
  writeFileSync(join(project, 'odd', '-rf'), '')
  expect(see('cd odd && rm *')).toMatchObject([
    { about: 'unknown', what: '*' },
    { about: 'unknown', what: 'what rm deletes' },
  ])
})

test('a named pipe is never opened, wherever the line meets it', () => {
  const pipe = join(project, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(see('echo a > pipe; rm pipe')).toMatchObject([
    { about: 'writes', how: 'no_file' },
    { about: 'deletes', files: 1 },
  ])
  rmSync(pipe)
})

test('kill names the processes that would end, and which of them are ours', () => {
  const { pid } = process
  expect(see(`kill -9 ${pid}`, { ours: [pid] })).toMatchObject([
    { about: 'signals', count: 1, processes: [{ pid, whose: 'self' }] },
  ])
  expect(see(`kill ${pid}`, { ours: [process.ppid] })).toMatchObject([{ processes: [{ pid, whose: 'started_here' }] }])
  expect(see('kill %1')).toMatchObject([{ about: 'unknown' }])
  expect(see('pkill no-such-program-here')).toMatchObject([{ about: 'signals', count: 0 }])
})
