import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evaluate, type PolicyCase } from '../src/policy/judge/evaluate.ts'
import type { Verdict } from '../src/policy/model/verdict.ts'
import { readPolicyTables } from './policy-tables.ts'

/** Lines that got through a draft of the gate, or that it annoyed people with, each with what bash or the tool really does. */
interface AdversaryCase extends PolicyCase {
  readonly expect: 'auto' | 'needs_approval' | 'blocked_or_approval' | 'blocked_destructive'
  readonly headless: 'run' | 'block'
  readonly why: string
}

const cases = readFileSync(join(import.meta.dirname, 'data/adversary-cases.jsonl'), 'utf8')
  .split('\n')
  .filter(row => row !== '')
  .map(row => JSON.parse(row) as AdversaryCase)

const INTERACTIVE: Readonly<Record<AdversaryCase['expect'], readonly string[]>> = {
  auto: ['auto'],
  needs_approval: ['approval'],
  blocked_or_approval: ['approval', 'blocked', 'destructive'],
  blocked_destructive: ['destructive'],
}

test.each(cases)('$id: $command', one => {
  expect(INTERACTIVE[one.expect]).toContain(evaluate({ ...one, lane: 'interactive' }).verdict)
  expect(evaluate({ ...one, lane: 'headless' }).verdict === 'auto').toBe(one.headless === 'run')
})

const EXPECTED: Readonly<Record<string, (verdict: Verdict['verdict']) => boolean>> = {
  auto: verdict => verdict === 'auto',
  ask: verdict => verdict !== 'auto',
  wipe: verdict => verdict === 'destructive',
  free: verdict => verdict === 'approval',
}

describe.each([
  { file: 'adversary-lines.txt', shell: 'bash' as const },
  { file: 'second-look-lines.txt', shell: 'bash' as const },
  { file: 'powershell-lines.txt', shell: 'powershell' as const },
  { file: 'cmd-lines.txt', shell: 'cmd' as const },
])('$file', ({ file, shell }) => {
  test.each(readPolicyTables(file))('under $name', ({ rules, lines }) => {
    const wrong = lines.flatMap(({ expect: expected, line }) => {
      const { verdict, why } = evaluate({ id: line, allowlist: rules, command: line, shell })
      return EXPECTED[expected]?.(verdict) ? [] : [`${expected}: ${line} → ${verdict}, ${why}`]
    })
    expect(wrong).toEqual([])
  })
})
