import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Rules } from './rules.ts'
import { suggest } from './suggest.ts'

const NO_RULES: Rules = {
  rules: [],
  workspace: null,
  autoApprove: 'allowlist',
  facts: { realPath: (path, from) => resolve(from, path), program: name => ({ path: `/usr/bin/${name}` }), ours: [] },
}
const patternsFor = (command: string): string[] =>
  suggest({ command, cwd: '/w/app' }, NO_RULES).map(({ pattern }) => pattern)

test.each([
  ['git log --oneline -3', ['git log --oneline -3', 'git log *']],
  ['npm run build', ['npm run build', 'npm run build *']],
  ['npm test', ['npm test', 'npm test *']],
  ['ls -la src', ['ls -la src', 'ls *']],
  ['python -m pytest -q', ['python -m pytest -q', 'python -m pytest *']],
  ['npx vitest run', ['npx vitest run', 'npx vitest *']],
  ['gh pr view 12', ['gh pr view 12', 'gh pr view *']],
  ['mytool build x', ['mytool build x']],
  ['git commit -m "it\'s done"', ["git commit -m 'it'\\''s done'", 'git commit *']],
  ['git status && npm test', ['git status', 'git status *', 'npm test', 'npm test *']],
])('%s', (line, expected) => {
  expect(patternsFor(line)).toEqual(expected)
})

test.each([
  'rm -rf build',
  'git push --force',
  'rm -rf /',
  'echo $(id)',
  'ls > x',
  'A=1 ls',
  'echo "a\u202eb"',
  'shutdown now',
])('nothing is suggested for %s', line => {
  expect(patternsFor(line)).toEqual([])
})

test('an option that writes is suggested word by word only', () => {
  expect(patternsFor('sort -o out in')).toEqual(['sort -o out in'])
})

test('each suggestion says what else it would let through', () => {
  expect(suggest({ command: 'git log -3', cwd: '/w' }, NO_RULES).map(({ alsoAllows }) => alsoAllows)).toEqual([
    'nothing else',
    '"git log" with any further words, except options that run a program, write a file or load code',
  ])
})
