import { expect, test } from 'vitest'
import { exitMeaning } from './exit-meaning.ts'

const inBash = (command: string, code: number) =>
  exitMeaning({ command, args: null, cwd: '/work', shell: 'bash' }, code)
const headless = (command: string, code: number) =>
  exitMeaning({ command, args: null, cwd: '/work', shell: null }, code)

test.each([
  ['grep -n TODO src/a.ts', 1, 'no line matched'],
  ['cat a.log | grep -c error', 1, 'no line matched'],
  ['grep -nv x a.log', 1, 'no line was selected'],
  ['cd src; rg TODO', 1, 'no line matched'],
  ['make || grep x log', 1, 'no line matched'],
  ['diff a b', 1, 'there are differences'],
  ['git diff --exit-code', 1, 'there are differences'],
  ['git -C sub diff --quiet', 1, 'there are differences'],
  ['git push origin main', 128, 'git gave up with a fatal error'],
  ['[ -f missing ]', 1, 'the condition is false'],
  ['curl -fsS http://localhost:1/', 7, 'no connection to the host'],
  ['curl -f http://localhost/x', 22, 'the server answered with an HTTP error (400 or above)'],
  ['timeout 5 sleep 60', 124, 'the time was up'],
  ['timeout 5 grep x f', 1, 'no line matched'],
  ['pytest -q', 5, 'no tests were found'],
  ['python3 -m pytest tests', 1, 'some tests failed'],
  ['/usr/bin/ssh box uptime', 255, expect.stringContaining('ssh itself failed')],
  ['rsync -a a/ box:b', 23, 'some files were not transferred'],
  ['gitt status', 127, 'the command was not found'],
  ['./script.sh', 126, 'the command was found but could not be run'],
  ['node server.js', 137, '128 + 9: what a shell says of a command that SIGKILL ended'],
])('an agent reads what it means that `%s` ended with %i', (command, code, meaning) => {
  expect(inBash(command, code)).toEqual(meaning)
})

test.each([
  ['npm test && grep x log', 1, 'the first may have failed'],
  ['grep x f', 3, 'grep has no such code'],
  ['node server.js', 1, 'every program has its own'],
  ['if true; then grep x f; fi', 1, 'the line is not read'],
  ['grep -L x f', 1, 'versions of grep disagree'],
  ['git commit -m diff', 1, 'it is another command of git'],
])('nothing is guessed about `%s` that ended with %i: %s', (command, code) => {
  expect(inBash(command, code)).toBeNull()
})

test('without a shell between, 127 and 137 are what the program says itself', () => {
  expect([headless('node server.js', 127), headless('node server.js', 137)]).toEqual([null, null])
})

test('words given one by one are not read as a shell line', () => {
  const line = { command: 'grep', args: ['a && b', 'f'], cwd: '/work', shell: null }
  expect(exitMeaning(line, 1)).toBe('no line matched')
})

test('success needs no meaning', () => {
  expect(inBash('grep x f', 0)).toBeNull()
})
