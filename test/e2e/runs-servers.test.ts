import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KnownProcess } from '../drivers/known-process.ts'
import { eventually, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** Servers that end, die, and live side by side on one state directory. */

let place: Place
let servers: Opened[]
const processes = new Map<Opened, KnownProcess>()
beforeEach(() => {
  place = new Place()
  place.shell('true')
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map(server => server.close()))
  for (const left of living()) left.kill('SIGKILL')
  place.remove()
})

async function open(): Promise<Opened> {
  const server = await openStdio({ place, env: { PM_TERM_KILL_GRACE_MS: '200' } })
  servers.push(server)
  processes.set(server, new KnownProcess(server.pid))
  return server
}
function processOf(server: Opened): KnownProcess {
  const known = processes.get(server)
  if (!known) throw new Error('nobody opened that server here')
  return known
}
/** Each line: a pid, and when that process began. */
const noted = () =>
  place
    .read('work/pids')
    .split('\n')
    .filter(Boolean)
    .map(line => line.split(' '))
    .map(([pid, start]) => new KnownProcess(Number(pid), start))
const living = () => noted().filter(({ lives }) => lives)
const run = async (server: Opened, line: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await server.headless({ action: 'run', ...place.shell(line), ...more })).data
const resultOf = async (server: Opened, session_id: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await server.headless({ action: 'read_output', session_id, ...more })).data.result

const NOTE = 'echo $$ $(cut -d" " -f22 /proc/$$/stat) >> pids'
const TREE = `${NOTE}; echo begun; setsid sh -c '${NOTE}; trap "" TERM; while :; do sleep 0.1; done' & (setsid sh -c '${NOTE}; exec sleep 60' >/dev/null 2>&1 &); sleep 60`

/** A running tree of three, and a finished run that left a child in the background. */
async function busy(server: Opened): Promise<void> {
  await run(server, TREE, { timeout_ms: 1, request_id: 'tree' })
  await run(
    server,
    `sleep 60 & ${NOTE.replaceAll('$$', '$!')}; (setsid sh -c '${NOTE}; exec sleep 60' >/dev/null 2>&1 &)`,
  )
  await eventually('five processes run', () => living().length === 5)
}

describe('nothing stays behind when the server ends', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s', async signal => {
    const server = await open()
    await busy(server)
    processOf(server).kill(signal)
    await eventually('the server is gone', () => !processOf(server).lives, 3000)
    expect(living()).toEqual([])
  })

  test('because the client closed stdin', async () => {
    const server = await open()
    await busy(server)
    await server.client.close()
    await eventually('the server is gone', () => !processOf(server).lives, 3000)
    expect(living()).toEqual([])
  })

  test('because the client crashed', async () => {
    // A client in a process of its own: it starts the server, has it run a tree, and is killed.
    const line = place.shell(TREE)
    const call = { name: 'memory_terminal', arguments: { action: 'run', ...line } }
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    ]
    const program = `
      const { spawn } = require('node:child_process')
      const server = spawn(process.execPath, [${JSON.stringify(PRODUCT)}, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] })
      require('node:fs').writeFileSync('server-pid', String(server.pid))
      for (const message of ${JSON.stringify(messages)}) server.stdin.write(JSON.stringify(message) + '\\n')
    `
    const client = spawn(process.execPath, ['-e', program], { cwd: place.work, env: place.env(), stdio: 'ignore' })
    await eventually('the tree runs', () => noted().length === 3)
    const server = new KnownProcess(Number(place.read('work/server-pid')))
    client.kill('SIGKILL')
    await eventually('the server is gone', () => !server.lives, 4000)
    expect(living()).toEqual([])
  })
})

