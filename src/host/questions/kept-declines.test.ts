import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { plainReading } from '../../policy/judge/same-command.ts'
import { NO_MACHINE } from '../../policy/rules/no-machine.ts'
import { KeptDeclines } from './kept-declines.ts'

let clock: FakeClock
let declines: KeptDeclines
beforeEach(() => {
  clock = new FakeClock()
  declines = new KeptDeclines(clock, randomIds())
})

const asked = (command: string, { cwd = '/w/app', requester = 'local', client = 'Claude Code' } = {}) => ({
  reading: plainReading({ command, cwd }, NO_MACHINE),
  requester,
  client,
})
const keep = (covers: 'project' | 'agent', command = 'npm publish') =>
  declines.keep(asked(command), { covers, command, directory: '/w/app', reason: 'Not today.' })
const isRefused = (...about: Parameters<typeof asked>) => declines.find(asked(...about)) !== null

test('a no for the project holds for whoever asks there, in whatever dress, and nowhere else', () => {
  keep('project')
  expect(isRefused('npm publish', { client: 'Codex' })).toBe(true)
  expect(isRefused("bash -c 'npm publish'", { requester: 'box', cwd: '/w/app/sub' })).toBe(true)
  expect(isRefused('cd /w/app && npm publish', { cwd: '/home/ada' })).toBe(true)
  expect(isRefused('npm publish', { cwd: '/w/other' })).toBe(false)
  expect(isRefused('npm pack')).toBe(false)
})

test('a no for an agent holds for that agent anywhere, and for no other', () => {
  keep('agent')
  expect(isRefused('npm publish', { cwd: '/w/other' })).toBe(true)
  expect(isRefused('npm publish', { client: 'Codex' })).toBe(false)
  expect(isRefused('npm publish', { requester: 'box' })).toBe(false)
})

test('it holds until the day is over where the machine is, and says so', async () => {
  keep('project')
  const [kept] = declines.list()
  const end = new Date(kept?.until ?? 0)
  expect([end.getHours(), end.getMinutes(), end.getSeconds()]).toEqual([0, 0, 0])
  expect((kept?.until ?? 0) - clock.now()).toBeLessThanOrEqual(25 * 3_600_000)
  await clock.advance((kept?.until ?? 0) - clock.now() - 1)
  expect(isRefused('npm publish')).toBe(true)
  await clock.advance(1)
  expect([isRefused('npm publish'), declines.list()]).toEqual([false, []])
})

test('the person takes it back, and sees how often it was needed', () => {
  keep('project')
  const [{ decline_id = '' } = {}] = declines.list()
  declines.count(decline_id)
  expect(declines.list()).toMatchObject([{ command: 'npm publish', reason: 'Not today.', refused: 1 }])
  expect(declines.revoke(decline_id)).toMatchObject({ command: 'npm publish' })
  expect([isRefused('npm publish'), declines.revoke(decline_id), declines.isEmpty]).toEqual([false, null, true])
})

test('there is an end to how many are kept, and the one too many is said', () => {
  for (let i = 0; i < 500; i++) keep('project', `npm run task-${i}`)
  expect(() => keep('project')).toThrow('Decline this once')
})
