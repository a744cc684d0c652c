import { afterEach, beforeEach, expect, test } from 'vitest'
import { HostProcesses } from '../drivers/host-process.ts'
import type { FakeApprover, FakeClient } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'

/** The person's shell when the host dies. */
let at: HostProcesses
beforeEach(() => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_APPROVER_WAIT_MS: '5000' })
})
afterEach(() => at.close())

async function send(client: FakeClient, approver: FakeApprover, command: string, terminal_id: string) {
  const id = client.command(command, { terminal_id })
  approver.approve(await approver.question(question => question.request_id === id))
  return client.response(id, 20_000)
}

const refusal = (client: FakeClient, id: string) => client.heard.next('error', frame => frame.request_id === id)

test('a shell outlives its host with all it knows, and the next host can send to it', async () => {
  await at.start()
  const { client, approver } = await at.meet()
  const { opening, terminal_id } = await client.opensShell(approver, at.place.work)
  expect(await send(client, approver, 'cd /usr; KEPT=here', terminal_id)).toMatchObject({ exit_code: 0 })
  await at.kill('host')

  await at.start()
  const next = await at.meet()
  expect(await send(next.client, next.approver, 'echo $KEPT $PWD', terminal_id)).toMatchObject({
    output: 'here /usr\r\n',
    exit_code: 0,
  })
  const listing = next.client.ask('list')
  expect(await next.client.heard.next('listed', frame => frame.request_id === listing)).toMatchObject({
    terminals: [{ terminal_id, kind: 'shell', profile: 'bash' }],
  })
  const kill = next.client.ask('kill', { terminal_id })
  expect(await next.client.heard.next('killed', frame => frame.request_id === kill)).toMatchObject({
    session_id: opening,
  })
}, 60_000)

test('a line that ran in a shell when the host died is lost, and ending it leaves the shell alone', async () => {
  await at.start()
  const { client, approver } = await at.meet()
  const { terminal_id } = await client.opensShell(approver, at.place.work)
  const line = client.command('until [ -e go ]; do sleep 0.05; done', { terminal_id })
  approver.approve(await approver.question(question => question.request_id === line))
  await client.heard.next('progress', frame => frame.request_id === line && frame.phase === 'running')
  await at.kill('host')

  await at.start()
  const next = await at.meet()
  const kill = next.client.ask('kill', { session_id: line })
  expect(await next.client.heard.next('killed', frame => frame.request_id === kill)).toMatchObject({ state: 'lost' })
  const early = next.client.command('echo early', { terminal_id })
  expect(await refusal(next.client, early)).toMatchObject({ error: { details: { reason: 'shell_busy' } } })

  at.place.write('work/go', '')
  let id = ''
  const asked = () => next.approver.question(question => question.request_id === id)
  await eventually('the shell takes a line again', () => {
    id = next.client.command('echo alive', { terminal_id })
    const refused = refusal(next.client, id)
    return Promise.race([asked().then(() => true), refused.then(() => false)]).catch(() => false)
  })
  next.approver.approve(await asked())
  expect(await next.client.response(id)).toMatchObject({ output: 'alive\r\n' })
}, 60_000)
