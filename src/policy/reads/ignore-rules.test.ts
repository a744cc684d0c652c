import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { type Ignored, IgnoreRules } from './ignore-rules.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'it-ignore-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const FILES = [
  'a.log',
  'b.txt',
  'build/x.js',
  'src/build/y.js',
  'src/a.log',
  'doc/x/notes.md',
  'doc/keep.log',
  'tmp1',
  'tmp12',
  'src/deep/er/z.ts',
]

test.each([
  '*.log',
  '*.log\n!keep.log',
  'build/',
  '/build',
  'build',
  'doc/**/notes.md',
  '**/deep',
  'src/**',
  'src/*',
  'src/**\n!src/a.log',
  'tmp?',
  '# no\n\n  \nb.txt   ',
  '*\n!b.txt',
  'doc/x/',
  '/src/deep/',
])('%j ignores what git ignores', needs('git'), text => {
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  writeFileSync(join(root, '.gitignore'), text)
  execFileSync('git', ['init', '-q', root])
  const shown = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  )
  const rules = new IgnoreRules(text, [])
  const isIgnored =
    (ignored: Ignored) =>
    (file: string): boolean => {
      const names = file.split('/')
      return names.some((_, i) => rules.says(names.slice(0, i + 1), i < names.length - 1, ignored) === true)
    }
  const hidden = FILES.filter(file => !shown.includes(file))
  // A line that names nothing is no reason to be sure.
  const named = /(?:^\*|\*\*)$/m.test(text) ? [] : hidden
  expect([FILES.filter(isIgnored('maybe')), FILES.filter(isIgnored('by_name'))]).toEqual([hidden, named])
})

test.each([
  ['[x]rod.json', null, true],
  ['*.json\n![x]rod.json', false, true],
  ['*.json\n\\!x', true, true],
  [`*.json\n${'\n'.repeat(2000)}!prod.json`, false, true],
])('%j: surely %j, maybe %j', (text, surely, maybe) => {
  const rules = new IgnoreRules(text, [])
  expect([rules.says(['prod.json'], false, 'by_name'), rules.says(['prod.json'], false, 'maybe')]).toEqual([
    surely,
    maybe,
  ])
})
