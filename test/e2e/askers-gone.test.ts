import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually, isAlive } from '../drivers/mcp-client.ts'

/** Several clients behind one server: each has its own questions (docs/spec.md D21, D28). */
let at: LiveHost
let server: FakeClient
let approver: FakeApprover
beforeAll(async () => {
  at = await openLiveHost()
  server = await at.client()
  approver = await at.approver()
})
afterAll(() => at.close())

const asker = (session: string | null, name = 'codex') => ({ asker: { session, name, version: '1' } })
const questionOf = (id: string) => approver.question((each: Question) => each.request_id === id)

test('a client that is gone takes its questions along, and no other one’s', async () => {
  const gone = server.command('touch gone', asker('ses_gone'))
  const rules = server.ask('allowlist_update', {
    workspace_id: 'test',
    operation: 'add',
    patterns: ['make it'],
    ...asker('ses_gone'),
  })
  const stays = server.command('touch stays', asker('ses_stays'))
  const [one, two, other] = await Promise.all([questionOf(gone), questionOf(rules), questionOf(stays)])
  server.send({ type: 'asker_gone', session: 'ses_gone' })
  for (const { ask_id } of [one, two])
    expect(await approver.heard.next('withdrawn', each => each.ask_id === ask_id)).toMatchObject({ why: 'asker_gone' })
  expect((await server.response(gone)).state).toBe('withdrawn')
  approver.decline(other, 'seen')
  expect((await server.response(stays)).reason).toBe('seen')
})

/** A command of that client which runs, with a child in a session of its own, and their pids. */
async function runs(session: string, file: string): Promise<{ id: string; pids: () => number[] }> {
  const line = `echo $$ > ${file}; setsid sh -c 'echo $$ >> ${file}; sleep 600' & sleep 600`
  const id = server.command(line, { ...asker(session), working_directory: at.place.work })
  approver.approve(await questionOf(id))
  const pids = () => at.place.read(`work/${file}`).split('\n').filter(Boolean).map(Number)
  await eventually('it runs', () => pids().length === 2)
  // The host hears of the start a moment later than the disk.
  await server.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  return { id, pids }
}
const leftNow = (fits: (ids: readonly string[]) => boolean) => {
  const before = approver.heard.all.length
  return approver.heard.next(
    'left_running',
    frame => approver.heard.all.indexOf(frame) >= before && fits(frame.items.map(({ run_id }) => run_id)),
  )
}

test('what an interrupted agent left running is shown until somebody asks for it again, and a person ends all of it', async () => {
  const { id, pids } = await runs('ses_left', 'left')
  const cancelled = leftNow(ids => ids.includes(id))
  server.send({ type: 'cancel', request_id: id, trace_id: 'trace_1', ...asker('ses_left') })
  expect((await cancelled).items).toMatchObject([
    { run_id: id, client: 'codex 1', requester: 'local', why: 'cancelled' },
  ])
  const read = leftNow(ids => !ids.includes(id))
  server.ask('read_output', { session_id: id, ...asker('ses_left') })
  await read
  const again = leftNow(ids => ids.includes(id))
  server.send({ type: 'cancel', request_id: id, trace_id: 'trace_1', ...asker('ses_left') })
  await again
  const ended = leftNow(ids => ids.length === 0)
  approver.send({ type: 'end_run', requester: 'local', run_id: id })
  await ended
  await eventually('the whole tree is gone', () => !pids().some(isAlive))
  const row = at.journal().find(({ kind, run_id, body }) => kind === 'terminal_changed' && run_id === id && body)
  expect(JSON.parse(row?.body ?? '{}')).toMatchObject({
    action: 'ended_left_run',
    by: expect.stringContaining('tester'),
  })
})

test('an agent that leaves while its command runs leaves it to the person, who comes later and ends it', async () => {
  const { id, pids } = await runs('ses_leaves', 'leaves')
  const gone = leftNow(ids => ids.includes(id))
  server.send({ type: 'asker_gone', session: 'ses_leaves' })
  expect((await gone).items).toMatchObject([{ run_id: id, why: 'asker_gone' }])
  const later = await at.approver()
  expect((await later.heard.next('left_running')).items).toMatchObject([{ run_id: id }])
  later.send({ type: 'end_run', requester: 'local', run_id: id })
  await eventually('the whole tree is gone', () => !pids().some(isAlive))
})

test('nobody ends anything before they are let in, nor what nobody has left', async () => {
  const { id, pids } = await runs('ses_stays', 'stays')
  approver.send({ type: 'end_run', requester: 'local', run_id: id })
  const stranger = await at.unproved()
  stranger.send({ type: 'end_run', requester: 'local', run_id: id })
  await stranger.heard.next('refused')
  expect(pids().every(isAlive)).toBe(true)
  const killed = server.ask('kill', { session_id: id })
  await server.heard.next('killed', frame => frame.request_id === killed)
})
