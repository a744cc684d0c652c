import { afterAll, beforeAll, expect, test } from 'vitest'
import { whoAsks } from '../../src/approving/who-asks.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

/** Commands of a container run on this machine: where, must be clear to both. */
let at: LiveHost
let box: FakeClient
let approver: FakeApprover
beforeAll(async () => {
  at = await openLiveHost()
  at.pair('box')
  box = await at.client('box')
  approver = await at.approver()
})
afterAll(() => at.close())

test.each([
  ['the root, where a container without a project starts', '/'],
  ['one that is not here', '/workspaces/only-in-there'],
])('a container whose directory is %s is told how to start it, and nobody is asked', async (_, workspace_path) => {
  const id = box.command('touch x', { workspace_path })
  const { error } = await box.heard.next('error', frame => frame.request_id === id)
  expect(error).toMatchObject({ code: 'PM_TERM_INVALID_PAYLOAD' })
  expect(error.message).toContain(`runtime.cwd is ${workspace_path} in the container`)
  expect(error.message).toContain('-v "$PWD":"$PWD" -w "$PWD"')
  expect(approver.heard.all.some(({ type }) => type === 'question')).toBe(false)
})

test('a project mounted at its own path is asked about, and the card says where it comes from and where it runs', async () => {
  const id = box.command('touch x', { workspace_path: at.place.work })
  const question = await approver.question(each => each.request_id === id)
  expect(question).toMatchObject({ cwd: at.place.work, requester: 'box' })
  expect(whoAsks(question).remark).toContain(
    'It asks from the container box; the command runs on this machine, not in the container.',
  )
  approver.decline(question)
  await box.response(id)
})

test('the root is taken where it is asked for by name, and your own programs may start anywhere', async () => {
  const named = box.command('touch x', { workspace_path: '/', working_directory: '/' })
  const own = (await at.client()).command('touch x', { workspace_path: '/' })
  for (const id of [named, own]) {
    const question = await approver.question(each => each.request_id === id)
    expect(question).toMatchObject({ cwd: '/' })
    approver.decline(question)
  }
})
