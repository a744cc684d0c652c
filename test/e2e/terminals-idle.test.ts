import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

let at: LiveHost
let client: FakeClient
let person: FakeApprover
beforeAll(async () => {
  at = await openLiveHost({ env: { PM_TERM_IDLE_TABS: '1' } })
  person = await at.approver()
  client = await at.client()
})
afterAll(() => at.close())

async function runs(command: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = client.command(command, { workspace_path: at.place.work, approval_required: true, ...more })
  person.approve(await person.question(question => question.request_id === id))
  const { terminal_id } = await client.response(id)
  return terminal_id ?? ''
}
const closed = (id: string) =>
  person.heard.next('terminals', frame => frame.closed?.some(({ terminal_id }) => terminal_id === id) === true)

test('a tab in which nothing happens closes by itself, is said to be, and is back where it stood when an agent names it', async () => {
  const id = await runs('cd ..; export CI=1')
  await closed(id)
  const rows = at.journal().filter(({ kind, body }) => kind === 'terminal_changed' && body.includes('closed_idle'))
  expect(rows.map(({ body }) => JSON.parse(body))).toEqual([{ action: 'closed_idle', terminal_id: id, by: 'host' }])
  const again = client.command('echo "$PWD $CI"', { terminal_id: id, approval_required: true })
  person.approve(await person.question(question => question.request_id === again))
  expect(await client.response(again)).toMatchObject({ terminal_id: id, output: `${at.place.root} 1\r\n` })
})

test('one that a person has named stays, while another goes', async () => {
  const named = await runs('/bin/echo one')
  person.send({ type: 'terminal_rename', request_id: 'w1', terminal_id: named, name: 'mine' })
  const hold = client.command('read line', {
    workspace_path: at.place.work,
    approval_required: true,
    terminal_id: named,
  })
  person.approve(await person.question(question => question.request_id === hold))
  await client.heard.next('progress', frame => frame.request_id === hold && frame.phase === 'running')
  // The named one is busy, so this is another one of the same place.
  const other = await runs('/bin/echo two')
  expect(other).not.toBe(named)
  client.ask('kill', { session_id: hold })
  await client.response(hold)
  const { items } = await closed(other)
  expect(items.map(({ terminal_id }) => terminal_id)).toContain(named)
})
