import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { eventually, type OpenedHttp, openHttp } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

let place: Place
let terminal: IPty | null = null
let screen = ''
let ended: number | null = null
let server: OpenedHttp | null = null

beforeEach(() => {
  place = new Place()
  screen = ''
  ended = null
})
afterEach(async () => {
  if (terminal && ended === null) {
    terminal.kill('SIGTERM')
    await eventually('it ends', () => ended !== null)
  }
  terminal = null
  await server?.close()
  server = null
  place.remove()
})

/** `interactive-terminal` as a person types it. */
async function startInTerminal(): Promise<LiveHost> {
  const env = place.env({ TERM: 'xterm-256color', PM_TERM_HTTP_PORT: '0' })
  terminal = spawn(process.execPath, [PRODUCT], { cols: 100, rows: 30, cwd: place.root, env })
  terminal.onData(text => {
    screen += text
  })
  terminal.onExit(({ exitCode }) => {
    ended = exitCode
  })
  await eventually('questions can be answered here', () => screen.includes('No commands waiting'))
  const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
  return new LiveHost(place, { port, approverPort: approver_port } as unknown as Host)
}

test('the terminal a host was started in is its approver, without a passphrase', async () => {
  const live = await startInTerminal()
  expect(screen).toMatch(/MCP over HTTP on http:\/\/127\.0\.0\.1:\d+\/mcp/)
  const client = await live.client()
  const id = client.command('/bin/echo seen > file; cat file', { working_directory: place.work })
  await eventually(
    'the question',
    () => screen.includes('/bin/echo seen > file; cat file') && screen.includes('a approve'),
  )
  await eventually('armed and approved', async () => {
    terminal?.write('a')
    await new Promise(resolve => setTimeout(resolve, 200))
    return client.heard.all.some(frame => frame.type === 'command_response')
  })
  expect(await client.response(id)).toMatchObject({ output: 'seen\r\n', approved_by: 'person' })
  terminal?.write('q')
  await eventually('it ends with the person', () => ended !== null)
  expect([ended, place.read('home/state/host.json')]).toEqual([0, ''])
})

test('how each client is connected stands on the screen that waits for questions', async () => {
  await startInTerminal()
  const idle = screen.slice(screen.lastIndexOf('Connect an agent'))
  expect(idle).toContain('setup <client>')
  for (const client of ['claude', 'codex', 'gemini', 'copilot', 'opencode', 'qwen', 'cursor', 'vscode'])
    expect(idle).toContain(client)
})

test('what the host logs is never written over the questions', async () => {
  const live = await startInTerminal()
  const stranger = await live.unproved()
  stranger.attach('stranger')
  await stranger.heard.next('challenge')
  stranger.askCode()
  await eventually('the code', () => screen.includes('Somebody asks to be admitted'))
  terminal?.write('x')
  await stranger.heard.next('refused')
  await eventually('it is logged', () => place.read('home/state/host.log').includes('did not admit an approver'))
  expect(screen).not.toContain('"level"')
})

test('without a terminal it serves all the same, and says how to answer', async () => {
  setPassphrase(place)
  server = await openHttp({ place })
  const { data } = await server.headless({ action: 'run', command: 'pwd', cwd: place.work })
  expect(data.result.stdout).toBe(`${place.work}\n`)
  const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
  const live = new LiveHost(place, { port, approverPort: approver_port } as unknown as Host)
  const approver = await live.approver()
  const asked = server.interactive({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    runtime: { cwd: place.work },
    execution: { command: '/bin/echo "over HTTP"; exit 5' },
  })
  approver.approve(await approver.question())
  expect((await asked).data).toMatchObject({ success: true, result: { stdout: 'over HTTP\n', exit_code: 5 } })
})

test('in a container there is no host, and MCP over HTTP runs all the same', async () => {
  server = await openHttp({ place, env: { PM_RUNNING_IN_CONTAINER: 'true' } })
  expect((await server.headless({ action: 'run', command: 'pwd' })).data.success).toBe(true)
  expect(existsSync(join(place.home, 'state', 'host.json'))).toBe(false)
})
