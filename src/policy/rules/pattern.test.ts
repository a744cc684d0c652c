import { expect, test } from 'vitest'
import { matches, readPattern } from './pattern.ts'

const covers = (text: string, ...argv: string[]) => {
  const pattern = readPattern(text)
  if ('problem' in pattern) throw new Error(pattern.problem)
  return matches(pattern, argv)
}

test.each([
  ['ls', ['ls'], true],
  ['ls', ['lsof'], false],
  ['ls', ['ls', '-l'], false],
  ['ls', ['./ls'], false],
  ['ls *', ['ls'], true],
  ['ls *', ['ls', '-l', 'x y'], true],
  ['ls *', ['lsof', '-i'], false],
  ['git status', ['git', 'stash'], false],
  ['git log *', ['git', 'log', '-3'], true],
  ['git log *', ['git', 'logs'], false],
  ['git log *', ['git'], false],
  ['npm run build', ['npm', 'run', 'build', '--', '-x'], false],
  ["echo 'a b'", ['echo', 'a b'], true],
  ["echo 'a b'", ['echo', 'a', 'b'], false],
  ["echo '*'", ['echo', 'x'], false],
])('%j covers %j: %s', (pattern, argv, expected) => {
  expect(covers(pattern, ...argv)).toBe(expected)
})

test.each(['', '  ', '*', ' * ', 'a | b', 'a $b', 'a * b', 'a*', '~/x', 'A=1 b', 'a > f'])('%j is no pattern', text => {
  expect(readPattern(text)).toHaveProperty('problem')
})
