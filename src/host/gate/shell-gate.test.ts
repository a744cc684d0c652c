import { expect, test } from 'vitest'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { alwaysNeedsApproval, mayOpenShell, notForShell } from './shell-gate.ts'

const TRUSTED = { workspace: { id: 'shop', directory: '/shop', trusted: true }, broken: [] }
const AS_USUAL = { autoApprove: 'allowlist', wantsPerson: false } as const
const verdict = (of: Verdict['verdict']): Verdict => ({
  verdict: of,
  why: 'a rule',
  parts: [],
  flags: [],
  tier: 'none',
  reaches: [],
})

test('a line that a rule covers still needs approval in a shell that is open; what is refused stays refused', () => {
  expect(alwaysNeedsApproval(verdict('auto'))).toMatchObject({ verdict: 'approval' })
  for (const each of ['approval', 'blocked', 'destructive'] as const)
    expect(alwaysNeedsApproval(verdict(each))).toEqual(verdict(each))
})

test('a shell opens without a question only in a trusted workspace', () => {
  expect(mayOpenShell(TRUSTED, AS_USUAL)).toMatchObject({ verdict: 'auto', why: 'the workspace is trusted' })
})

test.each([
  ['nobody bound the directory', { workspace: null, broken: [] }, AS_USUAL],
  ['the workspace is not trusted', { ...TRUSTED, workspace: { ...TRUSTED.workspace, trusted: false } }, AS_USUAL],
  ['a rule file is broken', { ...TRUSTED, broken: [{ file: 'rules.json', problem: 'is no JSON' }] }, AS_USUAL],
  ['everything needs approval', TRUSTED, { ...AS_USUAL, autoApprove: 'never' as const }],
  ['the agent wants a person to decide', TRUSTED, { ...AS_USUAL, wantsPerson: true }],
])('a shell needs approval when %s', (_, rules, how) => {
  expect(mayOpenShell(rules, how)).toMatchObject({ verdict: 'approval' })
})

test('a broken rule file is named on the card of a shell', () => {
  const broken = [{ file: 'rules.json', problem: 'is no JSON' }]
  expect(mayOpenShell({ ...TRUSTED, broken }, AS_USUAL).why).toContain('rules.json is no JSON')
})

test('a shell of the person takes neither variables nor a virtual environment, and each is named', () => {
  const fields = (frame: Partial<CommandRequest>) => notForShell(frame as CommandRequest).map(({ field }) => field)
  expect(fields({ env: {}, activate_venv: false })).toEqual([])
  expect(fields({ env: { CI: '1' }, venv_path: '.venv', activate_venv: true })).toEqual([
    'execution.env',
    'runtime.venv_path',
    'runtime.activate_venv',
  ])
})
