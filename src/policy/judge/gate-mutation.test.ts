import { expect, test } from 'vitest'
import { CHECKS, type GateCheck } from '../model/checks.ts'
import type { GateLane } from '../model/verdict.ts'
import { NO_MACHINE } from '../rules/no-machine.ts'
import { readPattern } from '../rules/pattern.ts'
import type { Facts, Rules } from '../rules/rules.ts'
import { decide, gateWithout } from './decide.ts'
import type { Line } from './line.ts'

/**
 * Each check of the gate, taken out in turn, must let something through that the whole gate stops. Some checks guard the same
 * door; `behind` names the ones in front, which have to be out as well for this one to be the last.
 */
interface Witness {
  readonly check: GateCheck
  readonly line: Partial<Line> & { readonly command: string }
  readonly allow: readonly string[]
  readonly lane?: GateLane
  readonly behind?: readonly GateCheck[]
  readonly facts?: Partial<Facts>
}

const WITNESSES: readonly Witness[] = [
  { check: 'limits', line: { command: `echo ${'a'.repeat(70_000)}` }, allow: ['echo *'] },
  { check: 'byte_filter', line: { command: 'echo "a\u200bb"' }, allow: ['echo *'] },
  { check: 'positive_list', line: { command: '(id); ls' }, allow: ['ls'], behind: ['second_opinion', 'coverage'] },
  { check: 'coverage', line: { command: 'ls;#note' }, allow: ['ls'], behind: ['second_opinion'] },
  { check: 'literal_words', line: { command: 'echo $OTHER' }, allow: ['echo *'], behind: ['second_opinion'] },
  { check: 'second_opinion', line: { command: 'echo hi \\' }, allow: ['echo *'] },
  { check: 'option_models', line: { command: 'sort -uo out in' }, allow: ['sort *'] },
  { check: 'globs', line: { command: 'find *' }, allow: ['find *'] },
  { check: 'catastrophic_words', line: { command: 'rm', args: ['-rf', '/'] }, allow: [] },
  { check: 'catastrophic_scan', line: { command: 'echo `rm -rf ~`' }, allow: [] },
  { check: 'grave', line: { command: 'git push --force' }, allow: ['git push --force'] },
  { check: 'environment', line: { command: 'ls', env: { LD_PRELOAD: '/tmp/x.so' } }, allow: ['ls'] },
  { check: 'headless_operators', line: { command: 'ls | wc' }, allow: ['ls', 'wc'], lane: 'headless' },
  { check: 'own_files', line: { command: 'cat /state/rules.json' }, allow: ['cat *'], facts: { ours: ['/state'] } },
  {
    check: 'programs',
    line: { command: 'tool x' },
    allow: ['tool *'],
    facts: { program: () => ({ problem: 'planted' }) },
  },
  { check: 'shell_state', line: { command: 'source env.sh; ls' }, allow: ['source env.sh', 'ls'] },
  { check: 'directory', line: { command: 'cd /tmp/evil && npm test' }, allow: ['cd *', 'npm test'] },
  {
    check: 'repository',
    line: { command: 'git status' },
    allow: ['git status'],
    facts: { repositoryProblem: () => 'a driver' },
  },
]

test('every check has a line that only it stops', () => {
  expect(WITNESSES.map(({ check }) => check)).toEqual([...CHECKS])
})

test.each(WITNESSES)('without $check the gate would let something through', witness => {
  const line: Line = { cwd: '/home/user/projects/app', ...witness.line }
  const lane = witness.lane ?? 'interactive'
  const behind = witness.behind ?? []
  expect(decide(line, rulesOf(witness), lane).verdict).not.toBe('auto')
  const before = gateWithout(behind)(line, rulesOf(witness), lane).verdict
  const after = gateWithout([...behind, witness.check])(line, rulesOf(witness), lane).verdict
  expect({ before, weaker: before !== 'auto' && after !== before }).toEqual({ before, weaker: true })
})

function rulesOf({ allow, facts }: Witness): Rules {
  return {
    rules: allow.flatMap(text => {
      const pattern = readPattern(text)
      return 'problem' in pattern
        ? []
        : [{ pattern, source: 'test', why: 'allowed', reach: 'anywhere' as const, options: 'any' as const }]
    }),
    workspace: null,
    autoApprove: 'allowlist',
    facts: {
      ...NO_MACHINE,
      ...facts,
    },
  }
}
