import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, isAlive, type Opened, openStdio } from '../drivers/mcp-client.ts'

let server: Opened
beforeAll(async () => {
  server = await openStdio()
})
afterAll(() => server.close())

/** Leaves one mark per execution, so that running twice shows. */
const marking = (file: string, line = 'true') => server.place.shell(`echo x >> ${server.work}/${file}; ${line}`)
const marks = (file: string) => server.place.read(`work/${file}`).length / 2

test('the same request sent again after its end is answered from the first run', async () => {
  const request = { action: 'run', ...marking('again', 'echo done; exit 4'), request_id: 'again' }
  const [first, second] = [await server.headless(request), await server.headless(request)]
  expect(marks('again')).toBe(1)
  for (const { data } of [first, second])
    expect({ session: data.identity.session_id, exit: data.result.exit_code, stdout: data.result.stdout }).toEqual({
      session: 'again',
      exit: 4,
      stdout: 'done\n',
    })
})

test('the same request sent ten times at once runs once, and all ten hear how it went', async () => {
  const request = { action: 'run', ...marking('at-once', 'sleep 0.2; echo done'), request_id: 'at-once' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => server.headless(request)))
  expect({ ran: marks('at-once'), told: new Set(answers.map(({ data }) => data.result.stdout)) }).toEqual({
    ran: 1,
    told: new Set(['done\n']),
  })
})

test('both tools mean the same run by the same request', async () => {
  const line = marking('both')
  await server.headless({ action: 'run', ...line, request_id: 'both' })
  const { data } = await server.interactive({
    action: 'execute',
    invocation: { mode: 'headless', intent: 'execute_command' },
    execution: line,
    correlation: { request_id: 'both' },
  })
  expect({ error: data.error, ran: marks('both') }).toEqual({ error: null, ran: 1 })
})

test('another way of waiting is still the same request', async () => {
  const request = { action: 'run', ...marking('waiting'), request_id: 'waiting' }
  await server.headless({ ...request, timeout_ms: 1 })
  const { data } = await server.headless({ ...request, timeout_ms: 9000, max_bytes: 300 })
  expect({ error: data.error, ran: marks('waiting') }).toEqual({ error: null, ran: 1 })
})

test.each([
  ['another command', (line: { command: string; args: string[] }) => ({ ...line, args: ['echo other'] })],
  ['another directory', (line: object) => ({ ...line, cwd: '/' })],
  ['another environment', (line: object) => ({ ...line, env: { CI: '1' } })],
  ['another end', (line: object) => ({ ...line, kill_after_ms: 5000 })],
])('the same id for %s is a mistake, and nothing runs', async (what, change) => {
  const id = `other:${what.replaceAll(' ', '-')}`
  const line = marking('other')
  await server.headless({ action: 'run', ...line, request_id: id })
  const before = marks('other')
  const { data } = await server.headless({ action: 'run', ...change(line), request_id: id })
  expect({ code: data.error?.code, issues: data.error?.details.issues, ran: marks('other') - before }).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    issues: [{ field: 'request_id', problem: 'is already used with another payload' }],
    ran: 0,
  })
})

test('a request that was refused is refused again, not run', async () => {
  const request = { action: 'run', command: 'chmod 600 never', request_id: 'refused' }
  const [first, second] = [await server.headless(request), await server.headless(request)]
  expect([first.data.error?.code, second.data.error?.code]).toEqual([
    'PM_TERM_APPROVAL_REQUIRED',
    'PM_TERM_APPROVAL_REQUIRED',
  ])
})

test('a second caller that loses interest does not stop the first one’s command', async () => {
  const request = { action: 'run', ...marking('shared', 'sleep 1; echo finished'), request_id: 'shared' }
  const first = server.headless(request)
  await eventually('it runs', () => marks('shared') === 1)
  const cancel = new AbortController()
  const second = expect(server.headless(request, { signal: cancel.signal })).rejects.toThrow()
  // The second call has reached the server when a later one is answered.
  await server.headless({ action: 'list' })
  cancel.abort('user pressed stop')
  await second
  expect((await first).data.result).toMatchObject({ state: 'exited', stdout: 'finished\n' })
})

test('a kill that comes at the very start leaves nothing running', async () => {
  const pids: number[] = []
  for (let i = 0; i < 10; i++) {
    const id = `early-${i}`
    const line = server.place.shell(`echo $$ > ${server.work}/${id}; sleep 60`)
    const run = server.headless({ action: 'run', ...line, request_id: id })
    // Sent right behind it, without waiting: an agent that knows its request id may do that.
    const kill = server.headless({ action: 'kill', session_id: id })
    const killed = await kill
    if (killed.data.error) {
      // Too early, the run was not known yet: then a second kill must do.
      await eventually('it started', () => server.place.read(`work/${id}`) !== '')
    }
    await server.headless({ action: 'kill', session_id: id })
    await run
    pids.push(Number(server.place.read(`work/${id}`)))
  }
  expect(pids.filter(pid => pid > 0 && isAlive(pid))).toEqual([])
})

test('the disk keeps whose request it was, and never the value of a variable', async () => {
  const ids = { request_id: 'kept', trace_id: 'trace-of-the-caller', client_request_id: 'step.9' }
  await server.headless({ action: 'run', command: 'pwd', env: { LANG: 'xx_VALUE' }, ...ids })
  const state = join(server.home, 'state')
  const kept = readdirSync(state, { recursive: true, encoding: 'utf8' })
    .map(name => join(state, name))
    .filter(file => statSync(file).isFile())
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  const opened = kept
    .split('\n')
    .filter(line => line.includes('"id":"kept"') && line.includes('"opened"'))
    .map(line => JSON.parse(line))
  expect(opened).toMatchObject([
    { id: 'kept', trace_id: ids.trace_id, client_request_id: ids.client_request_id, env_names: ['LANG'] },
  ])
  expect(kept).not.toContain('xx_VALUE')
})
