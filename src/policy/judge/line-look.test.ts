import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_MACHINE } from '../rules/no-machine.ts'
import type { Facts, Rules } from '../rules/rules.ts'
import { decide, gateWithout } from './decide.ts'
import { type PolicyCase, rulesOf } from './evaluate.ts'

const sample = readFileSync(join(import.meta.dirname, '../../../test/data/policy-sample.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as PolicyCase)

const rules = (patterns: readonly string[], facts: Partial<Facts> = {}): Rules => ({
  rules: rulesOf(patterns, 'bash'),
  workspace: null,
  autoApprove: 'allowlist',
  facts: { ...NO_MACHINE, ...facts },
})
const line = { command: 'cat notes.txt', cwd: '/home/user/app' }
const verdictOf = (how: Rules) => decide(line, how, 'headless').verdict

test('a line that was judged before is judged as if it came for the first time', () => {
  const gate = gateWithout([])
  for (const { command, args, env, allowlist, shell } of sample) {
    const same = { command, args, env, shell, cwd: '/home/user/app' }
    const fresh = gateWithout([])(same, rules(allowlist), 'interactive')
    for (const _ of [1, 2]) expect(gate(same, rules(allowlist), 'interactive')).toEqual(fresh)
  }
})

test('a rule that goes or comes counts for a line that was judged before', () => {
  expect([['cat *'], [], ['cat *']].map(patterns => verdictOf(rules(patterns)))).toEqual(['auto', 'blocked', 'auto'])
})

test('a program that turns up in a bad place counts for a line that was judged before', () => {
  expect(verdictOf(rules(['cat *']))).toBe('auto')
  const planted = { program: () => ({ problem: 'is found in /tmp, where anybody can put files' }) }
  expect(verdictOf(rules(['cat *'], planted))).toBe('blocked')
})

test('a file that becomes a link to our own files counts for a line that was judged before', () => {
  const ours = ['/state']
  expect(verdictOf(rules(['cat *'], { ours }))).toBe('auto')
  expect(verdictOf(rules(['cat *'], { ours, realPath: () => '/state/ledger' }))).toBe('blocked')
})

test('the same words in another directory are another line', () => {
  const wipe = (cwd: string) => decide({ command: 'rm -rf ../..', cwd }, rules([]), 'interactive').verdict
  expect([wipe('/home/user/projects/app/src'), wipe('/home/user')]).toEqual(['approval', 'destructive'])
})
