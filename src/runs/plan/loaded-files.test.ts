import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadedFiles } from './loaded-files.ts'
import { scriptBodies } from './script-bodies.ts'

const root = mkdtempSync(join(tmpdir(), 'it-loads-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FILES: Readonly<Record<string, string>> = {
  'build.sh': 'source lib.sh\n. ./env.sh "$@"\nsource "$DIR/beside.sh"\nbash tools/more.sh\nsource $OTHER\n',
  'lib.sh': 'source deep.sh\n',
  'deep.sh': 'echo deep\n',
  'env.sh': 'A=1\n',
  'beside.sh': 'B=1\n',
  'tools/more.sh': 'echo more\n',
  'app.mjs':
    "import fs from 'node:fs'\nimport x from './part.js'\nconst y = require('./old')\nawait import('./late.mjs')\n",
  'part.ts': 'export default 1\n',
  'old.js': '',
  'late.mjs': "export * from './part.js'\n",
  'pre.js': '',
  'main.py': 'import os, helper\nfrom pkg.mod import f\nfrom . import near\n',
  'helper.py': '',
  'near.py': '',
  'pkg/mod.py': '',
  'tool.rb': "require_relative 'part_of_it'\nrequire 'json'\n",
  'part_of_it.rb': '',
  'package.json': JSON.stringify({ scripts: { build: 'node app.mjs && sh lib.sh' } }),
  Makefile: 'include rules.mk\nall:\n\tsh build.sh\n',
  'rules.mk': '',
}
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

const loads = (line: string) => {
  const commands = [line.split(' ')]
  return loadedFiles(commands, scriptBodies(commands, root), root).map(({ name, path, by }) => [
    path === null ? `${name}?` : path.slice(root.length + 1),
    by,
  ])
}

test.each([
  [
    'D3: bash build.sh',
    [
      ['lib.sh', 'build.sh'],
      ['env.sh', 'build.sh'],
      ['beside.sh', 'build.sh'],
      ['tools/more.sh', 'build.sh'],
      ['$OTHER?', 'build.sh'],
      ['deep.sh', 'lib.sh'],
    ],
  ],
  [
    'D7: node app.mjs',
    [
      ['part.ts', 'app.mjs'],
      ['old.js', 'app.mjs'],
      ['late.mjs', 'app.mjs'],
    ],
  ],
  ['D8: node -r ./pre.js', [['pre.js', 'node']]],
  [
    'D8: node --import=./pre.js --require ts-node/register',
    [
      ['pre.js', 'node'],
      ['ts-node/register?', 'node'],
    ],
  ],
  [
    'python3 main.py',
    [
      ['helper.py', 'main.py'],
      ['pkg/mod.py', 'main.py'],
      ['near.py', 'main.py'],
    ],
  ],
  ['python3 -m helper', [['helper.py', 'python3']]],
  ['ruby tool.rb', [['part_of_it.rb', 'tool.rb']]],
  ['bash deep.sh', []],
])('%s', (line, expected) => {
  expect(loads(line.replace(/^D\d: /, ''))).toEqual(expected)
})

test('a program that a project brings is named: it comes before any other', () => {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules/.bin/vitest'), '')
  expect(loads('npx vitest run')).toEqual([['node_modules/.bin/vitest', 'npx']])
})

test('of more scripts than a card shows, the others are named', () => {
  const names = Array.from({ length: 20 }, (_, i) => `s${i}.sh`)
  for (const name of names) writeFileSync(join(root, name), 'echo\n')
  const commands = names.map(name => ['sh', name])
  const shown = scriptBodies(commands, root)
  const found = loadedFiles(commands, shown, root)
  expect([shown.length, found.map(({ name, by }) => `${name} ${by}`)]).toEqual([
    16,
    ['s16.sh the line', 's17.sh the line', 's18.sh the line', 's19.sh the line'],
  ])
})

test('hooks that git would start are named where it starts them', () => {
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(root, '.git/hooks/pre-push.sample'), '#!/bin/sh\n', { mode: 0o755 })
  expect([loads('git commit -m x'), loads('git status')]).toEqual([[['.git/hooks/pre-commit', 'git']], []])
})

test('what a package script and a make target run is named, too', () => {
  expect(loads('npm run build').map(([file]) => file)).toEqual([
    'app.mjs',
    'lib.sh',
    'part.ts',
    'old.js',
    'late.mjs',
    'deep.sh',
  ])
  expect(loads('make').map(([file]) => file)).toContain('build.sh')
})
