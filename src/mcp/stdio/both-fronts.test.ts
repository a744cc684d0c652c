import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { FakeResources } from '../../../test/fakes/fake-resources.ts'
import { jsonLog } from '../../base/log.ts'
import type { McpFront, ToolCall } from '../server/mcp-server.ts'
import { toolList } from '../server/tool-list.ts'
import { PLAIN_VERSIONS } from './plain-messages.ts'
import { converseWithSdk } from './sdk-conversation.ts'
import { listenOnStdio } from './stdio-listener.ts'

/**
 * The same words to both: our own front, which goes over to the SDK where it must, and the SDK from the first word on. What a client
 * hears has to be the same, byte for byte, and so has what reaches the tools.
 */
const log = jsonLog({ level: 'silent', write() {}, now: () => 0 })

/** Calls end when the test says so; what has reached them is written down. */
function tools() {
  const resources = new FakeResources()
  const seen: unknown[] = []
  const open = new Map<string, { call: ToolCall; answer: (how: 'ok' | Error) => void }>()
  const front: McpFront = {
    version: '1.2.3',
    tools: toolList(),
    resources,
    onListed: client => void seen.push({ listed: client }),
    onGone() {},
    call(call) {
      const { signal, progress, point, ...rest } = call
      const name = String((call.arguments as { id?: unknown }).id)
      seen.push({ ...rest, progress: progress !== undefined, point: point !== undefined, aborted: signal.aborted })
      signal.addEventListener('abort', () => {
        const { reason } = signal
        seen.push({ taken_back: name, reason: reason instanceof Error ? reason.message : reason })
      })
      return new Promise((resolve, reject) => {
        open.set(name, {
          call,
          answer: how =>
            how === 'ok'
              ? resolve({ structured: { of: name, text: 'ü\u2028"' }, text: `of ${name}`, isError: name === 'bad' })
              : reject(how),
        })
      })
    },
  }
  return { front, seen, open, resources }
}

type Step =
  | { readonly say: string | Buffer }
  | { readonly end: string; readonly how?: Error }
  | { readonly progress: string; readonly ms: number }
  | { readonly news: 'change' | 'appear' }
  | { readonly hangUp: true }

async function conversation(which: 'ours' | 'sdk', steps: readonly Step[]) {
  const { front, seen, open, resources } = tools()
  const [input, output] = [new PassThrough(), new PassThrough()]
  let heard = ''
  output.on('data', chunk => {
    heard += chunk
  })
  const session = () => 'ses_1'
  let say = (bytes: Buffer | null): void => void (bytes === null ? input.end() : input.write(bytes))
  if (which === 'ours')
    listenOnStdio({
      front,
      toolList: JSON.stringify(front.tools),
      session,
      log,
      input,
      output,
      onBroken: cause => void seen.push({ broken: String(cause) }),
    })
  else {
    const sdk = await converseWithSdk({ front, session: session(), log, output, began: null })
    say = bytes => void sdk.push(bytes)
  }

  const heardAfter: string[][] = []
  for (const step of steps) {
    if ('say' in step) say(Buffer.from(step.say))
    else if ('end' in step) open.get(step.end)?.answer(step.how ?? 'ok')
    else if ('news' in step) resources[step.news]()
    else if ('progress' in step) open.get(step.progress)?.call.progress?.(step.ms, 'running 5 s')
    else say(null)
    await quiet(() => `${heard.length} ${seen.length}`)
    // Which of two answers comes first is nobody's promise.
    heardAfter.push(heard.split('\n').sort())
    heard = ''
  }
  return { heardAfter, seen }
}

/** Until nothing happens any more: the SDK answers after many turns, and is loaded on the way. */
async function quiet(state: () => string): Promise<void> {
  let last = ''
  for (let still = 0; still < 30; still++) {
    if (state() !== last) still = 0
    last = state()
    await turn()
  }
}

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const initialize = (params: object = {}) =>
  line({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: { roots: { listChanged: true }, elicitation: {} },
      clientInfo: { name: 'a client', title: 'A client', version: '1' },
      ...params,
    },
  })
const BEGIN: Step[] = [{ say: initialize() }, { say: line({ method: 'notifications/initialized' }) }]
const call = (id: unknown, name = String(id), more: object = {}) =>
  line({ id, method: 'tools/call', params: { name: 'memory_terminal', arguments: { id: name }, ...more } })