describe('after a server was killed outright', () => {
  test('the next one says what was lost and what is left of it, and kill ends that', async () => {
    const first = await open()
    await run(first, TREE, { timeout_ms: 1, request_id: 'tree' })
    await run(first, 'echo done', { request_id: 'done' })
    await eventually('three run', () => noted().length === 3)
    await resultOf(first, 'tree', { wait_for: 'text', text: 'begun', wait_ms: 3000 })
    processOf(first).kill('SIGKILL')
    await eventually('it is gone', () => !processOf(first).lives)
    const next = await open()
    const lost = await resultOf(next, 'tree')
    expect(lost).toMatchObject({ state: 'lost', running: false, stdout: 'begun\n' })
    // The two that left its session: the others end with the spawner, where there is one.
    expect(living().length).toBeGreaterThanOrEqual(2)
    expect(living().filter(({ pid }) => !lost.survivors?.includes(pid))).toEqual([])
    expect(await resultOf(next, 'done')).toMatchObject({ state: 'exited', exit_code: 0, stdout: 'done\n' })
    const { data } = await next.headless({ action: 'kill', session_id: 'tree' })
    expect([data.success, data.result.survivors, living()]).toEqual([true, undefined, []])
    expect((await resultOf(next, 'tree')).survivors).toBe(undefined)
  })

  test('a sibling that was running all the time can end what is left of it', async () => {
    const [first, sibling] = [await open(), await open()]
    await sibling.headless({ action: 'list' })
    await run(first, `${NOTE}; exec sleep 60`, { timeout_ms: 1, request_id: 'left' })
    await eventually('it runs', () => noted().length === 1)
    processOf(first).kill('SIGKILL')
    await eventually('the server is gone', () => !processOf(first).lives)
    await sibling.headless({ action: 'kill', session_id: 'left' })
    expect(living()).toEqual([])
  })

  test('the living sibling’s commands are not touched', async () => {
    const [first, sibling] = [await open(), await open()]
    await run(first, 'sleep 60', { timeout_ms: 1, request_id: 'lost' })
    await run(sibling, `${NOTE}; sleep 60`, { timeout_ms: 1, request_id: 'alive' })
    await eventually('it runs', () => noted().length === 1)
    processOf(first).kill('SIGKILL')
    await eventually('the server is gone', () => !processOf(first).lives)
    const next = await open()
    await next.headless({ action: 'kill', session_id: 'lost' })
    expect([living().length, (await resultOf(sibling, 'alive')).state]).toEqual([1, 'running'])
  })
})

describe('two servers side by side', () => {
  test('see each other’s running commands, read along, and wait for them', async () => {
    const [a, b] = [await open(), await open()]
    await run(a, 'echo one; until [ -e go ]; do sleep 0.05; done; echo two', { timeout_ms: 1, request_id: 'shared' })
    await resultOf(a, 'shared', { wait_for: 'text', text: 'one', wait_ms: 3000 })
    const { data } = await b.headless({ action: 'list' })
    expect(data.result.items?.map(({ session_id, owner, state }) => ({ session_id, owner, state }))).toEqual([
      { session_id: 'shared', owner: 'another_server', state: 'running' },
    ])
    const early = await resultOf(b, 'shared')
    writeFileSync(join(place.work, 'go'), '')
    const late = await resultOf(b, 'shared', { cursor: early.cursor, wait_for: 'exit', wait_ms: 5000 })
    expect([early.stdout, early.running, late.stdout, late.state, late.exit_code, late.waited]).toEqual([
      'one\n',
      true,
      'two\n',
      'exited',
      0,
      'exit',
    ])
  })

  test('one kills what the other runs, and both say so', async () => {
    const [a, b] = [await open(), await open()]
    await run(a, `${NOTE}; sleep 60`, { timeout_ms: 1, request_id: 'shared' })
    await eventually('it runs', () => noted().length === 1)
    const { data } = await b.headless({ action: 'kill', session_id: 'shared' })
    expect([data.success, data.result.running, living()]).toEqual([true, false, []])
    const seen = [
      data.result,
      await resultOf(a, 'shared', { wait_for: 'exit', wait_ms: 3000 }),
      await resultOf(b, 'shared'),
    ]
    expect(seen.map(({ state, exit_code }) => ({ state, exit_code }))).toEqual(
      seen.map(() => ({ state: 'killed', exit_code: -1 })),
    )
  })

  test('one request id sent to both at the same time is one execution, and both get its result', async () => {
    const [a, b] = [await open(), await open()]
    const ids = Array.from({ length: 25 }, (_, i) => `same-${i}`)
    const answers = await Promise.all(
      ids.flatMap(id => [a, b].map(server => run(server, `echo ${id} >> executed; echo ran`, { request_id: id }))),
    )
    expect(place.read('work/executed').split('\n').filter(Boolean).sort()).toEqual([...ids].sort())
    expect(answers.map(({ error, result }) => error?.message ?? result.stdout)).toEqual(answers.map(() => 'ran\n'))
  })

  test('a later server reads what an earlier one finished, streams and order included', async () => {
    const a = await open()
    await run(a, 'echo out; sleep 0.05; echo err >&2; sleep 0.05; echo out; exit 7', { request_id: 'old' })
    const before = await resultOf(a, 'old')
    await a.client.close()
    await eventually('it has ended', () => !processOf(a).lives)
    const after = await resultOf(await open(), 'old')
    const facts = ({ state, exit_code, stdout, stderr, order, cursor }: typeof after) => ({
      state,
      exit_code,
      stdout,
      stderr,
      order,
      cursor,
    })
    expect(facts(after)).toEqual(facts(before))
  })

  test('the same id with another command is refused by both', async () => {
    const [a, b] = [await open(), await open()]
    await run(a, 'echo one', { request_id: 'mine' })
    const codes = [await run(a, 'echo two', { request_id: 'mine' }), await run(b, 'echo two', { request_id: 'mine' })]
    expect(codes.map(({ error }) => error?.code)).toEqual(['PM_TERM_INVALID_PAYLOAD', 'PM_TERM_INVALID_PAYLOAD'])
  })
})
