import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { linkPair } from '../../base/link/link.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import { AttachSession } from './session.ts'

function attached(wanted: string) {
  const [host, link] = linkPair('approver')
  const stdout = new PassThrough()
  const said: string[] = []
  stdout.on('data', chunk => said.push(String(chunk)))
  const streams = { stdin: new PassThrough(), stdout } as unknown as {
    stdin: NodeJS.ReadStream
    stdout: NodeJS.WriteStream
  }
  const session = new AttachSession({ link, clock: new FakeClock(), streams }, wanted)
  session.receive({
    type: 'admitted',
    protocol_version: 2,
    approver_id: 'apr_1',
    instance_id: 'host_1',
    heartbeat_interval_ms: 5000,
    grave_text: 'run it',
    arming_ms: 400,
  } satisfies ToApprover)
  return { host, session, said: () => said.join('') }
}

test('without a name it lists what is open, and does not call the host gone', async () => {
  const { session, said } = attached('')
  session.receive({ type: 'terminals', items: [] })
  expect(await session.over).toBe(0)
  await new Promise(resolve => setImmediate(resolve))
  expect(said()).toContain('No terminal is open.')
  expect(said()).not.toContain('gone')
})

test('a host that really goes is told', async () => {
  const { host, session, said } = attached('')
  host.close('it ended')
  expect(await session.over).toBe(1)
  expect(said()).toContain('The host is gone.')
})