const cancel = (requestId: unknown, more: object = {}) =>
  line({ method: 'notifications/cancelled', params: { requestId, ...more } })
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '2' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const listen = (id: string, notifications: object) =>
  line({ id, method: 'subscriptions/listen', params: { _meta: META, notifications } })
const STRANGE = line({ id: 'strange', method: 'resources/list', params: {} })

const CONVERSATIONS: Record<string, Step[]> = {
  'the usual one': [
    ...BEGIN,
    { say: line({ id: 1, method: 'tools/list' }) },
    { say: line({ id: 'two', method: 'tools/list', params: { _meta: { progressToken: 7 } } }) },
    { say: line({ id: 3, method: 'ping' }) },
    { say: line({ method: 'notifications/roots/list_changed' }) },
    { say: call(4) + call('five') },
    { end: 'five' },
    { end: '4' },
    { say: call(5, 'bad') },
    { end: 'bad' },
  ],
  'progress, with tokens of both kinds': [
    ...BEGIN,
    { say: call(1, 'a', { _meta: { progressToken: 'tok"en' } }) },
    { say: call(2, 'b', { _meta: { progressToken: 9, 'client/own': true } }) },
    { progress: 'a', ms: 5000.4 },
    { progress: 'b', ms: 10_000 },
    { end: 'a' },
    { end: 'b' },
  ],
  'calls that are taken back': [
    ...BEGIN,
    { say: call(1) + call('1', 'one') },
    { say: cancel('1', { reason: 'user pressed stop' }) },
    { say: cancel(1) },
    { say: cancel(99) },
    { end: '1' },
    { end: 'one' },
    { say: call(2) + cancel(2, { reason: 'at once' }) },
    { end: '2' },
  ],
  'a tool that breaks': [
    ...BEGIN,
    { say: call(1) + call(2) + call(3) },
    { end: '1', how: new Error('broken') },
    { end: '2', how: Object.assign(new Error('no space'), { code: 'ENOSPC' }) },
    { end: '3', how: Object.assign(new Error('own code'), { code: -32_001, data: { more: 1 } }) },
  ],
  'a method that we do not have, with calls under way': [
    ...BEGIN,
    { say: call(1, 'a', { _meta: { progressToken: 1 } }) + call(2) + call(3) },
    { say: STRANGE + call(4) },
    { progress: 'a', ms: 1000 },
    { say: cancel(2, { reason: 'stop' }) },
    { say: cancel(4, { reason: 'stop' }) },
    { end: '2' },
    { end: '4' },
    { end: 'a' },
    { say: line({ id: 9, method: 'tools/list' }) + call(3, 'again') + cancel(3) },
    { end: 'again' },
    { end: '3' },
  ],
  'resources: listed, read, and heard of': [
    ...BEGIN,
    { say: call(1) },
    { say: line({ id: 2, method: 'resources/list' }) },
    { say: line({ id: 3, method: 'resources/templates/list' }) },
    { say: line({ id: 4, method: 'resources/read', params: { uri: 'terminal://runs/req_1/output' } }) },
    { say: line({ id: 5, method: 'resources/read', params: { uri: 'terminal://runs/other/output' } }) },
    { say: line({ id: 6, method: 'resources/subscribe', params: { uri: 'terminal://runs/req_1/output' } }) },
    { say: line({ id: 7, method: 'resources/subscribe', params: { uri: 'terminal://nothing' } }) },
    { news: 'change' },
    { news: 'appear' },
    { news: 'appear' },
    { say: line({ id: 8, method: 'resources/unsubscribe', params: { uri: 'terminal://runs/req_1/output' } }) },
    { end: '1' },
  ],
  'the later generation hears of resources': [
    { say: line({ id: 1, method: 'server/discover', params: { _meta: META } }) },
    { say: line({ id: 2, method: 'resources/list', params: { _meta: META } }) },
    { say: listen('all', { resourceSubscriptions: ['terminal://runs/req_1/output'], resourcesListChanged: true }) },
    { news: 'change' },
    { news: 'appear' },
    { say: cancel('all') },
    { news: 'change' },
    { news: 'appear' },
  ],
  'the client hangs up with calls under way': [...BEGIN, { say: call(1) }, { hangUp: true }, { end: '1' }],
  '… and after the SDK has taken over': [
    ...BEGIN,
    { say: call(1) + STRANGE },
    { say: call(2) },
    { hangUp: true },
    { end: '1' },
    { end: '2' },
  ],
  'everything at once, the end too': [
    { say: initialize() + line({ id: 1, method: 'tools/list' }) + STRANGE + line({ id: 2, method: 'ping' }) },
    { say: call(3) },
    { end: '3' },
    { hangUp: true },
  ],
  'lines cut anywhere, letters in the middle': [
    ...BEGIN,
    ...[...Buffer.from(call(1, 'grün 🙂'))].map(byte => ({ say: Buffer.from([byte]) })),
    { end: 'grün 🙂' },
    { say: Buffer.from(STRANGE).subarray(0, 11) },
    { say: Buffer.concat([Buffer.from(STRANGE).subarray(11), Buffer.from(call(2)).subarray(0, 30)]) },
    { say: Buffer.from(call(2)).subarray(30) },
    { end: '2' },
  ],
  'other ends of lines, and lines that are no message': [
    ...BEGIN,
    { say: line({ id: 1, method: 'ping' }).replace('\n', '\r\n') },
    { say: '\n' },
    { say: line({ id: 2, method: 'ping' }) },
    { say: '{"half":\n[]\n[{"jsonrpc":"2.0","id":8,"method":"ping"}]\nnull\n7\n' },
    { say: line({ id: 3, method: 'ping' }) },
  ],
  'a line longer than we read ourselves': [
    ...BEGIN,
    { say: call(1) },
    { say: call(2, 'long', { arguments: { id: 'long', text: 'x'.repeat(1_500_000) } }) + cancel(1) },
    { end: 'long' },
    { end: '1' },
  ],
  'the later generation from the start': [
    { say: line({ id: 1, method: 'server/discover', params: { _meta: META } }) },
    { say: line({ id: 2, method: 'tools/list', params: { _meta: META } }) },
    { say: call(3, '3', { _meta: { ...META, progressToken: 'p' } }) },
    { progress: '3', ms: 1000 },
    { end: '3' },
    { say: initialize() },
  ],
  'the later generation is asked for, and the earlier one spoken': [
    { say: line({ id: 1, method: 'server/discover', params: { _meta: META } }) },
    { say: initialize({ protocolVersion: '2025-11-25' }) },
    { say: line({ id: 2, method: 'tools/list' }) },
  ],
  'words of the later generation in a conversation of the earlier one': [
    ...BEGIN,
    { say: line({ id: 1, method: 'tools/list', params: { _meta: META } }) },
    { say: call(2, '2', { _meta: META }) },
    { end: '2' },
  ],
  'it is begun twice': [
    ...BEGIN,
    { say: initialize({ clientInfo: { name: 'another', version: '2' } }) },
    { say: call(1) },
    { end: '1' },
  ],
  'it begins with something else': [
    { say: line({ id: 1, method: 'tools/list' }) },
    { say: initialize() },
    { say: call(2) },
    { end: '2' },
  ],
  'it begins with a version that nobody knows': [
    { say: initialize({ protocolVersion: '1999-01-01' }) },
    { say: call(1) },
  ],
}
for (const version of SUPPORTED_PROTOCOL_VERSIONS)
  CONVERSATIONS[`it begins with ${version}`] = [{ say: initialize({ protocolVersion: version }) }]

