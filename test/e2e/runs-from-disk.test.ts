import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyResponse } from '../../src/contract/tool/response.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { Place } from '../drivers/place.ts'

let place: Place
let first: Opened
let host: LiveHost
let client: FakeClient
let approver: FakeApprover
beforeAll(async () => {
  place = new Place({ allow: ['/bin/echo *', '/bin/sleep *'] })
  first = await openStdio({ place })
  host = await openLiveHost()
  host.place.allow('expr *')
  client = await host.client()
  approver = await host.approver()
}, 30_000)
afterAll(async () => {
  await first.close()
  place.remove()
  await host.close()
})

/** What an answer says about the run, whoever gives it and however long it took them. */
const toldOf = ({ result }: AnyResponse) => {
  const { lifecycle: _, warning: __, ...told } = result
  return told
}

test.each([
  ['that is over', { command: '/bin/echo', args: ['hi'] }],
  ['that was killed by its own clock', { command: '/bin/sleep', args: ['60'], kill_after_ms: 50 }],
  ['that no rule covers', { command: '/bin/touch', args: ['all'] }],
  ['that would wipe a disk', { command: 'rm', args: ['-rf', '/'] }],
])('a headless run %s is told by a later server exactly as by the one that ran it', async (_, request) => {
  const { data: live } = await first.headless({ action: 'run', workspace_id: 'test', ...request })
  const later = await openStdio({ place })
  const { data: stored } = await later.headless({ action: 'read_output', session_id: live.identity.session_id })
  await later.close()
  expect(toldOf(stored)).toEqual(toldOf(live))
  expect(stored.result.verdict === undefined).toBe(live.result.authorization === 'allowed')
})

test.each<[string, string, (id: string) => Promise<unknown>]>([
  ['that a person approved', '/bin/echo yes', async id => approver.approve(await asked(id))],
  ['that a person declined', '/bin/echo no', async id => approver.decline(await asked(id), 'not now')],
  ['that a person edited', '/bin/echo other', async id => approver.edit(await asked(id), '/bin/echo edited')],
  ['that a rule allowed', 'expr 1 + 1', async () => {}],
  ['that was refused', 'rm -rf /', async () => {}],
])('an interactive run %s is told from the disk exactly as from memory', async (_, command, answer) => {
  const id = client.command(command, { working_directory: host.place.work, workspace_id: 'test' })
  await answer(id)
  const { type: _live, ...live } = await client.response(id)
  const reading = client.ask('read_output', { session_id: id })
  const read = await client.heard.next('output', ({ request_id }) => request_id === reading)
  const { type: _stored, ...stored } = read
  const same = { id: '', request_id: '', lifecycle: undefined }
  expect({ ...stored, ...same }).toEqual({ ...live, ...same })
  expect(stored.verdict).toBeDefined()
})

const asked = (id: string) => approver.question(({ request_id }) => request_id === id)
