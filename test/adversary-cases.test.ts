import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evaluate, type PolicyCase } from '../src/policy/evaluate.ts'

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