/** Each alone, after a beginning: what is wrong with it is said by the SDK, and what is right with it is taken. */
const ODD: unknown[] = [
  { id: null, method: 'ping' },
  { id: 1.5, method: 'ping' },
  { id: 1e300, method: 'ping' },
  { id: -0, method: 'ping' },
  { id: '', method: 'ping' },
  { id: true, method: 'ping' },
  { id: 1, method: 'ping', params: null },
  { id: 1, method: 'ping', params: [] },
  { id: 1, method: 'ping', params: { more: 1 } },
  { id: 1, method: 'ping', more: 1 },
  { id: 1, method: 'ping', params: { _meta: null } },
  { id: 1, method: 'ping', params: { _meta: { progressToken: 1.5 } } },
  { id: 1, method: 'ping', params: { _meta: { progressToken: null } } },
  { id: 1, method: 7 },
  { id: 1 },
  { id: 1, result: {} },
  { id: 1, error: { code: 1, message: 'no' } },
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { id: 1, method: 'tools/list', params: { cursor: 'next' } },
  { id: 1, method: 'tools/list', params: { cursor: 7 } },
  { id: 1, method: 'tools/call' },
  { id: 1, method: 'tools/call', params: { name: 'unknown' } },
  { id: 1, method: 'tools/call', params: { name: 'constructor', arguments: {} } },
  { id: 1, method: 'tools/call', params: { name: 7, arguments: {} } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', arguments: null } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', arguments: [] } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', arguments: 'x' } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal' } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', task: { ttl: 1 } } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', task: 7 } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', requestState: 'x' } },
  { id: 1, method: 'tools/call', params: { name: 'memory_terminal', _meta: { 'io.modelcontextprotocol/x': 1 } } },
  { id: 1, method: 'notifications/cancelled', params: { requestId: 1 } },
  { method: 'notifications/cancelled' },
  { method: 'notifications/cancelled', params: { requestId: 1.5 } },
  { method: 'notifications/cancelled', params: { requestId: 5, reason: 7 } },
  { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
  { method: 'ping' },
  { id: 1, method: 'initialize', params: {} },
  { id: 1, method: 'logging/setLevel', params: { level: 'info' } },
  { id: 1, method: '__proto__' },
]
for (const message of ODD) {
  const odd = line(message as object)
  CONVERSATIONS[`odd: ${odd.trim()}`] = [...BEGIN, { say: odd }, { end: 'undefined' }, { say: call(5) }, { end: '5' }]
}
CONVERSATIONS['odd: a name that a parser leaves out'] = [
  ...BEGIN,
  { say: call(1).replace('"id":"1"', '"id":"1","__proto__":{"a":1}') },
  { end: '1' },
]

