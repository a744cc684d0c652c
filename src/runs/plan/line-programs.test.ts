import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { roughScan } from '../../policy/destructive/rough-scan.ts'
import { linePrograms } from './line-programs.ts'
import { namesOn, shadowsSince } from './path-shadows.ts'

const root = mkdtempSync(join(tmpdir(), 'it-programs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function program(path: string): void {
  const file = join(root, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, 0o755)
}
for (const path of ['bin/wget', 'bin/sudo', 'bin/find', 'bin/rm', 'bin/env', 'bin/python', 'work/run.sh', 'work/sub/x'])
  program(path)
program('home/bin/own')

const search = {
  path: join(root, 'bin'),
  cwd: join(root, 'work'),
  home: join(root, 'home'),
  shell: 'bash' as const,
  platform: process.platform,
}
const seen = (line: string) => {
  const { shown, foundWhenRun } = linePrograms(line, [roughScan(line).map(({ argv }) => argv)], search)
  return { shown: shown.map(path => path.slice(root.length + 1)), later: foundWhenRun }
}

test.each([
  ['wget x', ['bin/wget'], []],
  ['wget "$USER"', ['bin/wget'], []],
  ['echo hi && wget x | rm y', ['bin/wget', 'bin/rm'], []],
  ['sudo -u root wget x', ['bin/sudo', 'bin/wget'], []],
  ['X=1 env A=2 wget x', ['bin/env', 'bin/wget'], []],
  ['find . -exec rm {} \\;', ['bin/find', 'bin/rm'], []],
  ['if wget x; then rm y; fi', ['bin/wget', 'bin/rm'], []],
  ['echo $(wget x) `rm y`', ['bin/wget', 'bin/rm'], []],
  ['$TOOL x', [], ['$TOOL']],
  ['sudo $TOOL x', ['bin/sudo'], ['$TOOL']],
  ['newtool x', [], ['newtool']],
  ['./missing', [], ['./missing']],
  ['./run.sh', ['work/run.sh'], []],
  ['cd sub && ./x', ['work/sub/x'], []],
  ['cd "$D" && ./x', [], ['./x']],
  ['~/bin/own', ['home/bin/own'], []],
  ['$HOME/bin/own', ['home/bin/own'], []],
  ['PATH=/evil:$PATH wget x', [], ['wget']],
  ['export PATH=/evil; wget x', [], ['wget']],
  ['echo $PATH; wget x', ['bin/wget'], []],
  ['. venv/bin/activate && python x.py', [], ['python']],
  ['f() { wget x; }; f', ['bin/wget'], []],
])('%s', (line, shown, later) => {
  expect(seen(line)).toEqual({ shown, later })
})

test('names that a shell in the line looks for itself are watched as well', () => {
  const { words, pins } = linePrograms('bash -c "cd /; wget x"', [[['bash', '-c', 'cd /; wget x']]], search)
  expect([words.includes('wget'), pins]).toEqual([true, [['wget', join(root, 'bin/wget')]]])
})

test('no filling in front of a program pushes it out of what is pinned', () => {
  const filling = Array.from({ length: 1000 }, (_, i) => `f${i}`)
  const { pins, shown } = linePrograms(
    `: ${filling.join(' ')}; wget x`,
    [
      [
        [':', ...filling],
        ['wget', 'x'],
      ],
    ],
    search,
  )
  expect([pins, shown]).toEqual([[['wget', join(root, 'bin/wget')]], [join(root, 'bin/wget')]])
})

test.each([
  ['cd sub && make', ['work/sub']],
  ['cd sub; cd deeper; ls', ['work/sub', 'work/sub/deeper']],
  ['make -C sub all', ['work/sub']],
  ['npm --prefix=sub test', ['work/sub']],
  ['cd && ls', ['home']],
  ['cd "$X" && cd y', []],
])('%s goes to these directories', (line, expected) => {
  const { visits } = linePrograms(line, [roughScan(line).map(({ argv }) => argv)], search)
  expect(visits.map(path => path.slice(root.length + 1))).toEqual(expected)
})

test('a directory of the PATH that is not absolute is below the one where the line runs', () => {
  program('work/rel/odd')
  const { shown } = linePrograms('odd', [[['odd']]], { ...search, path: `rel:${search.path}` })
  expect(shown).toEqual([join(root, 'work/rel/odd')])
})

test('a program put in front of another of its name is noticed, a new one and a removed one are not', () => {
  mkdirSync(join(root, 'front'))
  const both = { ...search, path: `${join(root, 'front')}:${search.path}` }
  const before = namesOn(both)
  program('front/quite-new')
  expect(shadowsSince(before, both)).toEqual([])
  program('front/wget')
  expect(shadowsSince(before, both).map(({ says }) => says)).toEqual([
    `${join(root, 'front/wget')} was put in front of ${join(root, 'bin/wget')}.`,
  ])
})
