import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

/** Lines that nobody could run: they are told as that, not as something a person should decide. */
let server: Opened
beforeAll(async () => {
  server = await openStdio({ allow: ['/bin/echo *'] })
})
afterAll(() => server.close())

test.each([
  [{ command: 'gitt status' }, 'There is no program gitt on the PATH. Nothing ran.'],
  [{ command: '/bin/echo "open' }, 'The command has a quote that is not closed. Nothing ran.'],
  [
    { command: 'git log', args: ['-3'] },
    'There is no program git log on the PATH. With args, command is the program alone: "git", and "log" belong to args. Nothing ran.',
  ],
])('%j', async (line, message) => {
  const { data, text } = await server.headless({ action: 'run', ...line })
  expect(data.error).toMatchObject({ code: 'PM_TERM_INVALID_PAYLOAD', message })
  expect(text).not.toContain('memory_terminal_interactive')
})

test('the most natural call of the interactive tool stays headless, and is answered with the one that asks a person', async () => {
  const { data, text } = await server.interactive({ action: 'run', command: 'touch x' })
  expect(data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
  expect(data.next?.arguments).toEqual({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: 'touch x' },
  })
  expect(text).toContain(JSON.stringify(data.next?.arguments))
})

test('nobody decided anything in the lifecycle of a headless run', async () => {
  const { data } = await server.headless({ action: 'run', command: '/bin/echo x' })
  expect(data.result.lifecycle).toBeUndefined()
  expect(data.result.approved_by).toBe('allowlist')
})

test('a verdict says how bad it could get', async () => {
  expect((await server.headless({ action: 'run', command: 'rm -rf /' })).data.result.verdict?.tier).toBe('catastrophic')
  expect((await server.headless({ action: 'run', command: 'git push --force' })).data.result.verdict?.tier).toBe(
    'grave',
  )
})

test('a run is named by the first digits that its text says, also to a server that was started since', async () => {
  const { data, text } = await server.headless({ action: 'run', command: '/bin/echo x' })
  const [short = ''] = /req_[0-9a-f]{8}\b/.exec(text) ?? []
  expect(data.identity.session_id?.startsWith(short)).toBe(true)
  expect((await server.headless({ action: 'read_output', session_id: short })).data.result.stdout).toBe('x\n')
  const later = await openStdio({ place: server.place })
  try {
    const read = await later.headless({ action: 'read_output', session_id: short })
    expect(read.data).toMatchObject({ identity: data.identity, result: { stdout: 'x\n' } })
    const none = await later.headless({ action: 'read_output', session_id: 'req_00000000' })
    expect(none.data.error?.code).toBe('PM_TERM_NOT_FOUND')
  } finally {
    await later.close()
  }
})
