import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import { RunRegistry } from '../../src/runs/run/run-registry.ts'
import { RunStore } from '../../src/runs/store/run-store.ts'
import { endedRun, HostProcesses } from '../drivers/host-process.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { eventually, isAlive, type Opened, openStdio } from '../drivers/mcp-client.ts'

/** Ends of interactive commands that no host was there to see, or that somebody else than the host brought about. */
let at: HostProcesses
let server: Opened | null = null
beforeEach(() => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_ORPHAN_GRACE_MS: '5000' })
})
afterEach(async () => {
  await server?.close()
  server = null
  await at.close()
})

const toldByServer = async (session_id: string) => {
  const { data } = await (server as Opened).interactive({ action: 'read_output', target: { session_id } })
  const { state, exit_code, ended_by } = data.result
  return { state, exit_code, ended_by }
}
const toldByHost = async (client: FakeClient, session_id: string) => {
  const { state, ended_by } = await endedRun(client, session_id)
  return { state, ended_by }
}

test('when no host came back, the server tells the end that pty-host has left, and the next host tells the same', async () => {
  await at.start()
  const { client } = await at.meet()
  server = await openStdio({ place: at.place })
  const line = (name: string, end: string) => `echo > ran-${name}; while [ ! -e go ]; do sleep 0.03; done; ${end}`
  const ids = {
    exited: at.line(client, line('exited', 'exit 6')),
    ended: at.line(client, line('ended', 'sleep 300')),
    killed: at.line(client, 'echo > ran-killed; exec sleep 301'),
  }
  await eventually('all run', () => Object.keys(ids).every(name => at.place.read(`work/ran-${name}`) !== ''))
  const ptyHost = at.told('pty-host')?.pid ?? -1
  await at.kill('host')
  at.place.write('work/go', '')
  // While there is no host, the server ends a command by itself.
  await server.interactive({ action: 'terminate', target: { session_id: ids.killed } })
  await eventually('pty-host has ended', () => !isAlive(ptyHost), 15_000)

  const ends = {
    exited: { state: 'exited', exit_code: 6, ended_by: undefined },
    ended: { state: 'killed', exit_code: -1, ended_by: 'server_end' },
    killed: { state: 'killed', exit_code: -1, ended_by: 'kill' },
  }
  const { data } = await server.interactive({ action: 'list' })
  for (const [name, id] of Object.entries(ids)) {
    const end = ends[name as keyof typeof ends]
    expect([name, await toldByServer(id)]).toEqual([name, end])
    expect(data.result.items?.find(item => item.session_id === id)?.state).toBe(end.state)
  }
  await at.start()
  const { client: later } = await at.meet()
  for (const [name, id] of Object.entries(ids)) {
    const end = ends[name as keyof typeof ends]
    expect([name, await toldByHost(later, id)]).toEqual([name, { state: end.state, ended_by: end.ended_by }])
    expect([name, await toldByServer(id)]).toEqual([name, end])
  }
}, 60_000)

test('a command that a server ended which the host does not speak with is told as killed, and by whom', async () => {
  await at.start()
  const { client } = await at.meet()
  const id = at.line(client, 'echo > ran; exec sleep 300')
  await eventually('it runs', () => at.place.read('work/ran') !== '')
  // What a server does that speaks another protocol: it finds the run on the disk, and ends it by itself.
  const silent = () => {}
  const clock = systemClock
  const registry = new RunRegistry({
    store: new RunStore({ stateDir: `${at.place.home}/state`, serverId: 'srv_other', now: clock.now }),
    clock,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    killer: { table: processTable(process.platform), platform: process.platform, clock },
    server: { id: 'srv_other', pid: process.pid, start: null },
    lane: 'headless',
    quotaBytes: 1_000_000,
    graceMs: 300,
  })
  expect(await registry.killStored(id)).toEqual([])
  expect(await endedRun(client, id)).toMatchObject({ state: 'killed', ended_by: 'kill' })
}, 30_000)
