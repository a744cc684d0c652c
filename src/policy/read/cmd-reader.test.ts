import { expect, test } from 'vitest'
import { readCmd } from './cmd-reader.ts'

test.each([
  ['git status', ['git', 'status']],
  ['  dir  /b src ', ['dir', '/b', 'src']],
  ['type "my file.txt"', ['type', 'my file.txt']],
  ['npm.exe run build', ['npm.exe', 'run', 'build']],
])('reads %j', (line, argv) => {
  expect(readCmd(line)).toMatchObject({ commands: [{ argv }] })
})

test.each([
  'git status & calc',
  'git status | more',
  'dir > x',
  'echo %PATH%',
  'echo "%PATH%"',
  'echo !x!',
  'git^ status',
  'git status\ncalc',
  'git status\r',
  '(dir)',
  'git log "a\\" --x',
  'git log a"b c"d',
  'git log "a',
  'git log ""',
  'git\tstatus',
  'dir,x',
  'echo.x',
  'cd\\x',
  'dir/s',
  '@dir',
  '.\\x',
  'if x',
  'call x',
  'set x=y',
  'git log a;b',
  'type \\\\evil.test\\x',
  'git log \u201ca\u201d',
  '',
])('gives up on %j', line => {
  expect(readCmd(line)).toHaveProperty('gaveUp')
})

test('what a line would run is still seen, for the destructive rules', () => {
  const reading = readCmd('dir & @r^d /s /q "C:\\" || (format C:)')
  expect('seen' in reading && reading.seen.map(command => command.argv)).toEqual([
    ['dir'],
    ['rd', '/s', '/q', 'C:\\'],
    ['format', 'C:'],
  ])
})
