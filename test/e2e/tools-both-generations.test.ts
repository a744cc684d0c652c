import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, isAlive, type Opened, openHttp, openStdio } from '../drivers/mcp-client.ts'

/** What every client does, over both transports, in both generations of the protocol. */
describe.each([
  { transport: 'stdio', mode: 'legacy', era: 'legacy', open: openStdio },
  { transport: 'stdio', mode: 'auto', era: 'modern', open: openStdio },
  { transport: 'HTTP', mode: 'legacy', era: 'legacy', open: openHttp },
  { transport: 'HTTP', mode: 'auto', era: 'modern', open: openHttp },
] as const)('a client of the $era generation over $transport', ({ mode, era, open }) => {
  let server: Opened
  beforeAll(async () => {
    server = await open({ mode })
  })
  afterAll(() => server.close())

  const pidsIn = (file: string) => server.place.read(`work/${file}`).split('\n').filter(Boolean).map(Number)
  /** Two levels deep, the inner one in a session of its own: what a careless kill leaves behind. */
  const tree = (file: string) =>
    server.place.shell(`echo $$ >> ${file}; setsid sh -c 'echo $$ >> ${file}; sleep 60' & sleep 60`)

  test('really speaks that generation', () => {
    expect(server.client.getProtocolEra()).toBe(era)
  })

  test('runs a command and gets both streams and the exit code', async () => {
    const ran = await server.headless({ action: 'run', ...server.place.shell('echo out; echo err >&2; exit 3') })
    expect(ran.isError).toBe(false)
    expect(ran.data.result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exit_code: 3, running: false })
    expect(ran.text).toContain('Exit code 3')
  })

  test('leaves a command running, reads on, and kills it', async () => {
    const line = server.place.shell('echo first; sleep 60')
    const started = await server.headless({ action: 'run', ...line, request_id: 'long', timeout_ms: 1 })
    expect({ status: started.data.status, session: started.data.identity.session_id }).toEqual({
      status: 'accepted',
      session: 'long',
    })
    const wait = { wait_for: 'text', text: 'first', wait_ms: 5000 }
    const read = await server.headless({ action: 'read_output', session_id: 'long', ...wait })
    expect(read.data.result).toMatchObject({ stdout: 'first\n', running: true, waited: 'text' })
    const killed = await server.headless({ action: 'kill', session_id: 'long' })
    expect(killed.data.result).toMatchObject({ state: 'killed', exit_code: -1, ended_by: 'kill', running: false })
    const again = await server.headless({ action: 'kill', session_id: 'long' })
    expect({ error: again.data.error, warning: again.data.result.warning }).toEqual({
      error: null,
      warning: 'It had already ended; there was nothing to kill.',
    })
  })

  test('lists what ran, as runs of this server', async () => {
    await server.headless({ action: 'run', command: 'true', request_id: 'listed' })
    const { data } = await server.interactive({ action: 'list' })
    expect(data.result.items?.find(item => item.session_id === 'listed')).toMatchObject({
      state: 'exited',
      exit_code: 0,
      command: 'true',
    })
  })

  test('cancels a call, and the whole tree it started ends', async () => {
    const cancel = new AbortController()
    const call = server.headless({ action: 'run', ...tree('cancelled') }, { signal: cancel.signal })
    const refused = expect(call).rejects.toThrow()
    await eventually('both processes run', () => pidsIn('cancelled').length === 2)
    cancel.abort('user pressed stop')
    await refused
    await eventually('the tree is gone', () => !pidsIn('cancelled').some(isAlive))
    expect((await server.headless({ action: 'run', command: 'true' })).data.success).toBe(true)
  })

  // Over HTTP the new generation cancels by closing the stream, which cannot say why: there a clock that ran out is an end.
  const saysWhy = open !== openHttp || mode !== 'auto'
  test(saysWhy ? 'gives up by its own clock, and the command lives on' : 'gives up, and the command ends', async () => {
    const line = server.place.shell('sleep 0.6; echo survived')
    const call = server.headless({ action: 'run', ...line, request_id: 'patient' }, { timeoutMs: 250 })
    await expect(call).rejects.toThrow(/timed out/i)
    const { data } = await server.headless({
      action: 'read_output',
      session_id: 'patient',
      wait_for: 'exit',
      wait_ms: 8000,
    })
    const ended = saysWhy ? { state: 'exited', exit_code: 0, stdout: 'survived\n' } : { state: 'killed', exit_code: -1 }
    expect(data.result).toMatchObject(ended)
  })
})
