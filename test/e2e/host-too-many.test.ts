import { spawn } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { readAll } from '../drivers/host-process.ts'
import { LiveHost, openLiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually, isAlive, type Opened, openCommand, openStdio } from '../drivers/mcp-client.ts'
import { usesSpawner } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** More than there is room for: connections, and open files. */
const MOST = 64
const toClose: (() => Promise<unknown>)[] = []
beforeEach(() => {
  toClose.length = 0
})
afterEach(async () => {
  for (const close of toClose.reverse()) await close()
})

const limited = (files: number, args: string) => ({
  command: 'bash',
  args: ['-c', `ulimit -n ${files}; exec "$0" "$1" ${args}`, process.execPath, PRODUCT],
})

test('one MCP server more than the host takes hears how many there are and what to do', async () => {
  const at = await openLiveHost()
  toClose.push(() => at.close())
  for (let i = 0; i < MOST; i++) await at.client()
  const server = await openStdio({
    place: at.place,
    env: { PM_TERM_PORT: String(at.host.port), PM_TERM_APPROVER_PORT: String(at.host.approverPort) },
  })
  toClose.push(() => server.close())
  const { data, text } = await server.interactive({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: 'touch ran' },
  })
  expect(data.error?.message).toMatch(/nothing ran.*64 MCP servers of the same person are connected.*End agents/)
  expect(text).toContain('64 MCP servers of the same person are connected')
  expect([data.error?.code, data.error?.details]).toMatchObject(['PM_TERM_GUI_UNAVAILABLE', { most_connections: 64 }])
})

test('a server that may open few files refuses what it has no room for, and goes on', async () => {
  const place = new Place()
  toClose.push(async () => place.remove())
  const server: Opened = await openCommand({ ...limited(40, 'mcp'), env: place.env() }, place, { place })
  toClose.push(() => server.close())
  const run = (line: string, timeout_ms: number) =>
    server.headless({ action: 'run', ...place.shell(line), workspace_id: 'test', timeout_ms })
  place.shell('true')
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => run(`echo ${i} >> ran; sleep 60`, 1)))
  const started = answers.filter(({ data }) => data.result.state !== undefined && data.error === null)
  const refused = answers.filter(answer => !started.includes(answer))
  expect([started.length > 0, refused.length > 0]).toEqual([true, true])
  for (const { data } of refused)
    expect(data.error?.message).toMatch(/nothing was started: too many files are open \(EMFILE\).*End commands/)
  await eventually('all run', () => place.read('work/ran').split('\n').filter(Boolean).length >= started.length)
  for (const { data } of started) {
    const killed = await server.headless({ action: 'kill', session_id: data.identity.session_id })
    expect(killed.data.result.state).toBe('killed')
  }
  expect(place.read('work/ran').split('\n').filter(Boolean).length).toBe(started.length)
  expect((await run('echo there is room', 20_000)).data.result.stdout).toBe('there is room\n')
  expect(isAlive(server.pid)).toBe(true)
})

test('a host and pty-host that may open few files start no command whose output they could not keep', async () => {
  const place = new Place()
  toClose.push(async () => place.remove())
  place.alone()
  setPassphrase(place)
  place.shell('true')
  const { command, args } = limited(72, 'host')
  const host = spawn(command, args, { env: place.env({ PM_TERM_KILL_GRACE_MS: '300' }), stdio: 'ignore' })
  toClose.push(() => endOf(host))
  await eventually('the host is ready', () => place.read('home/state/host.json') !== '')
  const told = JSON.parse(place.read('home/state/host.json')) as { port: number; approver_port: number }
  const live = new LiveHost(place, { port: told.port, approverPort: told.approver_port } as Host)
  await live.approver()
  const client = await live.client()
  const line = (text: string) => {
    const { command, args } = place.shell(text)
    return client.command(command, { args, working_directory: place.work, workspace_id: 'test' })
  }
  // With the spawner each takes fewer files of pty-host's own: more of them fit.
  const ids = Array.from({ length: usesSpawner ? 48 : 24 }, (_, i) =>
    line(`echo ${i} >> ran; while [ ! -e go ]; do sleep 0.1; done; echo said ${i}`),
  )
  const over = (id: string) =>
    client.heard.all.find(each => (each.type === 'command_response' || each.type === 'error') && each.request_id === id)
  const ran = () => place.read('work/ran').split('\n').filter(Boolean).length
  await eventually('each runs or is refused', () => ran() + ids.filter(over).length === ids.length, 30_000)
  const refused = ids.map(over).filter(each => each !== undefined)
  expect([ran() > 0, refused.length > 0]).toEqual([true, true])
  for (const each of refused) expect(JSON.stringify(each)).toMatch(/too many files are open \(EMFILE\)/)
  place.write('work/go', '')
  for (const id of ids.filter(each => !refused.some(one => 'request_id' in one && one.request_id === each))) {
    await eventually('it is over', () => over(id) !== undefined)
    const { text, page } = await readAll(client, id)
    expect([page.lost_bytes ?? 0, page.exit_code, /^said \d+\r\n$/.test(text)]).toEqual([0, 0, true])
  }
  expect(await client.response(line('echo there is room'))).toMatchObject({ output: 'there is room\r\n' })
})
