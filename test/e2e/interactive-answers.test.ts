import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually, isAlive, type Opened } from '../drivers/mcp-client.ts'

let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal
/** A file that exists once the command has run: the only proof that counts. */
let ran: string
const didRun = () => existsSync(ran)

beforeAll(async () => {
  here = new LivelyPlace()
  // Before the host runs: later it would be somebody else's writing.
  here.place.allow('expr *')
  agent = await here.server()
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)
beforeEach(() => {
  ran = join(here.place.root, `ran-${++tests}`)
})
let tests = 0

test('a yes runs it, and its output and exit code come back', async () => {
  const call = here.asks(agent, `touch ${ran}; /bin/echo out; exit 3`, {
    execution: { command: `touch ${ran}; /bin/echo out; exit 3`, context: 'to see what happens' },
  })
  await person.sees('to see what happens')
  expect(didRun()).toBe(false)
  await person.approves('/bin/echo out')
  const { data, text } = await call
  expect(data).toMatchObject({
    success: true,
    status: 'completed',
    result: {
      state: 'exited',
      exit_code: 3,
      running: false,
      stdout: 'out\n',
      authorization: 'allowed_with_warning',
      approved_by: 'person',
      adapter: 'host_bridge_local',
      visibility: 'visible',
    },
    identity: { session_id: expect.stringMatching(/^req_/), terminal_id: expect.stringMatching(/^term_/) },
  })
  expect(data.result.lifecycle).toEqual([
    'spawn',
    'ready',
    'request_sent',
    'correlation_verified',
    'user_decision',
    'response_returned',
  ])
  expect(text).toContain('Exit code 3')
  expect(didRun()).toBe(true)
})

test('a no runs nothing, and the agent hears the reason', async () => {
  const call = here.asks(agent, `touch ${ran}`)
  await person.declines(ran, 'not on a Friday')
  const { data } = await call
  expect(data).toMatchObject({
    success: false,
    error: { code: 'PM_TERM_DECLINED', details: { reason: 'not on a Friday' } },
    result: { state: 'declined', authorization: 'blocked' },
    fallback: { strategy: 'report_decline' },
  })
  const later = await agent.headless({ action: 'read_output', session_id: data.identity.session_id })
  expect(later.data.result.state).toBe('declined')
  expect(didRun()).toBe(false)
})

test('silence is not consent', async () => {
  const call = here.asks(agent, `touch ${ran}`, { runtime: { approval_timeout_ms: 1500 } })
  await person.sees(ran)
  const { data } = await call
  expect(data).toMatchObject({
    error: { code: 'PM_TERM_TIMEOUT', details: { phase: 'approval' } },
    result: { state: 'expired', authorization: 'blocked' },
  })
  await person.sees('expired without an answer')
  person.type('a')
  await person.sees('No commands waiting')
  expect(didRun()).toBe(false)
})

test('a call that is taken back takes its question back', async () => {
  const cancel = new AbortController()
  const call = here.asks(agent, `touch ${ran}`, {}, { signal: cancel.signal }).catch(() => 'cancelled')
  await person.sees(ran)
  cancel.abort('changed my mind')
  expect(await call).toBe('cancelled')
  await person.sees('withdrawn by the agent')
  person.type('a')
  await person.sees('No commands waiting')
  expect(didRun()).toBe(false)
})

test('an edited line runs instead, and the agent is told what ran', async () => {
  const call = here.asks(agent, `touch ${ran}`)
  await person.edits(ran, '/bin/echo edited')
  const { data } = await call
  expect(data.result).toMatchObject({ stdout: 'edited\n', command_executed: '/bin/echo edited', exit_code: 0 })
  expect(data.result.warning).toMatch(/^The person ran `\/bin\/echo edited` instead of `/)
  expect(didRun()).toBe(false)
})

test('a command that takes longer than the call lives on, and can be read and ended', async () => {
  const call = here.asks(agent, '/bin/echo begun; sleep 60', { runtime: { timeout_ms: 300 } })
  await person.approves('sleep 60')
  const { data } = await call
  expect({ status: data.status, running: data.result.running }).toEqual({ status: 'accepted', running: true })
  const session_id = data.identity.session_id
  const read = await agent.headless({
    action: 'read_output',
    session_id,
    cursor: 0,
    wait_for: 'text',
    text: 'begun',
    wait_ms: 5000,
  })
  expect(read.data.result).toMatchObject({ waited: 'text', stdout: 'begun\n', state: 'running' })
  const listed = await agent.interactive({ action: 'list' })
  expect(listed.data.result.items).toContainEqual(
    expect.objectContaining({ session_id, adapter: 'host_bridge_local', state: 'running' }),
  )
  const killed = await agent.headless({ action: 'kill', session_id })
  expect(killed.data.result).toMatchObject({ state: 'killed', exit_code: -1, stdout: expect.stringContaining('begun') })
})

test('progress tells that a person is waited for', async () => {
  const heard: string[] = []
  const onProgress = ({ message }: { message?: string | undefined }) => void heard.push(message ?? '')
  const call = here.asks(agent, '/bin/echo slow', {}, { onProgress })
  await person.reads('/bin/echo slow')
  await eventually('progress', () => heard.some(message => /^waiting for approval, \d+ s, 0 ahead$/.test(message)))
  person.type('a')
  expect((await call).data.status).toBe('completed')
})

test('the same request asked twice runs once', async () => {
  const once = { correlation: { request_id: 'only:once' } }
  const line = `/bin/echo x >> ${ran}`
  const first = here.asks(agent, line, once)
  await person.approves(ran)
  await first
  const again = await here.asks(agent, line, once)
  expect(again.data.result).toMatchObject({ state: 'exited', exit_code: 0 })
  expect(readFileSync(ran, 'utf8')).toBe('x\n')
})

test('a directory that is not there is named as the caller named it', async () => {
  const { data } = await here.asks(agent, 'true', { runtime: { cwd: 'gone' } })
  expect(data.error).toMatchObject({
    code: 'PM_TERM_INVALID_PAYLOAD',
    message: expect.stringMatching(/^runtime\.cwd \/\S+\/gone is not an existing directory\.$/),
    details: { issues: [{ field: 'runtime.cwd' }] },
  })
})

test('a call that is taken back stops waiting for what a person let run, and terminate ends it', async () => {
  const cancel = new AbortController()
  const alive = `${ran}-alive`
  const line = `/bin/echo $$ > ${alive}; sleep 60; touch ${ran}`
  const named = { correlation: { request_id: 'cancel:1' } }
  const call = here.asks(agent, line, named, { signal: cancel.signal }).catch(() => 'cancelled')
  await person.approves(alive)
  await eventually('it runs', () => existsSync(alive) && readFileSync(alive, 'utf8') !== '')
  const pid = Number(readFileSync(alive, 'utf8'))
  const target = { session_id: 'cancel:1' }
  const state = async () => (await agent.interactive({ action: 'read_output', target })).data.result.state
  // A call that is taken back while the command is just starting ends it.
  await eventually('the host knows that it runs', async () => (await state()) === 'running')
  cancel.abort('changed my mind')
  await call
  expect(await state()).toBe('running')
  expect((await agent.interactive({ action: 'terminate', target })).data.result.state).toBe('killed')
  await eventually('it is gone', () => !isAlive(pid))
  expect(didRun()).toBe(false)
})

test('a terminal can be opened, used, read and closed', async () => {
  const creating = agent.interactive({ action: 'create' })
  await person.approves('open a shell of yours')
  const opened = await creating
  const { terminal_id } = opened.data.identity
  expect(opened.data).toMatchObject({ success: true, status: 'accepted', result: { state: 'running', running: true } })
  // The text has its first digits, and a request may name it by them.
  expect(opened.text).toContain(`terminal ${String(terminal_id).slice(0, 'term_'.length + 8)} in `)
  const call = agent.interactive({ action: 'send', terminal_id, command: '/bin/echo in here' })
  await person.approves('/bin/echo in here')
  expect((await call).data.identity.terminal_id).toBe(terminal_id)
  const read = await agent.interactive({ action: 'read_output', target: { terminal_id } })
  expect(read.data.result.stdout).toBe('in here\n')
  expect((await agent.interactive({ action: 'close', terminal_id })).data.success).toBe(true)
  const gone = await agent.interactive({ action: 'send', terminal_id, command: '/bin/echo again' })
  expect(gone.data.error?.code).toBe('PM_TERM_NOT_FOUND')
})

test('what a command leaves to the next one is told, and the next one finds it', async () => {
  const sub = join(here.place.work, 'sub')
  mkdirSync(sub)
  const { data, text } = await here.asks(agent, 'cd sub')
  expect(data.result).toMatchObject({ cwd: here.place.work, carried: { cwd: sub } })
  expect(text).toContain(`[the terminal is now in ${sub}]`)
  const { terminal_id } = data.identity
  const sent = await agent.interactive({ action: 'send', terminal_id, command: 'pwd' })
  expect(sent.data.result).toMatchObject({ stdout: `${sub}\n`, cwd: sub })
  const elsewhere = await here.asks(agent, 'pwd', { runtime: { cwd: here.place.work }, target: { terminal_id } })
  expect(elsewhere.data.result.stdout).toBe(`${here.place.work}\n`)
})

test('a rule file that cannot be read is told about here as well, with the reason a person was asked', async () => {
  const whole = here.place.read('home/data/test/terminal-allowlist.json')
  const file = here.place.write('home/data/test/terminal-allowlist.json', '{"patterns": ["expr *"')
  try {
    const call = here.asks(agent, '/bin/echo broken rules')
    await person.approves('broken rules')
    const { data, text } = await call
    const why = expect.stringContaining(`${file} is not JSON; until it is fixed no rule counts here`)
    expect(data.result).toMatchObject({ exit_code: 0, verdict: { why }, warning: why })
    expect(text).toEqual(why)
  } finally {
    here.place.write('home/data/test/terminal-allowlist.json', whole)
  }
})

/** Wherever its row ends. */
const wrapped = (text: string): RegExp =>
  new RegExp([...text.replaceAll(' ', '')].map(char => char.replace('.', '\\.')).join('\\s*'))

test.each([
  ['a command', '/bin/echo half a workspace', {}],
  ['a command that is hard to undo', 'git push --force', {}],
  ['a shell', '', { invocation: { mode: 'interactive', intent: 'open_only' }, execution: undefined }],
])(
  'the half-written file of a workspace is told in the question about %s, and in the answer',
  async (_, line, more) => {
    const whole = here.place.read('home/data/test/workspace.v1.json')
    const file = here.place.write('home/data/test/workspace.v1.json', whole.slice(0, whole.indexOf('"accepted"')))
    try {
      const call = here.asks(agent, line, more)
      await person.declines(
        wrapped('workspace.v1.json is not JSON; until it is fixed no rule counts here'),
        'mend it first',
      )
      const { data, text } = await call
      expect(data.error?.code).toBe('PM_TERM_DECLINED')
      expect(text.replaceAll('\n', ' ')).toContain(`${file} is not JSON; until it is fixed no rule counts here`)
    } finally {
      here.place.write('home/data/test/workspace.v1.json', whole)
    }
  },
)
