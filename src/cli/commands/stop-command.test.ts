import { expect, test } from 'vitest'
import { StatusAnswered } from '../../contract/wire/host-status.ts'
import type { FoundHost } from '../reach/found-host.ts'
import { statusCommand } from './status-command.ts'
import { type StopDeps, stopCommand } from './stop-command.ts'

const run = { session_id: 'req_1', terminal_id: 'term_1', requester: 'local', command: 'npm run dev\u001b[2J\nrm' }
const up = (running: (typeof run)[]): FoundHost => ({
  at: 'up',
  status: StatusAnswered.parse({
    type: 'status_answered',
    request_id: 'r',
    trace_id: 't',
    version: '1',
    instance_id: 'host_1',
    pid: 42,
    port: 9100,
    approver_port: 9101,
    windows: 0,
    approvers: [],
    agents: [{ name: 'claude-code 2', requester: 'local', connections: 2 }],
    running,
    waiting: 1,
    pty_host: { health: 'well', detail: 'process 43' },
  }),
})
async function stopped(over: Partial<StopDeps> & Pick<StopDeps, 'found'>) {
  const ended: number[] = []
  const asked: string[] = []
  const answer = await stopCommand({
    force: false,
    json: false,
    confirm: async text => {
      asked.push(text)
      return false
    },
    end: async pid => {
      ended.push(pid)
      return true
    },
    ...over,
  })
  return { ...answer, ended, asked }
}

test('a host that does nothing ends without a question', async () => {
  expect(await stopped({ found: up([]) })).toMatchObject({ code: 0, ended: [42], asked: [] })
})

test('what runs is named, and nothing ends without a yes', async () => {
  const { code, ended, asked } = await stopped({ found: up([run]) })
  expect([code, ended]).toEqual([1, []])
  expect(asked[0]).toContain('npm run dev [2J rm  [req_1]')
})

test('a yes or --force ends it with what runs', async () => {
  expect(await stopped({ found: up([run]), confirm: async () => true })).toMatchObject({ code: 0, ended: [42] })
  expect(await stopped({ found: up([run]), force: true })).toMatchObject({ code: 0, ended: [42], asked: [] })
})

test('with --json nobody is asked: it says what runs, and ends nothing', async () => {
  const { code, text, ended, asked } = await stopped({ found: up([run]), json: true })
  expect([code, ended, asked]).toEqual([1, [], []])
  expect(JSON.parse(text)).toMatchObject({ stopped: false, running: [{ session_id: 'req_1' }] })
})

test('a process that does not answer is ended only by force, and one that stays is told', async () => {
  const silent = { at: 'silent', pid: 42, port: 9100, why: 'refused' } as const
  expect(await stopped({ found: silent })).toMatchObject({ code: 1, ended: [] })
  expect(await stopped({ found: silent, force: true })).toMatchObject({ code: 0, ended: [42] })
  expect(await stopped({ found: silent, force: true, end: async () => false })).toMatchObject({
    code: 1,
    text: expect.stringContaining('still there'),
  })
})

test('no host is no fault to stop, and 3 to status, which says how one starts', async () => {
  const none = { at: 'none', left: null } as const
  expect(await stopped({ found: none })).toMatchObject({ code: 0, ended: [] })
  const how = { json: false, container: false }
  expect(statusCommand(none, how)).toMatchObject({ code: 3, text: expect.stringContaining('No host runs') })
  expect(statusCommand({ at: 'none', left: '/s/host.json' }, how).text).toContain('/s/host.json was left by one')
})

test('status has every row, and as JSON the same as fields', () => {
  const { code, text } = statusCommand(up([run]), { json: false, container: true })
  expect(code).toBe(0)
  for (const row of [
    /runs, pid 42.*in a container/,
    /9100.*9101/,
    /none open/,
    /nobody/,
    /claude-code 2 ×2/,
    /1 question /,
    /pty-host well/,
  ])
    expect(text).toMatch(row)
  expect(text).not.toContain('\u001b')
  expect(JSON.parse(statusCommand(up([]), { json: true, container: false }).text)).toMatchObject({
    host: 'running',
    running: [],
    pid: 42,
    waiting: 1,
    container: false,
  })
})
