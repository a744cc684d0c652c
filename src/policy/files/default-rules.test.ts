import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { decide } from '../judge/decide.ts'
import { NO_MACHINE } from '../rules/no-machine.ts'
import type { Rules, Workspace } from '../rules/rules.ts'
import { modelFor } from '../tools/tool-models.ts'
import { DEFAULT_ROWS, defaultRules } from './default-rules.ts'
import { brokenExample } from './rule-examples.ts'

const WORKSPACE: Workspace = { id: 'w', directory: '/w/app', trusted: false }
const links: Record<string, string> = { '/w/app/link': '/etc/passwd' }
const rules = (workspace: Workspace | null): Rules => ({
  rules: defaultRules(),
  workspace,
  autoApprove: 'allowlist',
  facts: {
    ...NO_MACHINE,
    expand: () => [],
    list: directory =>
      ({
        '/w/app': [
          { name: '.env', kind: 'file' as const },
          { name: 'src', kind: 'directory' as const },
        ],
        '/w/app/src': [{ name: 'a.ts', kind: 'file' as const }],
      })[directory] ?? null,
    realPath: (path, from) => links[resolve(from, path)] ?? resolve(from, path),
    program: name => ({ path: `/usr/bin/${name}` }),
    ours: ['/w/app/.state'],
  },
})
const verdict = (command: string, workspace: Workspace | null = WORKSPACE, cwd = '/w/app') =>
  decide({ command, cwd }, rules(workspace), 'interactive').verdict

test('every default keeps its own examples', () => {
  const loaded = defaultRules()
  const broken = DEFAULT_ROWS.flatMap((row, i) => {
    const rule = loaded[i]
    const why = rule ? brokenExample(rule, row) : 'missing'
    return why === null ? [] : [`${row.pattern}: ${why}`]
  })
  expect(broken).toEqual([])
})

test.each([
  'pwd',
  'echo hi',
  'node --version',
  'ls -la',
  'cat src/a.ts',
  'head -20 src/a.ts',
  'git status -sb',
  'git log --oneline -5',
  'git diff main...HEAD',
  'git diff -- src/a.ts',
  'rg -n foo src',
  'grep -rn "/api/users" src',
  'find . -name "*.ts"',
  'wc -l src/*.ts',
  'cd src && ls',
  'ls | wc -l',
  'git log -3 2>/dev/null | cat',
])('in a bound workspace %s runs unasked', line => {
  expect(verdict(line)).toBe('auto')
})

test.each([
  'cat /etc/passwd',
  'cat ../x',
  'cat .env',
  'cat .env.local',
  'cat config/id_rsa',
  'cat link',
  'cat .*',
  'head key.pem',
  'ls /',
  'cat .state/x',
  'grep -f /etc/passwd x',
  'grep -efoo /etc/passwd',
  'grep --file=/etc/passwd x',
  'grep -rf/etc/passwd x',
  'rg foo /etc',
  'rg --files /etc',
  'rg --hidden foo',
  'grep -r KEY .',
  'git diff --no-index /etc/passwd x',
  'find / -name x',
  'find . -delete',
  'sort -o x a',
  'cd / && ls',
  'npm test',
  'npx vitest run',
  'git push',
  'node x.js',
  'cd .. && cat app/x',
  'cd sub; cat ../x',
  'cd sub || true; cat ../x',
  'tail -f /var/log/syslog',
])('in a bound workspace %s is asked', line => {
  expect(verdict(line)).toBe('approval')
})

test('what runs project code needs a trusted workspace', () => {
  const lines = [
    'npm test',
    'npm test -- --run',
    'npx vitest run src',
    'python -m pytest -q',
    'cargo test',
    'go test ./...',
  ]
  expect(lines.map(line => verdict(line, { ...WORKSPACE, trusted: true }))).toEqual(lines.map(() => 'auto'))
})

test('without a workspace only what needs none runs unasked', () => {
  expect([verdict('pwd', null), verdict('ls', null), verdict('cat x', null)]).toEqual(['auto', 'approval', 'approval'])
})

test('an open end is for a tool whose options somebody has looked at', () => {
  const blind = DEFAULT_ROWS.filter(({ pattern }) => pattern.endsWith(' *')).filter(({ pattern }) => {
    const words = pattern.split(' ').slice(0, -1)
    const behind = /^(npx|bundle)$/.test(words[0] ?? '') ? words.slice(words[0] === 'npx' ? 1 : 2) : words
    return modelFor(behind) === null
  })
  expect(blind.map(({ pattern }) => pattern)).toEqual([])
})

test('§1.8: only what searches is told that it would find secrets', () => {
  expect(verdict('sort -rn')).toBe('auto')
  const searches = decide({ command: 'grep -rn foo', cwd: '/w/app' }, rules(WORKSPACE), 'interactive')
  expect([searches.verdict, JSON.stringify(searches)]).toEqual([
    'approval',
    expect.stringMatching(/our own files lie below|may hold secrets/),
  ])
})
