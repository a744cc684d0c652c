import { expect, test } from 'vitest'
import { defaultRules } from '../src/policy/files/default-rules.ts'
import { decide } from '../src/policy/judge/decide.ts'
import { NO_MACHINE } from '../src/policy/rules/no-machine.ts'
import { readPattern } from '../src/policy/rules/pattern.ts'
import type { Facts, Rule } from '../src/policy/rules/rules.ts'

/** What no rule may reach (docs/spec.md D18): secrets of a workspace by a default, our own state by any rule. */
const facts: Facts = {
  ...NO_MACHINE,
  ours: ['/home/u/.local/share/interactive-terminal'],
}

const byDefaults = (command: string): string =>
  decide(
    { command, cwd: '/w' },
    {
      rules: defaultRules(),
      workspace: { id: 'w', directory: '/w', trusted: true },
      autoApprove: 'allowlist',
      facts,
    },
    'interactive',
  ).verdict

test.each([
  'cat .env',
  'cat .en*',
  'cat .e?v',
  'cat .[e]nv',
  'head -n 5 .e*',
  'cat config/.en*',
  'cat ./.env',
  'cat -- .env',
  'git show HEAD:.env',
  'git show :.env',
  'git show HEAD:config/.env.local',
  'cat ../w/.env',
  'ls ..',
  'cat /etc/passwd',
])('a default never covers %j', command => {
  expect(byDefaults(command)).toBe('approval')
})

test.each(['cat src/a.ts', 'ls src', 'git show HEAD:src/a.ts', 'git log --oneline -5', 'cat package.json | head -5'])(
  'a default covers %j',
  command => {
    expect(byDefaults(command)).toBe('auto')
  },
)

const byOwnRule = (command: string): string => {
  const pattern = readPattern('cat *')
  if ('problem' in pattern) throw new Error(pattern.problem)
  const rule: Rule = { pattern, source: 'test', why: 'the person allowed it', reach: 'anywhere', options: 'any' }
  return decide(
    { command, cwd: '/w' },
    { rules: [rule], workspace: null, autoApprove: 'allowlist', facts },
    'interactive',
  ).verdict
}

test.each([
  'cat /home/u/.local/share/interactive-terminal/local.key',
  'cat /home/u/.local/share/interactive-termina?/local.key',
  'cat /home/u/.local/share/*/local.key',
  'cat /home/*/.local/share/inter*/local.key',
  'cat /home/u/.local/share/inter"active-termina"l/local.key',
  'cat ../home/u/.local/share/interactive-terminal/local.key',
  'cat /*/*/*/*/*/local.key',
])('no rule covers our own state: %j', command => {
  expect(byOwnRule(command)).toBe('approval')
})

test.each(['cat /etc/hosts', 'cat src/*.ts', 'cat *.md', 'cat /home/u/notes/*.md'])(
  'a rule still covers %j',
  command => {
    expect(byOwnRule(command)).toBe('auto')
  },
)