const CLIENTS: unknown[] = [
  { capabilities: { experimental: { a: {} }, extensions: { 'a/b': { c: [1] } }, own: 7 } },
  { capabilities: { experimental: { a: 1 } } },
  { capabilities: { sampling: {}, tasks: { list: {}, requests: { sampling: {} } } } },
  { capabilities: { sampling: true } },
  { capabilities: { roots: { listChanged: 'yes' } } },
  { capabilities: { elicitation: { form: { applyDefaults: true, more: [null] }, url: {} } } },
  { capabilities: { elicitation: [] } },
  { capabilities: { constructor: 1, toString: {} } },
  { capabilities: null },
  { capabilities: undefined },
  { clientInfo: { name: 'a', version: 1 } },
  { clientInfo: { name: 'a' } },
  { clientInfo: { name: 'a', version: '1', title: null } },
  { clientInfo: { name: 'a', version: '1', websiteUrl: 'https://a.test', description: 'd', more: {} } },
  { clientInfo: { name: 'a', version: '1', icons: [{ src: 'a.png' }] } },
  { clientInfo: { name: 'a', version: '1', icons: 'a.png' } },
  { clientInfo: undefined },
  { protocolVersion: 7 },
  { _meta: META },
  { _meta: { progressToken: 1 } },
  { more: 1 },
]
for (const params of CLIENTS)
  CONVERSATIONS[`a client that begins with ${JSON.stringify(params)}`] = [
    { say: initialize(params as object) },
    { say: line({ id: 1, method: 'tools/list' }) },
    { say: call(2) },
    { end: '2' },
  ]

test.each(Object.entries(CONVERSATIONS))('both fronts answer the same: %s', async (_, steps) => {
  const [ours, sdk] = [await conversation('ours', steps), await conversation('sdk', steps)]
  expect(ours).toEqual(sdk)
})

test('the versions of our own front are those of the SDK', () => {
  expect([...PLAIN_VERSIONS].sort()).toEqual([...SUPPORTED_PROTOCOL_VERSIONS].sort())
})

test('a client of either generation hears of the resource it named, and of the list once it has looked, until it has heard enough', async () => {
  const uri = 'terminal://runs/req_1/output'
  const heardOf = async (name: string, which: 'ours' | 'sdk') => {
    const { heardAfter } = await conversation(which, CONVERSATIONS[name] ?? [])
    const said = heardAfter.flat().filter(text => text !== '')
    const messages = said.map(text => JSON.parse(text) as { method?: string; params?: { uri?: string } })
    return messages.flatMap(({ method, params }) =>
      method?.startsWith('notifications/resources') ? [`${method} ${params?.uri ?? ''}`.trim()] : [],
    )
  }
  const once = [`notifications/resources/updated ${uri}`, 'notifications/resources/list_changed']
  expect(await heardOf('resources: listed, read, and heard of', 'ours')).toEqual(once)
  expect(await heardOf('the later generation hears of resources', 'ours')).toEqual(once)
})
