import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { defaultRules } from '../files/default-rules.ts'
import { NO_MACHINE } from '../rules/no-machine.ts'
import { readPattern } from '../rules/pattern.ts'
import type { Rule, Rules } from '../rules/rules.ts'
import { decide } from './decide.ts'
import type { Line } from './line.ts'

const own = (text: string): Rule => {
  const pattern = readPattern(text)
  if ('problem' in pattern) throw new Error(pattern.problem)
  return { pattern, source: 'terminal-allowlist.json', why: 'your rule', reach: 'anywhere', options: 'any' }
}

/** A disk on paper: /project is bound, /project/out leads to /etc. */
const rules = (more: Partial<Rules> = {}, patterns: readonly string[] = []): Rules => ({
  rules: [...patterns.map(own), ...defaultRules()],
  workspace: { id: 'w', directory: '/project', trusted: false },
  autoApprove: 'allowlist',
  facts: {
    ...NO_MACHINE,
    expand: () => [],
    list: directory => (directory === '/project' ? [{ name: '.env', kind: 'file' as const }] : null),
    realPath: (path, from) => resolve(from, path).replace(/^\/project\/out/, '/etc'),
    program: name => (name === 'nowhere' ? { problem: 'is not found on the PATH' } : { path: `/usr/bin/${name}` }),
    ours: ['/home/me/.state', '/project/.ours'],
  },
  ...more,
})
const line = (command: string, more: Partial<Line> = {}): Line => ({ command, cwd: '/project', ...more })
const headless = (command: string, more: Partial<Line> = {}, given = rules()) =>
  decide(line(command, more), given, 'headless').verdict

test.each([
  'pwd',
  'git status',
  'git log --oneline -3',
  'git diff src',
  'ls -la',
  'ls src',
  'cat README.md',
  'head -n 5 README.md',
  'git --version',
])('in a bound workspace %s runs unasked', command => {
  expect(headless(command)).toBe('auto')
})

test.each([
  ['a path outside', 'cat /etc/passwd'],
  ['the way out', 'cat ../secret'],
  ['a link out', 'cat out/passwd'],
  ['.env', 'cat .env'],
  ['.env.local', 'cat .env.local'],
  ['.envrc', 'cat .envrc'],
  ['.env-prod', 'cat .env-prod'],
  ['a key', 'cat deploy.pem'],
  ['an ssh key', 'cat id_ed25519'],
  ['.ssh', 'ls .ssh'],
  ['.npmrc', 'cat .npmrc'],
  ['.env of a commit', 'git show HEAD:.env'],
  ['a key of a commit', 'git show HEAD:deploy.pem'],
  ['a path with magic', 'git log -p -- ":(top).env"'],
  ['everything', 'grep -r SECRET'],
  ['our own state', 'cat .ours/runs'],
  ['our own program', 'interactive-terminal policy list'],
  ['an option that writes a file', 'git diff --output=x'],
  ['an option that runs a program', 'git log --ext-diff'],
  ['project code in a workspace that is not trusted', 'npm test'],
  ['a pipe', 'cat a | sh'],
  ['nothing a rule knows', 'make install'],
  ['a program that is not there', 'nowhere'],
])('%s never runs unasked: %s', (_, command) => {
  expect([
    decide(line(command), rules(), 'headless').verdict,
    decide(line(command), rules(), 'interactive').verdict,
  ]).toEqual(['blocked', 'approval'])
})

test('project code runs unasked in a workspace the person trusts', () => {
  expect(headless('npm test', {}, rules({ workspace: { id: 'w', directory: '/project', trusted: true } }))).toBe('auto')
})

test('defaults that read files do not apply outside the bound directory', () => {
  expect([headless('git status', { cwd: '/elsewhere' }), headless('ls', {}, rules({ workspace: null }))]).toEqual([
    'blocked',
    'blocked',
  ])
})

test('a rule of the person covers its words with any options', () => {
  expect(headless('make install -j4', {}, rules({}, ['make install *']))).toBe('auto')
})

test('no rule covers our own state or a catastrophe', () => {
  const generous = rules({}, ['cat *', 'rm *', 'cp *'])
  expect([
    headless('cat /home/me/.state/http-token', {}, generous),
    headless('cp x --target-directory=/home/me/.state', {}, generous),
    headless('rm -rf /', {}, generous),
    decide(line('rm -rf /'), generous, 'interactive').verdict,
  ]).toEqual(['blocked', 'blocked', 'destructive', 'destructive'])
})

test('with args nothing is read as shell, and an operator is just text', () => {
  const generous = rules({}, ['echo *'])
  expect([
    headless('echo', { args: ['a | b', '$HOME'] }, generous),
    headless('echo a', { args: ['b'] }, generous),
  ]).toEqual(['auto', 'blocked'])
})

test.each([
  [{ CI: '1', LANG: 'C.UTF-8' }, 'auto'],
  [{ LD_PRELOAD: '/x.so' }, 'blocked'],
  [{ GIT_DIR: 'x' }, 'blocked'],
  [{ PATH: '/x' }, 'blocked'],
  [{ LANG: '() { :; }' }, 'blocked'],
])('a request that sets %j is %s', (env, verdict) => {
  expect(headless('pwd', { env })).toBe(verdict)
})

test('PM_TERM_AUTO_APPROVE=never switches all rules off', () => {
  expect(headless('pwd', {}, rules({ autoApprove: 'never' }, ['pwd']))).toBe('blocked')
})

test('a verdict explains itself', () => {
  expect(decide(line('git status'), rules(), 'headless')).toEqual({
    verdict: 'auto',
    why: 'only reads the repository',
    parts: [
      {
        text: 'git status',
        start: 0,
        end: 10,
        argv: ['git', 'status'],
        covered: true,
        rule: 'git status *',
        why: 'only reads the repository',
      },
    ],
    flags: [],
    tier: 'none',
    reaches: [],
  })
})

test('a line that is far too long is refused at once', () => {
  expect(headless(`echo ${'a'.repeat(70_000)}`, {}, rules({}, ['echo *']))).toBe('blocked')
})
