import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { proposedRules, ruleObjection, ScopedRules, type ScopePlace } from './scoped-rules.ts'

const here: ScopePlace = { requester: 'local', workspaceId: 'ws', cwd: '/home/ada/app', terminalId: 'term_1' }
type Held = Parameters<ScopedRules['hold']>[0]
const inTerminal: Held = { kind: 'terminal', rules: ['npm test'] }
const forAWhile: Held = { kind: 'time', minutes: 15, rules: ['npm test', 'npm run build'] }
let clock: FakeClock
let scoped: ScopedRules

beforeEach(() => {
  clock = new FakeClock()
  scoped = new ScopedRules(clock, randomIds())
})

const textsAt = (place: Partial<ScopePlace>) =>
  scoped.rulesFor({ ...here, ...place }).map(({ pattern }) => pattern.text)

test('an approval for a terminal holds there, for its requester and workspace, and nowhere else', () => {
  scoped.hold(inTerminal, here)
  expect(textsAt({})).toEqual(['npm test'])
  expect(textsAt({ cwd: '/home/ada/app/sub' })).toEqual(['npm test'])
  expect(textsAt({ terminalId: 'term_2' })).toEqual([])
  expect(textsAt({ requester: 'box' })).toEqual([])
  expect(textsAt({ workspaceId: 'other' })).toEqual([])
})

test('an approval for a while holds in every terminal of the workspace, and ends by itself', async () => {
  scoped.hold(forAWhile, here)
  await clock.advance(15 * 60_000 - 1)
  expect(textsAt({ terminalId: 'term_2' })).toEqual(['npm test', 'npm run build'])
  await clock.advance(1)
  expect([textsAt({}), scoped.held()]).toEqual([[], []])
})

test('without a workspace it holds in the very directory only', () => {
  scoped.hold(forAWhile, { ...here, workspaceId: null })
  expect(textsAt({ workspaceId: null })).toHaveLength(2)
  expect(textsAt({ workspaceId: null, cwd: '/home/ada/app/sub' })).toEqual([])
})

test('what is taken back counts no more, whole, and cannot be taken back twice', () => {
  scoped.hold(forAWhile, here)
  const [{ scope_id = '' } = {}] = scoped.held()
  expect([scoped.revoke(scope_id), textsAt({}), scoped.revoke(scope_id)]).toEqual([true, [], false])
})

test('a closed terminal takes its own approvals along, and leaves those for a while', () => {
  scoped.hold(inTerminal, here)
  scoped.hold(forAWhile, here)
  scoped.forget('term_1')
  expect(scoped.held().map(({ kind }) => kind)).toEqual(['time'])
})

test('a client that was cut off keeps no approval for whoever gets its name next', () => {
  scoped.hold(forAWhile, { ...here, requester: 'box' })
  scoped.hold(inTerminal, here)
  scoped.forgetAllOf('box')
  expect(scoped.held().map(({ requester }) => requester)).toEqual(['local'])
})

const verdictOn = (...lines: (readonly string[] | null)[]): Verdict =>
  ({ parts: lines.map(argv => ({ argv, covered: false })) }) as unknown as Verdict

test('the rules that are offered are exactly the parts, quoted; none where a part was not understood', () => {
  expect(proposedRules(verdictOn(['npm', 'test'], ['npm', 'test'], ['tar', 'a b']))).toEqual(['npm test', "tar 'a b'"])
  expect(proposedRules(verdictOn(['npm', 'test'], null))).toEqual([])
})

test('a rule about anything but what was asked is objected to, and so is one that could never be', () => {
  expect(ruleObjection(['npm test'], verdictOn(['npm', 'test']))).toBeNull()
  expect(ruleObjection(['npm test', 'npm run build'], verdictOn(['npm', 'test']))).toContain('does not cover')
  expect(ruleObjection(['npm publish'], verdictOn(['npm', 'publish']))).toContain('cannot be a rule')
})
