import { expect, test } from 'vitest'
import { TermError } from '../../contract/tool/errors.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { JudgedRun } from '../../runs/run/approver.ts'
import { Edits } from './ask-edits.ts'

const judgedAs = (verdict: Verdict['verdict'], plan: () => unknown): JudgedRun =>
  ({
    verdict: { verdict, why: 'it wipes a disk', parts: [], flags: [], tier: 'none', reaches: [] },
    plan,
  }) as unknown as JudgedRun
const planOf = (command: string) => () => ({
  hash: `hash of ${command}`,
  executable: { path: '/usr/bin/make' },
  alsoRuns: [{ path: '/usr/bin/cc' }],
})

test('what a person writes instead is shown with the programs of its own plan, and found by that plan', () => {
  const edits = new Edits(command => judgedAs('approval', planOf(command)))
  expect(edits.judge('make all')).toMatchObject({
    plan_hash: 'hash of make all',
    problem: null,
    executables: ['/usr/bin/make', '/usr/bin/cc'],
  })
  expect(edits.under('hash of make all')?.plan().hash).toBe('hash of make all')
  expect(edits.under('hash of make')).toBeNull()
})

test.each(['destructive', 'blocked'] as const)('a line that is %s cannot be approved as an edit either', verdict => {
  const edits = new Edits(command => judgedAs(verdict, planOf(command)))
  expect(edits.judge('dd of=/dev/sda')).toMatchObject({
    plan_hash: null,
    problem: 'That is refused: it wipes a disk.',
    executables: [],
  })
  expect(edits.under('hash of dd of=/dev/sda')).toBeNull()
})

test('a line that cannot be planned says why, and a fault of ours is not taken for an answer', () => {
  const fails = (cause: Error) =>
    new Edits(() =>
      judgedAs('approval', () => {
        throw cause
      }),
    )
  const gone = new TermError('PM_TERM_INVALID_PAYLOAD', '/shop is gone.')
  expect(fails(gone).judge('make')).toMatchObject({ plan_hash: null, problem: '/shop is gone.' })
  expect(() => fails(new Error('a bug')).judge('make')).toThrow('a bug')
})

test('only the last lines that were tried are kept', () => {
  const edits = new Edits(command => judgedAs('approval', planOf(command)))
  for (let i = 0; i <= 64; i++) edits.judge(`make ${i}`)
  expect([edits.under('hash of make 0'), edits.under('hash of make 1') === null]).toEqual([null, false])
})
