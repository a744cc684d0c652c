import { expect, test } from 'vitest'
import { shortPatterns } from './short-patterns.ts'

const of = (pattern: string, why: string, active = true, source = 'default') => ({ pattern, source, active, why })

test('the rules of a person are listed one by one, the defaults by what they do', () => {
  const listed = shortPatterns([
    of('make check', 'a rule', true, 'terminal-allowlist.json'),
    of('make build', 'a rule', true, 'terminal-allowlist.json'),
    of('npm --version', 'prints a version'),
    of('git --version', 'prints a version'),
    of('pwd', 'prints the current directory'),
  ])
  expect(listed).toEqual([
    of('make check', 'a rule', true, 'terminal-allowlist.json'),
    of('make build', 'a rule', true, 'terminal-allowlist.json'),
    { ...of('npm --version', 'prints a version'), also: ['git --version'] },
    of('pwd', 'prints the current directory'),
  ])
})

test('a pattern that covers more stands before the others', () => {
  const [listed] = shortPatterns([of('make -n', 'builds'), of('make test *', 'builds')])
  expect(listed).toMatchObject({ pattern: 'make test *', also: ['make -n'] })
})

test('defaults that do not apply are counted, and a few of each kind are named', () => {
  const listed = shortPatterns([1, 2, 3, 4, 5].map(i => of(`make t${i}`, 'builds', false)))
  expect(listed).toEqual([{ ...of('make t1', 'builds', false), also: ['make t2', 'make t3'], more: 2 }])
})
