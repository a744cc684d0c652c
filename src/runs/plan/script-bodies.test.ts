import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makePlan } from './plan.ts'
import { changesOf } from './plan-changes.ts'
import { scriptBodies } from './script-bodies.ts'

const root = mkdtempSync(join(tmpdir(), 'it-stands-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
mkdirSync(join(root, 'sub/deep'), { recursive: true })
writeFileSync(join(root, 'x.sh'), 'echo from x\n')
writeFileSync(join(root, 'x.py'), 'print(1)\n')
writeFileSync(join(root, '-c'), 'echo sly\n')
writeFileSync(
  join(root, 'package.json'),
  JSON.stringify({ scripts: { prebuild: 'one', build: 'two', test: 'three', postinstall: 'four', dev: 'five' } }),
)
writeFileSync(
  join(root, 'Makefile'),
  'CC = gcc\nall: build\n\nbuild: dep other.o\n\techo build \\\n\t  more\n\ndep:\n\techo dep\n\ninstall: ; cp a b\n',
)

const seen = (line: string, cwd = root) =>
  scriptBodies([line.split(' ')], cwd).map(({ kind, name, text }) => [kind, name, text])

test.each([
  ['bash x.sh', [['script', 'x.sh', 'echo from x\n']]],
  ['bash -eu -o pipefail x.sh now', [['script', 'x.sh', 'echo from x\n']]],
  ['sudo env A=1 timeout 5s bash ./x.sh', [['script', './x.sh', 'echo from x\n']]],
  ['./x.sh', [['script', './x.sh', 'echo from x\n']]],
  ['source x.sh', [['script', 'x.sh', 'echo from x\n']]],
  ['bash -- -c', [['script', '-c', 'echo sly\n']]],
  ['python3.11 -X utf8 x.py a', [['script', 'x.py', 'print(1)\n']]],
  ['bash -c x.sh', []],
  ['python3 -m http.server', []],
  ['bash missing.sh', []],
  ['/bin/ls', []],
  [
    'npm run build',
    [
      ['package_script', 'prebuild', 'one'],
      ['package_script', 'build', 'two'],
    ],
  ],
  ['npm t', [['package_script', 'test', 'three']]],
  ['npm install left-pad', [['package_script', 'postinstall', 'four']]],
  ['pnpm dev', [['package_script', 'dev', 'five']]],
  ['yarn --cwd . dev', [['package_script', 'dev', 'five']]],
  ['npm --version', []],
  [
    'make',
    [
      ['make_target', 'all', 'all: build'],
      ['make_target', 'build', 'build: dep other.o\n\techo build \\\n\t  more'],
      ['make_target', 'dep', 'dep:\n\techo dep'],
    ],
  ],
  ['make -j4 install CC=clang', [['make_target', 'install', 'install: ; cp a b']]],
])('%s stands for what the file says', (line, expected) => {
  expect(seen(line)).toEqual(expected)
})

test('npm looks for the package in the directories above, and so do we', () => {
  expect(seen('npm run dev', join(root, 'sub/deep'))).toEqual([['package_script', 'dev', 'five']])
  expect(seen('make -C ../.. dep', join(root, 'sub/deep'))).toEqual([['make_target', 'dep', 'dep:\n\techo dep']])
})

test('a line that goes elsewhere first is followed there', () => {
  writeFileSync(join(root, 'sub/z.sh'), 'echo z\n')
  const lines = [
    ['cd', 'sub'],
    ['bash', 'z.sh'],
    ['bash', 'x.sh'],
  ]
  expect(scriptBodies(lines, root).map(({ text }) => text)).toEqual(['echo z\n', 'echo from x\n'])
})

test('padding does not hide a script: its start is shown and how much is missing', () => {
  writeFileSync(join(root, 'long.sh'), `echo start\n${'#'.repeat(100_000)}\n`)
  const [item] = scriptBodies([['sh', 'long.sh']], root)
  expect([item?.text.slice(0, 11), item?.omitted_bytes]).toEqual(['echo start\n', 100_012 - 65_536])
  writeFileSync(join(root, 'huge.sh'), Buffer.alloc(17 * 1024 * 1024, '#'))
  expect(scriptBodies([['sh', 'huge.sh']], root)).toMatchObject([{ omitted_bytes: 17 * 1024 * 1024 }])
})

test('a byte of zero does not hide a script: bash would run it', () => {
  writeFileSync(join(root, 'zero.sh'), '#!/bin/bash\n# \0\necho run\n')
  expect(seen('./zero.sh')).toEqual([['script', './zero.sh', '#!/bin/bash\n# \0\necho run\n']])
})

test('the plan covers the text: another one is another plan, and is noticed', () => {
  const what = { command: 'x', argv: ['x'], cwd: root, env: {}, program: '/bin/sh', commands: [['sh', 'y.sh']] }
  writeFileSync(join(root, 'y.sh'), 'echo 1\n')
  const plan = makePlan(what)
  expect(changesOf(plan)).toEqual([])
  writeFileSync(join(root, 'y.sh'), 'echo 2\n')
  expect([changesOf(plan).length, makePlan(what).hash === plan.hash]).toEqual([1, false])
})
