import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBash } from '../../policy/read/bash-reader.ts'
import { expandGlobs } from './expand-globs.ts'

let place = ''
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'globs-'))
  for (const directory of ['src/deep', 'lib', '.hidden', 'empty', 'options'])
    mkdirSync(join(place, directory), { recursive: true })
  for (const file of [
    ...[
      'a.txt',
      'b.txt',
      'B.txt',
      'c.md',
      'x-y',
      'a b.txt',
      '[ab].txt',
      'a*b',
      'é.txt',
      '.env',
      '.hidden/x.txt',
      'a{1}b',
    ],
    ...['src/one.ts', 'src/two.ts', 'src/.secret.ts', 'src/deep/three.ts', 'lib/one.ts', '1', '2', '10', 'options/-rf'],
  ])
    writeFileSync(join(place, file), '')
  symlinkSync('nowhere', join(place, 'dangling.txt'))
  symlinkSync('src', join(place, 'link'))
  symlinkSync('circle', join(place, 'circle'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** What bash makes of the same words. */
const inBash = (words: string): string[] =>
  execFileSync('bash', ['--norc', '--noprofile', '-c', `printf '%s\\0' ${words}`], {
    cwd: place,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)

const expanded = (words: string): string[] | undefined => {
  const found = expandGlobs(`ls ${words}`, place)
  if (found && 'problem' in found) throw new Error(found.problem)
  return found?.argv.slice(1)
}

describe('a wildcard stands for what bash would put there', () => {
  test.each([
    ...['*.txt', '*', '?.txt', '??', '[ab].txt', '[!a].txt', '[a-c].*', '[]a].txt', '[a-]*', '[-a]*'],
    ...['src/*.ts', '*/*.ts', '*/one.ts', 'src/*', './*.txt', './src/*.ts', '../*/a.txt', 'link/*.ts', 'circle/*'],
    ...['*/', 'src/*/', '*/deep', 'sr?/deep/*', '**', '**/one.ts', '.h*/*', '.e*', 'src/.s*', 'empty/*', 'gone/*'],
    ...['*.none', '[z].txt', 'x[/]y', "'a*'*", '"a "*'],
    ...['*.txt c.md *.ts', 'plain *.md', 'dang*', '*é*', '?[0]', '*-*', '***a*t*'],
  ])('%s', words => {
    expect(expanded(words)).toEqual(inBash(words))
  })
})

test('an absolute path is expanded as well', () => {
  expect(expanded(`${place}/src/*.ts`)).toEqual(inBash(`${place}/src/*.ts`))
})

test.each(['plain', '"*.txt"', "'?'", '-l src', '"*".txt', '\\*.txt', 'a\\*b', '"["ab].txt'])(
  '%s has nothing to expand',
  words => {
    expect(expandGlobs(`ls ${words}`, place)).toBe(null)
  },
)

test.each([
  ['.*', 'shells differ on whether it stands for . and .. as well'],
  ['.?', 'shells differ on whether it stands for . and .. as well'],
  ['[[:alpha:]].txt', 'it has a class of characters'],
  ['[z-a].txt', 'it has an unusual range'],
  ['[^a].txt', 'shells differ on what [^ stands for'],
  ['src//*.ts', 'it has an empty name between two slashes'],
])('%s is a problem: %s', (words, problem) => {
  expect(expandGlobs(`ls ${words}`, place)).toEqual({
    problem: `${words} cannot be expanded as a shell would: ${problem}`,
  })
})

test.each(['[ab', 'a[', '[a"-"c].txt', 'a{1}*', '{a,{b,c}}*', '~/*', '$x*'])(
  '%s is not even read, and so refused',
  words => {
    expect(readBash(`ls ${words}`, 'bash')).toHaveProperty('gaveUp')
  },
)

test('a file whose name looks like an option never becomes one', () => {
  expect(expandGlobs('ls *', join(place, 'options'))).toEqual({
    problem: '* cannot be expanded as a shell would: the file -rf looks like an option',
  })
  expect(expandGlobs('ls ./*', join(place, 'options'))).toEqual({ argv: ['ls', './-rf'] })
})

test('a wildcard made to take long does not', () => {
  writeFileSync(join(place, 'empty', 'a'.repeat(250)), '')
  const began = performance.now()
  expect(expandGlobs(`ls empty/${'*a'.repeat(120)}*b`, place)).toEqual({ argv: ['ls', `empty/${'*a'.repeat(120)}*b`] })
  expect(performance.now() - began).toBeLessThan(10_000)
  rmSync(join(place, 'empty', 'a'.repeat(250)))
})
