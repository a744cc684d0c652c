import { afterEach, beforeEach, expect, test } from 'vitest'
import { processTable } from '../../src/base/process/process-table.ts'
import { endedRun, HostProcesses, type Met } from '../drivers/host-process.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'

let hosts: HostProcesses
let at: Met
beforeEach(async () => {
  hosts = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_WINDOW: 'never' })
})
afterEach(() => hosts.close())

/** A zombie does nothing any more. */
const isAlive = (pid: number) => processTable(process.platform).row(pid) !== null
const pidIn = (file: string) => Number(hosts.place.read(`work/${file}`))
const pidOnceIn = async (file: string) => {
  await eventually(`${file} is written`, () => pidIn(file) > 0, 15_000)
  return pidIn(file)
}

test('what a finished command left in the background ends when the command is ended, and is counted', async () => {
  await hosts.start()
  at = await hosts.meet()
  const id = hosts.line(
    at.client,
    `sh -c 'trap "" HUP; echo $$ > left; exec sleep 500' & while [ ! -s left ]; do sleep 0.02; done`,
  )
  expect(await endedRun(at.client, id)).toMatchObject({ state: 'exited', exit_code: 0 })
  const left = await pidOnceIn('left')
  expect(isAlive(left)).toBe(true)
  const kill = at.client.ask('kill', { session_id: id })
  const killed = await at.client.heard.next('killed', frame => frame.request_id === kill, 20_000)
  expect([killed.state, killed.warning]).toEqual([
    'exited',
    'It had already ended; one process it had left in the background was ended.',
  ])
  expect(isAlive(left)).toBe(false)
  const again = at.client.ask('kill', { session_id: id })
  const nothing = await at.client.heard.next('killed', frame => frame.request_id === again, 20_000)
  expect(nothing.warning).toBe('It had already ended; there was nothing to kill.')
})

test('a command that outlived the owner of its terminal ends with the host', async () => {
  const host = await hosts.start()
  at = await hosts.meet()
  // In a session of its own: what stays in its terminal's ends with the spawner, where there is one.
  const line = `setsid sh -c 'trap "" HUP TERM; echo $$ > deaf; while :; do sleep 0.2; done' & wait`
  const id = hosts.line(at.client, line)
  const deaf = await pidOnceIn('deaf')
  await hosts.kill('pty-host')
  expect(await endedRun(at.client, id)).toMatchObject({ state: 'lost', survivors: expect.arrayContaining([deaf]) })
  expect(isAlive(deaf)).toBe(true)
  await endOf(host)
  expect(isAlive(deaf)).toBe(false)
})
