import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { openStdio } from '../drivers/mcp-client.ts'

/** docs/spec.md D24: the place decides which workspace it is, not the agent. */

let at: LiveHost
let client: FakeClient
let approver: FakeApprover
beforeEach(async () => {
  at = await openLiveHost()
  client = await at.client()
  approver = await at.approver()
})
afterEach(() => at.close())

const here = () => ({ working_directory: at.place.work })
const rulesIn = (id: string) => JSON.parse(at.place.read(`home/data/${id}/terminal-allowlist.json`)).patterns
const received = (runId: string) => {
  const row = at.journal().find(({ kind, run_id }) => kind === 'received' && run_id === runId)
  return JSON.parse(row?.body ?? '{}')
}

test('§4: an agent that names no workspace has that of its directory: on the card, in the journal, in the answer', async () => {
  const id = client.command('expr one', here())
  const question = await approver.question()
  expect(question).toMatchObject({ workspace_id: 'test', workspace_directory: at.place.work })
  approver.approve(question, { scope: { kind: 'workspace', rules: ['expr one'] } })
  expect(await client.response(id)).toMatchObject({ workspace_id: 'test', approved_by: 'person' })
  expect(received(id)).toMatchObject({ workspace_id: 'test' })
  expect(rulesIn('test')).toEqual(['expr one'])
  const again = client.command('expr one', here())
  expect(await client.response(again)).toMatchObject({ approved_by: 'allowlist' })
})

test('an id that is not that of the directory gives nothing, and the agent hears it', async () => {
  at.place.allow('expr theirs')
  const elsewhere = join(at.place.root, 'elsewhere')
  mkdirSync(elsewhere)
  const id = client.command('expr theirs', { working_directory: elsewhere, workspace_id: 'test' })
  const question = await approver.question()
  expect(question).toMatchObject({ workspace_id: null, workspace_directory: null })
  approver.approve(question)
  expect(await client.response(id)).toMatchObject({
    workspace_id: null,
    approved_by: 'person',
    warning: `The workspace_id "test" was ignored: ${elsewhere} belongs to no workspace.`,
  })
  expect(received(id)).toMatchObject({ workspace_id: null, workspace_claimed: 'test' })
})

test('an id that names another workspace does not keep the one of the directory from counting', async () => {
  at.place.allow('expr ours')
  const id = client.command('expr ours', { ...here(), workspace_id: 'other' })
  expect(await client.response(id)).toMatchObject({
    workspace_id: 'test',
    approved_by: 'allowlist',
    warning: `The workspace_id "other" was ignored: ${at.place.work} belongs to the workspace "test".`,
  })
})

test('a yes for a while holds in the workspace of the directory, whatever the agent calls it', async () => {
  const inside = join(at.place.work, 'src')
  mkdirSync(inside)
  const first = client.command('expr two', here())
  approver.approve(await approver.question(), { scope: { kind: 'time', rules: ['expr two'], minutes: 15 } })
  await client.response(first)
  const second = client.command('expr two', { working_directory: inside, workspace_id: 'no-such' })
  expect(await client.response(second)).toMatchObject({ approved_by: 'allowlist' })
})

test('rules somebody wrote into either file are put to the person when a command comes from inside', async () => {
  const planted = (file: string, more: object) =>
    at.place.write(`home/data/test/${file}`, JSON.stringify({ patterns: ['expr planted'], ...more }))
  planted('terminal-allowlist.json', { updated_at: '' })
  planted('interactive-terminal/headless-allowlist-policy.v1.json', { workspace_id: 'test' })
  client.command('expr 1', here())
  const base = await approver.question(each => each.kind === 'rules' && each.layer === 'base')
  const headless = await approver.question(each => each.kind === 'rules' && each.layer === 'headless')
  expect([base, headless]).toMatchObject([
    { workspace_id: 'test', added: ['expr planted'], client: 'terminal-allowlist.json' },
    { workspace_id: 'test', added: ['expr planted'], client: 'headless-allowlist-policy.v1.json' },
  ])
})

test('rules somebody wrote into a file are put to whoever comes to answer, without any command', async () => {
  const other = await openLiveHost()
  try {
    const inFile = { patterns: ['expr planted'], updated_at: '' }
    other.place.write('home/data/test/terminal-allowlist.json', JSON.stringify(inFile))
    other.place.write(
      'home/data/test/workspace.v1.json',
      JSON.stringify({
        workspace_id: 'test',
        directory: other.place.work,
        trusted: false,
        accepted: { base: [], headless: [] },
        updated_at: '',
      }),
    )
    const someone = await other.approver()
    expect(await someone.question()).toMatchObject({ kind: 'rules', workspace_id: 'test', added: ['expr planted'] })
  } finally {
    await other.close()
  }
})

test('headless, too: the rules of the directory count, and an id that disagrees is only reported', async () => {
  at.place.allow('/bin/echo *')
  const server = await openStdio({ place: at.place, env: { PM_TERM_PORT: String(at.host.port) } })
  try {
    const run = { action: 'run', command: '/bin/echo hi' }
    const { data: inside } = await server.headless({ ...run, workspace_id: 'other' })
    expect(inside.result).toMatchObject({ stdout: 'hi\n' })
    expect(inside.result.warning).toContain('The workspace_id "other" was ignored')
    const { data: outside } = await server.headless({ ...run, cwd: at.place.root, workspace_id: 'test' })
    expect(outside.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
    expect(outside.result.warning).toContain('belongs to no workspace')
    const { data: listed } = await server.headless({ action: 'list' })
    expect(listed.result.items?.map(({ workspace_id }) => workspace_id)).toEqual(
      expect.arrayContaining([undefined, 'test']),
    )
  } finally {
    await server.close()
  }
})
