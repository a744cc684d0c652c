import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/ids.ts'
import { EditorResponse } from '../../src/contract/tool/editor-response.ts'
import { HostTalk } from '../../src/vscode/host/host-talk.ts'
import { hostAt } from '../../src/vscode/product/product.ts'
import { EditorTerminals, MARK } from '../../src/vscode/terminals/editor-terminals.ts'
import { EditorTool } from '../../src/vscode/tool/editor-tool.ts'
import { type FakeApprover, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { asExample, EXAMPLES, requestOf } from '../fakes/examples.ts'
import { FakeEditor, type FakeTerminal } from '../fakes/fake-editor.ts'

/** The tool of the extension, with a real host behind it; only the editor is played. */
let at: LiveHost
let person: FakeApprover
let fake: FakeEditor
let tool: EditorTool
let terminals: EditorTerminals
let talk: HostTalk
let last = 0
const never = new AbortController().signal

beforeAll(async () => {
  at = await openLiveHost()
  person = await at.approver()
  at.place.write('state.marker', '')
})
afterAll(() => at.close())
beforeEach(() => {
  fake = new FakeEditor()
  fake.folder = at.place.work
  begin()
})

/** The extension host begins, also for a second time in the same window. */
function begin(hostFile = join(at.state, 'host.json')): void {
  const { editor } = fake
  talk = new HostTalk({
    clock: systemClock,
    ids: randomIds(),
    editor: { name: 'Fake Editor', version: '1.104.0' },
    places: async () => ({
      hostFile,
      localKeyFile: join(at.state, 'local.key'),
      approverFile: join(at.state, 'approver.v1.json'),
    }),
    hostAt: file =>
      file.endsWith('none.json')
        ? hostAt(file)
        : { pid: process.pid, port: at.host.port, approverPort: at.host.approverPort, version: 'test' },
  })
  terminals = new EditorTerminals(editor, {
    last: () => last,
    keep: next => {
      last = next
    },
  })
  tool = new EditorTool({ editor, clock: systemClock, host: talk, terminals, aboutToAsk: () => {} })
}

const call = async (payload: unknown, signal = never) => EditorResponse.parse(await tool.call(payload, signal))

/** The next question about this line, answered. */
async function approves(fits: string): Promise<void> {
  person.approve(await cardOf(fits))
}
const cardOf = (fits: string) =>
  person.question(question => question.kind === 'command' && (question.command || question.context) === fits)

async function opened(name: string, more: Record<string, unknown> = {}) {
  const context = `open ${name} ${last}`
  const answer = call({ action: 'create', name, context, ...more })
  await approves(context)
  const { terminal_id } = await answer
  return { id: terminal_id ?? '', terminal: fake.terminals.at(-1) as FakeTerminal }
}

test('§8: a terminal opens in sight of the person with the line that they approved, and its output and exit code come back', async () => {
  fake.runs = line => ({ output: `\u001b[32mran ${line}\u001b[0m\r\n`, exitCode: 3 })
  const answer = call({ action: 'create', name: 'Build it', command: 'expr 1 + 1' })
  await approves('expr 1 + 1')
  expect(await answer).toMatchObject({
    success: true,
    action: 'create',
    status: 'completed',
    terminal_id: expect.stringMatching(/^term_\d+_build-it$/),
    command: 'expr 1 + 1',
    authorization: 'allowed_with_warning',
    exit_code: 3,
    running: false,
    output: 'ran expr 1 + 1',
    warnings: [],
    note: null,
  })
  expect(fake.terminals[0]).toMatchObject({ shown: true, typed: ['expr 1 + 1'] })
})

test('§8: a terminal without shell integration says that output and exit code are not known', async () => {
  fake.integrates = false
  const { id, terminal } = await opened('plain')
  const answer = call({ action: 'send', terminal_id: id, command: 'expr 2 + 2' })
  const card = await cardOf('expr 2 + 2')
  expect(card).toMatchObject({ editor_terminal: { directory_known: 'where_it_began' } })
  person.approve(card)
  const said = await answer
  expect(said).toMatchObject({
    success: true,
    status: 'accepted',
    note: expect.stringContaining('no shell integration'),
  })
  expect([said.exit_code, said.output, said.running]).toEqual([undefined, undefined, undefined])
  expect(terminal.typed).toEqual(['expr 2 + 2'])
}, 30_000)

test('§8: a declined line, a destructive one and a line without a host are not typed, and each says so in its own way', async () => {
  const { id, terminal } = await opened('safe')
  const declined = call({ action: 'send', terminal_id: id, command: 'expr 3' })
  person.decline(await cardOf('expr 3'), 'not that')
  expect((await declined).error).toMatchObject({
    code: 'PM_TERM_DECLINED',
    message: expect.stringContaining('not that'),
  })
  expect((await call({ action: 'send', terminal_id: id, command: 'rm -rf /' })).error?.code).toBe(
    'PM_TERM_BLOCKED_DESTRUCTIVE',
  )
  expect(terminal.typed).toEqual([])

  begin(join(at.state, 'none.json'))
  const { error, fallback } = await call({ action: 'create', command: 'expr 4' })
  expect(error).toMatchObject({ code: 'PM_TERM_GUI_UNAVAILABLE', details: { reason: 'no_host' } })
  expect(fallback?.can_auto_retry).toBe(false)
})

test('§8: the line that the person wrote is the one that is typed, and the agent is told', async () => {
  const { id, terminal } = await opened('edited')
  const answer = call({ action: 'send', terminal_id: id, command: 'expr 5' })
  await person.edit(await cardOf('expr 5'), 'expr 6')
  expect(await answer).toMatchObject({ command: 'expr 6', warnings: [expect.stringContaining('expr 6')] })
  expect(terminal.typed).toEqual(['expr 6'])
})

test('§8: a terminal that the person closes while they are asked gets nothing typed, and says who closed it', async () => {
  const { id, terminal } = await opened('closing')
  const answer = call({ action: 'send', terminal_id: id, command: 'expr 7' })
  const card = await cardOf('expr 7')
  fake.closes(terminal)
  person.approve(card)
  expect((await answer).error).toMatchObject({
    code: 'PM_TERM_NOT_FOUND',
    message: expect.stringContaining('person closed'),
  })
  expect(terminal.typed).toEqual([])
  expect((await call({ action: 'list' })).terminals?.find(each => each.terminal_id === id)).toMatchObject({
    state: 'closed',
    closed_by: 'person',
  })
  // Approved, and nothing came of it: they hear that.
  await person.heard.next('not_started', frame => frame.ask_id === card.ask_id, 20_000)
}, 40_000)

test('§8: nothing is typed into a program that runs there, whoever started it', async () => {
  const { id, terminal } = await opened('busy')
  let end = () => {}
  const until = new Promise<void>(resolve => {
    end = resolve
  })
  fake.runs = () => ({ output: '', exitCode: 0, until })
  fake.types(terminal, 'vim')
  await eventually(
    'it is busy',
    async () => (await call({ action: 'list' })).terminals?.some(each => each.state === 'busy') ?? false,
  )
  expect((await call({ action: 'send', terminal_id: id, command: 'expr 8' })).error).toMatchObject({
    code: 'PM_TERM_INVALID_MODE',
    details: { reason: 'shell_busy' },
  })
  end()
})

test('§8: a line that runs on is told as running, and the call may be stopped without ending it', async () => {
  const { id, terminal } = await opened('long')
  fake.runs = () => ({ output: 'begun', exitCode: 0, until: new Promise(() => {}) })
  const answer = call({ action: 'send', terminal_id: id, command: 'expr 9', timeout_ms: 300 })
  await approves('expr 9')
  expect(await answer).toMatchObject({ success: true, status: 'accepted', running: true, output: 'begun' })
  fake.closes(terminal)
})

test('§8: a call that is cancelled while the person is asked takes its question back', async () => {
  const { id, terminal } = await opened('cancelled')
  const stop = new AbortController()
  const answer = call({ action: 'send', terminal_id: id, command: 'expr 10' }, stop.signal)
  const { ask_id } = await cardOf('expr 10')
  stop.abort()
  await person.heard.next('withdrawn', frame => frame.ask_id === ask_id)
  expect((await answer).error?.code).toBe('PM_TERM_DISCONNECTED')
  expect(terminal.typed).toEqual([])
})

test('§8: terminals are found again after the extension host was started anew, and end with the extension', async () => {
  const { id, terminal } = await opened('kept')
  talk.dispose()
  begin()
  expect((await call({ action: 'list' })).terminals).toMatchObject([{ terminal_id: id, state: 'open' }])
  const answer = call({ action: 'send', terminal_id: id, command: 'expr 11' })
  await approves('expr 11')
  expect((await answer).success).toBe(true)
  expect((terminal.creationOptions as { env: Record<string, string>; isTransient: boolean }).env[MARK]).toBe(id)
  terminals.dispose()
  await eventually('it is closed', () => fake.terminals.length === 0)
})

test('§8: close ends the terminal, says what ended with it, and a number is never given twice', async () => {
  const { id, terminal } = await opened('first')
  fake.runs = () => ({ output: '', exitCode: 0, until: new Promise(() => {}) })
  fake.types(terminal, 'npm run dev')
  await eventually(
    'it is busy',
    async () => (await call({ action: 'list' })).terminals?.some(each => each.state === 'busy') ?? false,
  )
  expect(await call({ action: 'close', terminal_id: id })).toMatchObject({
    success: true,
    warnings: [expect.stringContaining('npm run dev')],
  })
  expect((await call({ action: 'send', terminal_id: id, command: 'expr 12' })).error?.message).toContain(
    'closed by this tool',
  )
  expect((await opened('first')).id).not.toBe(id)
})

test('§8: the examples of the contract are what a caller really gets', async () => {
  last = 0
  const told = async (name: string, answer: (asked: Promise<EditorResponse>) => unknown = () => {}) => {
    const asked = call(requestOf(name, at.place.work))
    await answer(asked)
    expect({ [name]: asExample(await asked, at.place.work) }).toEqual({ [name]: EXAMPLES.get(`${name}.response`) })
  }
  fake.cwd = at.place.work
  fake.runs = () => ({ output: 'ready on http://localhost:5173', exitCode: 0, until: new Promise(() => {}) })
  await told('editor-create', () => approves('npm run dev'))
  const { terminal } = await opened('shell')
  fake.runs = () => ({ output: '1 of 12 failed\r\n', exitCode: 1 })
  await told('editor-send', () => approves('npm test'))
  await told('editor-list')
  await told('editor-close')
  fake.closes(terminal)
  await told('editor-send-closed')
})

test.each([
  ['no object', 'ls', 'PM_TERM_INVALID_PAYLOAD', 'must be an object'],
  ['no action', {}, 'PM_TERM_INVALID_ACTION', 'create, send, close, list'],
  ['an unknown action', { action: 'open' }, 'PM_TERM_INVALID_ACTION', '"open" is unknown'],
  [
    'the canonical contract',
    { action: 'execute', execution: { command: 'ls' } },
    'PM_TERM_INVALID_PAYLOAD',
    'Call memory_terminal_interactive',
  ],
  [
    'its reading',
    { action: 'read_output', session_id: 'req_1' },
    'PM_TERM_INVALID_PAYLOAD',
    'memory_terminal_interactive',
  ],
  ['the headless contract', { action: 'run', command: 'ls' }, 'PM_TERM_INVALID_PAYLOAD', 'memory_terminal'],
  [
    'its allowlist',
    { action: 'update_allowlist', operation: 'add', patterns: [] },
    'PM_TERM_INVALID_PAYLOAD',
    'Call memory_terminal instead',
  ],
  [
    'a send without a line',
    { action: 'send', terminal_id: 'term_1_a' },
    'PM_TERM_INVALID_PAYLOAD',
    'command is required for send',
  ],
  [
    'a send without a terminal',
    { action: 'send', command: 'ls' },
    'PM_TERM_INVALID_PAYLOAD',
    'terminal_id is required for send',
  ],
  [
    'variables for a terminal that is there',
    { action: 'send', terminal_id: 'term_1_a', command: 'ls', env: { A: '1' } },
    'PM_TERM_INVALID_PAYLOAD',
    'env is not allowed for send',
  ],
  ['a name that draws', { action: 'create', name: 'a\u001b[31m' }, 'PM_TERM_INVALID_PAYLOAD', 'name must be'],
  ['a field of nobody', { action: 'list', colour: 'red' }, 'PM_TERM_INVALID_PAYLOAD', 'colour is not a field'],
  [
    'an id of nobody',
    { action: 'send', terminal_id: 'term_99_x', command: 'ls' },
    'PM_TERM_NOT_FOUND',
    'There is no terminal term_99_x',
  ],
  [
    'an id of a host',
    { action: 'send', terminal_id: `term_${'0a'.repeat(16)}`, command: 'ls' },
    'PM_TERM_NOT_FOUND',
    'It may be one of memory_terminal_interactive',
  ],
])('§1.1: %s is refused before anybody is asked', async (_, payload, code, words) => {
  const asked = person.heard.all.filter(({ type }) => type === 'question').length
  const { success, error } = await call(payload)
  expect({ success, code: error?.code }).toEqual({ success: false, code })
  expect(error?.message).toContain(words)
  expect(person.heard.all.filter(({ type }) => type === 'question')).toHaveLength(asked)
})
