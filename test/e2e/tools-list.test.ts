import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolList } from '../../src/mcp/server/tool-list.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

let server: Opened
let script: string
beforeAll(async () => {
  server = await openStdio()
  server.place.alone()
  script = server.place.script('mark.sh', `#!/bin/sh\necho ran >> ${server.work}/mark\n`)
})
afterAll(() => server.close())

test('a real client sees the tools as they are written', async () => {
  const { tools } = await server.client.listTools()
  expect(tools).toEqual(JSON.parse(JSON.stringify(toolList())))
})

test('the server says who it is and how its tools are meant', () => {
  expect(server.client.getServerVersion()).toMatchObject({ name: 'interactive-terminal', version: expect.any(String) })
  expect(server.client.getInstructions()).toContain('memory_terminal')
  expect(server.client.getServerCapabilities()).toEqual({
    tools: {},
    resources: { subscribe: true, listChanged: true },
  })
})

/** The client itself checks each answer against the tool's output schema; the helper checks it against the contract. */
test.each<[string, Record<string, unknown>]>([
  ['memory_terminal', { action: 'run', command: 'pwd' }],
  ['memory_terminal', { action: 'run', command: 'sleepless' }],
  ['memory_terminal', { action: 'run', command: 'rm -rf /' }],
  ['memory_terminal', { action: 'run', command: 'pwd', view: 'tail', max_bytes: 256 }],
  ['memory_terminal', { action: 'read_output', session_id: 'seen' }],
  ['memory_terminal', { action: 'read_output', session_id: 'seen', search: '/' }],
  ['memory_terminal', { action: 'kill', session_id: 'seen' }],
  ['memory_terminal', { action: 'list' }],
  ['memory_terminal', { action: 'get_allowlist' }],
  ['memory_terminal', { action: 'update_allowlist', operation: 'set', patterns: [] }],
  ['memory_terminal', { action: 'nonsense' }],
  ['memory_terminal', {}],
  ['memory_terminal', { action: 'execute' }],
  ['memory_terminal_interactive', { action: 'execute' }],
  ['memory_terminal_interactive', { action: 'run', command: 'pwd' }],
  ['memory_terminal_interactive', { action: 'create' }],
  ['memory_terminal_interactive', { action: 'read_output', target: { session_id: 'seen' } }],
  ['memory_terminal_interactive', { action: 'terminate', target: { session_id: 'gone' } }],
  ['memory_terminal_interactive', { action: 'list' }],
  ['memory_terminal_interactive', { action: 'get_allowlist' }],
  ['memory_terminal_interactive', { action: 'nonsense', deep: { er: [1, 2, { x: null }] } }],
])('%s answers %j in the shape it promised', async (tool, payload) => {
  await server.headless({ action: 'run', command: 'pwd', request_id: 'seen' })
  const { data, text, isError } = await server.call(tool, payload)
  expect({ isError, failed: data.status === 'failed', error: data.error === null, advice: !data.fallback }).toEqual({
    isError: !data.success,
    failed: !data.success,
    error: data.success,
    advice: data.success,
  })
  expect(text.length).toBeGreaterThan(0)
  if (data.error) expect(text.startsWith(`${data.error.code}: ${data.error.message}`)).toBe(true)
})

test('nothing runs interactively without a window, not even what a rule allows', async () => {
  for (const payload of [
    {
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command: script, args: ['x'] },
    },
    { action: 'run', invocation: { mode: 'interactive' }, command: script },
  ]) {
    const { data } = await server.interactive(payload)
    expect({ code: data.error?.code, reason: data.error?.details.reason, hint: data.error?.details.hint }).toEqual({
      code: 'PM_TERM_GUI_UNAVAILABLE',
      reason: 'bridge_required_no_fallback',
      hint: 'start_gui_app',
    })
  }
  expect(server.place.read('work/mark')).toBe('')
  // The rule itself is fine: the same script runs headless.
  await server.headless({ action: 'run', command: script, args: ['x'] })
  expect(server.place.read('work/mark')).toBe('ran\n')
})
