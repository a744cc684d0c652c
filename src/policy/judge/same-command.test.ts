import { expect, test } from 'vitest'
import { isSameCommand, plainReading } from './same-command.ts'

const facts = {
  program: (name: string) =>
    name === 'ghost' ? { problem: 'is not found on the PATH' } : { path: `/usr/bin/${name}` },
  // As on most systems now.
  realPath: (path: string) => path.replace(/^\/bin\//, '/usr/bin/'),
  home: '/home/ada',
}
const read = (command: string, more: { cwd?: string; args?: string[]; env?: Record<string, string> } = {}) =>
  plainReading({ command, cwd: '/w/app', ...more }, facts)
const isSame = (declined: string, asked: string, more = {}) => isSameCommand(read(declined), read(asked, more))

test.each([
  ['npm publish', 'npm publish'],
  ['npm publish', 'npm  "publish"'],
  ['npm publish', "'npm' pub'lish'"],
  ['npm publish', 'env npm publish'],
  ['npm publish', 'command npm publish'],
  ['npm publish', 'nohup npm publish'],
  ['npm publish', 'timeout 60 npm publish'],
  ['npm publish', '\\npm publish'],
  ['npm publish', 'npm publish # now'],
  ['npm publish', '(npm publish)'],
  ['npm publish', 'npm publish &'],
  ['npm publish', 'npm publish > out.txt 2>&1'],
  ['npm publish', 'if true; then npm publish; fi'],
  ['npm publish', '/usr/bin/npm publish'],
  ['npm publish', '/bin/npm publish'],
  ['npm publish', "sh -c 'npm publish'"],
  ['npm publish', 'bash -lc "npm publish"'],
  ['npm publish', `bash -c "sh -c 'npm publish'"`],
  ['npm publish', "eval 'npm publish'"],
  ['npm publish', `env bash -c "command npm publish"`],
  ["sh -c 'npm publish'", 'npm publish'],
  ['/usr/bin/npm publish', 'npm publish'],
  ['ghost go', '/opt/ghost go'],
  ['rm x', 'rm ./x'],
  ['rm ./x', 'rm x'],
  ['rm x', 'rm /w/app/x'],
  ['rm a/b', 'rm a/../a/b/'],
  ['cp x y', 'cp ../app/x ./y'],
  ['make --file=./x', 'make --file=x'],
  ['./deploy', '/w/app/deploy'],
  ['CI=1 npm publish', 'env CI=1 npm publish'],
  ['DRY_RUN=1 ./deploy', `env DRY_RUN=1 sh -c './deploy'`],
  ["A='x y' ./deploy", 'A="x y" ./deploy'],
  ['npm publish', 'A=1 true && npm publish'],
  ['npm publish', 'cd /w/app && npm publish'],
  ['npm publish', 'cd sub && npm publish'],
  ['rm x', 'cd sub && rm ../x'],
  ['npm publish', 'npm publish 2>&1 | tail -5'],
  ['npm publish', 'echo hi && npm publish'],
  ['npm publish', 'npm publish || true'],
  ['git add . && git push', 'git status; git add . && git push'],
  ['echo "$(date)" > x', 'echo "$(date)" > x'],
  ['echo "$(date)" > x', `sh -c 'echo "$(date)" > x'`],
])('%s is the same as %s', (declined, asked) => {
  expect(isSame(declined, asked)).toBe(true)
})

test.each([
  ['npm publish', 'npm publish --dry-run'],
  ['npm publish', 'npm pack'],
  ['npm publish', 'echo npm publish'],
  ['npm publish', 'npm "publish x"'],
  ['npm publish', 'yarn publish'],
  ['npm publish', './npm publish'],
  ['npm publish', 'DRY_RUN=1 npm publish'],
  ['DRY_RUN=1 ./deploy', './deploy'],
  ['rm x', 'rm y'],
  ['rm x', 'cd sub && rm ../y'],
  ['rm *', "rm '*'"],
  ['git add . && git push', 'git add . ; git push'],
  ['git add . && git push', 'git push && git add .'],
  ['git add . && git push', 'git push'],
  ['make --file=x', 'make --file x'],
  ['echo "$(date)" > x', 'echo "$(date)" > y'],
  ['echo "$(npm publish)"', 'echo "$(npm pack)"'],
])('%s is another command than %s', (declined, asked) => {
  expect(isSame(declined, asked)).toBe(false)
})

test('words that were passed apart are the same words; an operator among them is none', () => {
  expect(isSame('npm publish', 'npm', { args: ['publish'] })).toBe(true)
  expect(isSame('npm publish', 'npm', { args: ['publish', ';', 'true'] })).toBe(false)
})

test('a variable that the request sets is one like any other', () => {
  expect(isSame('CI=1 npm publish', 'npm publish', { env: { CI: '1' } })).toBe(true)
  expect(isSame('npm publish', 'npm publish', { env: { CI: '1' } })).toBe(false)
  expect(isSame('echo "$(date)"', 'echo "$(date)"', { env: { TZ: 'UTC' } })).toBe(false)
})

test('what could only be made out in part is found by what could', () => {
  expect(isSame('npm publish', 'npm publish "$(date)"')).toBe(false)
  expect(isSame('npm publish', 'for i in 1 2; do npm publish; done')).toBe(true)
})

test('a nest of shells ends', () => {
  let nest = 'npm publish'
  for (let i = 0; i < 8; i++) nest = `sh -c '${nest.replaceAll("'", `'\\''`)}'`
  expect(isSame('npm pack', nest)).toBe(false)
})
