import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPolicyTables } from '../../../test/policy-tables.ts'
import type { Verdict } from '../model/verdict.ts'
import { evaluate, type PolicyCase } from './evaluate.ts'

type SampleCase = PolicyCase & {
  readonly expect: 'auto' | 'needs_approval' | 'blocked_or_approval' | 'blocked_destructive'
  readonly headless: 'run' | 'block' | 'either'
  readonly display?: { readonly flags?: readonly string[] }
}

const sample = readFileSync(join(import.meta.dirname, '../../../test/data/policy-sample.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as SampleCase)

const INTERACTIVE: Record<SampleCase['expect'], (verdict: Verdict['verdict']) => boolean> = {
  auto: verdict => verdict === 'auto',
  needs_approval: verdict => verdict === 'approval',
  blocked_or_approval: verdict => verdict !== 'auto',
  blocked_destructive: verdict => verdict === 'destructive',
}
const HEADLESS: Record<SampleCase['headless'], (verdict: Verdict['verdict']) => boolean> = {
  run: verdict => verdict === 'auto',
  block: verdict => verdict === 'blocked' || verdict === 'destructive',
  either: () => true,
}

describe('the policy sample', () => {
  test('every case comes out right when a person can be asked', () => {
    const wrong = sample.filter(each => !INTERACTIVE[each.expect](evaluate({ ...each, lane: 'interactive' }).verdict))
    expect(wrong.map(({ id, command }) => `${id} ${command}`)).toEqual([])
  })

  test('every case comes out right when nobody can be asked', () => {
    const wrong = sample.filter(each => !HEADLESS[each.headless](evaluate({ ...each, lane: 'headless' }).verdict))
    expect(wrong.map(({ id, command }) => `${id} ${command}`)).toEqual([])
  })

  test('every warning a card must show is raised', () => {
    const missing = sample.flatMap(each => {
      const raised: readonly string[] = evaluate(each).flags
      return (each.display?.flags ?? []).filter(flag => !raised.includes(flag)).map(flag => `${each.id} ${flag}`)
    })
    expect(missing).toEqual([])
  })
})

const EXPECTED: Record<string, (verdict: Verdict['verdict']) => boolean> = {
  auto: verdict => verdict === 'auto',
  ask: verdict => verdict !== 'auto',
  wipe: verdict => verdict === 'destructive',
  free: verdict => verdict !== 'destructive',
}

describe.each(['tool-cases.txt', 'shell-cases.txt', 'destructive-cases.txt', 'benign-cases.txt'])(
  'our own cases in %s',
  file => {
    test.each(readPolicyTables(file))('$name', ({ rules, lines }) => {
      const wrong = lines.flatMap(({ expect: expected, line }) => {
        const { verdict, why } = evaluate({ id: line, allowlist: rules, command: line })
        return EXPECTED[expected]?.(verdict) ? [] : [`${expected}: ${line} → ${verdict}, ${why}`]
      })
      expect(wrong).toEqual([])
    })

    test.each(readPolicyTables(file))(
      '$name: a line that is not free to run is refused where nobody can be asked',
      group => {
        const weaker = group.lines.filter(({ line }) => {
          const asked = evaluate({ id: line, allowlist: group.rules, command: line, lane: 'interactive' }).verdict
          const alone = evaluate({ id: line, allowlist: group.rules, command: line, lane: 'headless' }).verdict
          return (
            alone === 'approval' ||
            (alone === 'auto' && asked !== 'auto') ||
            (asked === 'destructive' && alone !== asked)
          )
        })
        expect(weaker).toEqual([])
      },
    )
  },
)

test('a verdict shows each part with its bytes, and the rule or the reason for it', () => {
  const { parts, verdict, why } = evaluate({ id: '1', allowlist: ['echo *'], command: 'echo "grüße" && id -u' })
  expect({ parts, verdict, why }).toEqual({
    verdict: 'approval',
    why: 'id: no rule covers it',
    parts: [
      {
        text: 'echo "grüße"',
        start: 0,
        end: 14,
        argv: ['echo', 'grüße'],
        covered: true,
        rule: 'echo *',
        why: 'the rule "echo *"',
      },
      { text: 'id -u', start: 18, end: 23, argv: ['id', '-u'], covered: false, rule: null, why: 'no rule covers it' },
    ],
  })
})

test('words given as args are never read as shell', () => {
  const given = { id: '1', allowlist: ['echo *'], command: 'echo', args: ['$(id)', ';', 'id', '*'] }
  expect(evaluate(given).verdict).toBe('auto')
  expect(evaluate({ ...given, lane: 'headless' }).verdict).toBe('auto')
})

test('a shell we cannot read is never unasked', () => {
  expect(evaluate({ id: '1', allowlist: ['ls *'], command: 'ls', shell: 'fish' }).verdict).toBe('approval')
})

test('zsh extras are refused', () => {
  const lines = ['=ls', 'ls *(e:id:)', 'ls **/*(.)', 'ls ^x', 'ls *.ts', 'echo a~b', 'noglob ls', 'ls x#']
  const auto = lines.filter(
    command =>
      evaluate({ id: '1', allowlist: ['ls *', 'echo *', 'noglob *'], command, shell: 'zsh' }).verdict === 'auto',
  )
  expect(auto).toEqual([])
  expect(evaluate({ id: '1', allowlist: ['ls *'], command: 'ls -la | ls', shell: 'zsh' }).verdict).toBe('auto')
})

test('sh takes no bash redirections', () => {
  const verdict = (shell: 'sh' | 'bash') =>
    evaluate({ id: '1', allowlist: ['ls *'], command: 'ls &>/dev/null', shell }).verdict
  expect([verdict('sh'), verdict('bash')]).toEqual(['approval', 'auto'])
})
