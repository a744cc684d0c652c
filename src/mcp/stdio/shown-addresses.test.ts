import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { FakeResources } from '../../../test/fakes/fake-resources.ts'
import { jsonLog } from '../../base/log.ts'
import type { McpFront, ToolCall } from '../server/mcp-server.ts'
import type { PointerEnd } from '../server/window-pointer.ts'
import { converseWithSdk } from './sdk-conversation.ts'
import { listenOnStdio } from './stdio-listener.ts'

type Message = {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: { structuredContent?: unknown }
}
const log = jsonLog({ level: 'silent', write() {}, now: () => 0 })
const POINTER = { id: 'req_1', url: 'http://localhost:9101/', message: 'A command waits.' }
const ELICITS = { elicitation: { url: {} } }

/** A client of one of both fronts; each call of a tool is in the hands of the test. */
async function connected(which: 'our own front' | 'the SDK', capabilities: object) {
  const calls: { call: ToolCall; answer: () => void }[] = []
  const front: McpFront = {
    version: '1',
    tools: [{ name: 'memory_terminal' } as McpFront['tools'][number]],
    resources: new FakeResources(),
    onListed() {},
    onGone() {},
    call: call =>
      new Promise(resolve => {
        calls.push({ call, answer: () => resolve({ structured: { ran: true }, text: 'ran', isError: false }) })
      }),
  }
  const [input, output] = [new PassThrough(), new PassThrough()]
  const heard: Message[] = []
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line !== '') heard.push(JSON.parse(line))
  })
  let push = (text: string): void => void input.write(text)
  if (which === 'our own front')
    listenOnStdio({
      front,
      toolList: '[]',
      session: () => 'ses_1',
      log,
      input,
      output,
      onBroken(cause) {
        throw cause
      },
    })
  else {
    const sdk = await converseWithSdk({ front, session: 'ses_1', log, output, began: null })
    push = text => void sdk.push(Buffer.from(text))
  }

  const settled = async () => {
    for (let i = 0; i < 30; i++) await turn()
  }
  const say = async (message: object) => {
    push(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    await settled()
  }
  const clientInfo = { name: 'c', version: '1' }
  await say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo } })
  await say({ method: 'notifications/initialized' })
  await say({ id: 1, method: 'tools/call', params: { name: 'memory_terminal', arguments: {} } })
  const [first] = calls
  if (!first) throw new Error('the call never came')
  heard.length = 0
  return { ...first, heard, say, settled }
}

const ends = (why: PointerEnd, requestId: unknown, answered: boolean) => [
  ...(answered ? [] : [{ method: 'notifications/cancelled', params: { requestId } }]),
  ...(why === 'call_ended'
    ? []
    : [{ method: 'notifications/elicitation/complete', params: { elicitationId: 'req_1' } }]),
]

describe.each(['our own front', 'the SDK'] as const)('through %s', which => {
  test.each([
    { result: { action: 'accept' } },
    { result: { action: 'decline' } },
    { result: { action: 'cancel' } },
    { error: { code: -32603, message: 'no browser' } },
    { result: { nonsense: [1] } },
    null,
  ])('what a client makes of an address (%j) neither ends the call nor answers anything', async reply => {
    const { call, answer, heard, say, settled } = await connected(which, ELICITS)
    const shown = call.point?.(POINTER)
    await settled()
    const [asked] = heard.splice(0)
    const { id, url, message } = POINTER
    expect(asked).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'url', elicitationId: id, url, message },
    })

    if (reply !== null) await say({ id: asked?.id, ...reply })
    expect({ heard, aborted: call.signal.aborted }).toEqual({ heard: [], aborted: false })
    shown?.end('question_ended')
    answer()
    await settled()
    expect(heard).toMatchObject([
      ...ends('question_ended', asked?.id, reply !== null),
      { id: 1, result: { structuredContent: { ran: true } } },
    ])
  })

  test('an address whose call ends before the question is taken back, not called done', async () => {
    const { call, heard, settled } = await connected(which, ELICITS)
    const shown = call.point?.(POINTER)
    await settled()
    const [asked] = heard.splice(0)
    shown?.end('call_ended')
    await settled()
    expect(heard).toMatchObject(ends('call_ended', asked?.id, false))
  })

  test('a reply that comes too late is let by', async () => {
    const { call, answer, heard, say, settled } = await connected(which, ELICITS)
    const shown = call.point?.(POINTER)
    await settled()
    const id = heard.splice(0)[0]?.id
    shown?.end('question_ended')
    answer()
    await settled()
    heard.length = 0
    await say({ id, result: { action: 'accept' } })
    expect(heard).toEqual([])
    await say({ id: 9, method: 'ping' })
    expect(heard).toMatchObject([{ id: 9, result: {} }])
  })

  test.each([{}, { elicitation: {} }, { elicitation: { form: {} } }])(
    'a client with %j is shown none',
    async capabilities => {
      const { call } = await connected(which, capabilities)
      expect(call.point).toBeUndefined()
    },
  )
})

test('a reply that comes when the SDK has taken over still counts as one', async () => {
  const { call, heard, say, settled } = await connected('our own front', ELICITS)
  const shown = call.point?.(POINTER)
  await settled()
  const [asked] = heard.splice(0)
  await say({ id: 5, method: 'resources/templates/list', params: {} })
  await say({ id: asked?.id, result: { action: 'accept' } })
  heard.length = 0
  shown?.end('question_ended')
  await settled()
  expect(heard).toMatchObject(ends('question_ended', asked?.id, true))
})
