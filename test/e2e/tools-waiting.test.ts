import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, isAlive, type Opened, openStdio } from '../fakes/mcp-client.ts'

describe('a client that is in a hurry', () => {
  let server: Opened
  beforeAll(async () => {
    server = await openStdio({ env: { PM_TERM_ANSWER_WITHIN_MS: '1000' } })
  })
  afterAll(() => server.close())

  test('gets a handle in time and hears the rest later', async () => {
    const line = server.place.shell('echo begin; sleep 1.6; echo end; exit 5')
    const began = performance.now()
    const { data, text } = await server.headless({ action: 'run', ...line, timeout_ms: 60_000 })
    const waited = performance.now() - began
    expect({ status: data.status, running: data.result.running, stdout: data.result.stdout }).toEqual({
      status: 'accepted',
      running: true,
      stdout: 'begin\n',
    })
    expect(waited).toBeLessThan(2500)
    const hint = JSON.parse(/Read on with (\{.*\})/.exec(text)?.[1] ?? '{}')
    const rest = await server.headless({ ...hint, wait_ms: 900 })
    const { result } = rest.data.result.running
      ? (await server.headless({ ...hint, cursor: rest.data.result.cursor, wait_ms: 900 })).data
      : rest.data
    expect({ state: result.state, exit_code: result.exit_code, stdout: result.stdout }).toEqual({
      state: 'exited',
      exit_code: 5,
      stdout: 'end\n',
    })
  })

  test('that asks with a progress token is waited for', async () => {
    const line = server.place.shell('sleep 1.3; echo end')
    const { data } = await server.headless({ action: 'run', ...line }, { onProgress: () => {} })
    expect({ status: data.status, stdout: data.result.stdout }).toEqual({ status: 'completed', stdout: 'end\n' })
  })
})

describe('over stdio', () => {
  let server: Opened
  beforeAll(async () => {
    server = await openStdio()
  })
  afterAll(() => server.close())

  test.concurrent('a caller that listens hears that its command still runs', async () => {
    const told: { progress: number; message?: string | undefined }[] = []
    const line = server.place.shell('echo hello; sleep 5.4')
    await server.headless({ action: 'run', ...line }, { onProgress: each => void told.push(each) })
    expect(told).toEqual([{ progress: expect.any(Number), message: 'running 5 s, 6 bytes of output' }])
    expect(Math.round(told[0]?.progress ?? 0)).toBe(5)
  })

  test.concurrent('an answer at once says that the command runs, not that it is done', async () => {
    const line = server.place.shell('sleep 3')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.headless({ action: 'run', ...line, timeout_ms: 0 })),
    )
    const told = answers.map(({ data }) => data.status)
    await Promise.all(
      answers.map(({ data }) => server.headless({ action: 'kill', session_id: data.identity.session_id })),
    )
    expect(told).toEqual(Array(20).fill('accepted'))
  })

  test.concurrent('a command does not end because its call was answered', async () => {
    const line = server.place.shell(`echo $$ > ${server.work}/lives-on; sleep 60`)
    const { data } = await server.headless({ action: 'run', ...line, timeout_ms: 100 })
    await eventually('it tells its pid', () => server.place.read('work/lives-on') !== '')
    const pid = Number(server.place.read('work/lives-on'))
    expect({ status: data.status, alive: isAlive(pid) }).toEqual({ status: 'accepted', alive: true })
    await server.headless({ action: 'kill', session_id: data.identity.session_id })
    await eventually('it is gone', () => !isAlive(pid))
  })

  test.concurrent('a field that says what to wait for is honoured or refused, never ignored', async () => {
    const line = server.place.shell('echo ready; sleep 3')
    const began = performance.now()
    const { data } = await server.headless({ action: 'run', ...line, wait_for: 'text', text: 'ready' })
    const early = performance.now() - began < 2500
    if (data.identity.session_id !== null)
      await server.headless({ action: 'kill', session_id: data.identity.session_id })
    expect(data.error?.code === 'PM_TERM_INVALID_PAYLOAD' || early).toBe(true)
  })
})
