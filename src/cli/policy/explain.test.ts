import { expect, test } from 'vitest'
import { defaultRules } from '../../policy/files/default-rules.ts'
import { NO_MACHINE } from '../../policy/rules/no-machine.ts'
import { policyExplain } from './explain.ts'

const CWD = '/home/user/app'
const rules = () => ({
  rules: defaultRules(),
  workspace: { id: 'app', directory: CWD, trusted: false },
  autoApprove: 'allowlist' as const,
  facts: NO_MACHINE,
})

test('a line that needs approval is explained with what would make it free', () => {
  expect(policyExplain('npm test', CWD, rules)).toContain('To run unasked: trust this folder: policy trust.')
})

test('of a line that is free nothing more is said', () => {
  expect(policyExplain('cat a.ts', CWD, rules)).not.toContain('To run unasked')
})
