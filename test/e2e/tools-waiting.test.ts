import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, isAlive, type Opened, openStdio } from '../drivers/mcp-client.ts'

describe('a client that is in a hurry', () => {
  let server: Opened
  beforeAll(async () => {
    server = await openStdio({ env: { PM_TERM_ANSWER_WITHIN_MS: '1000' } })
  })
  afterAll(() => server.close())

  test('gets a handle in time and hears the rest later', async () => {
    // It ends only when it is told to: an answer before that is one in time, however slow this machine is.
    const line = server.place.shell(`echo begin; until [ -e ${server.work}/go ]; do sleep 0.05; done; echo end; exit 5`)
    const { data, text } = await server.headless({ action: 'run', ...line, timeout_ms: 60_000 })
    expect({ status: data.status, running: data.result.running }).toEqual({ status: 'accepted', running: true })
    const hint = JSON.parse(/Read on with (\{.*\})/.exec(text)?.[1] ?? '{}')
    server.place.write('work/go', '')
    let heard = data.result.stdout ?? ''
    for (let cursor = hint.cursor; ; ) {
      const { result } = (await server.headless({ ...hint, cursor, wait_ms: 900 })).data
      heard += result.stdout
      cursor = result.cursor
      if (result.running) continue
      expect({ state: result.state, exit_code: result.exit_code, heard }).toEqual({
        state: 'exited',
        exit_code: 5,
        heard: 'begin\nend\n',
      })
      break
    }
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
    const line = server.place.shell(`echo hello; until [ -e ${server.work}/told ]; do sleep 0.05; done`)
    const onProgress = (each: { progress: number; message?: string | undefined }) => {
      told.push(each)
      server.place.write('work/told', '')
    }
    await server.headless({ action: 'run', ...line }, { onProgress })
    const [{ progress = 0, message = '' } = {}] = told
    const [, seconds] = /^running (\d+) s, 6 bytes of output$/.exec(message) ?? []
    expect([message, Number(seconds)]).toEqual([message, Math.round(progress)])
    expect(progress).toBeGreaterThan(4.9)
  })

  test.concurrent('an answer at once says that the command runs, not that it is done', async () => {
    const line = server.place.shell('sleep 60')
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

  test.concurrent('a call that says what to wait for is answered when it is there, long before the command ends', async () => {
    const line = server.place.shell('echo ready; sleep 60')
    const { data } = await server.headless({ action: 'run', ...line, wait_for: 'text', text: 'ready' })
    const { stdout, running } = data.result
    await server.headless({ action: 'kill', session_id: data.identity.session_id })
    expect({ status: data.status, stdout, running }).toEqual({ status: 'accepted', stdout: 'ready\n', running: true })
  })
})
