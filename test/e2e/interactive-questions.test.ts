import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually, type Opened } from '../drivers/mcp-client.ts'

let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal
let ran: string

const IMPATIENT = { env: { PM_TERM_ANSWER_WITHIN_MS: '1000' } }
let tests = 0

beforeAll(async () => {
  here = new LivelyPlace()
  agent = await here.server(IMPATIENT)
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)
beforeEach(() => {
  ran = join(here.place.root, `ran-${++tests}`)
})

/** Which rows of a long question are in view. */
const MORE_BELOW = /rows \d+ to (\d+) of (?!\1\b)\d+/
const atItsEnd = () => /rows \d+ to (\d+) of \1\b/.test(person.screen)

const read = (session_id: string | null, output = {}) =>
  agent.interactive({ action: 'read_output', target: { session_id }, output })

test('a caller that cannot wait hears that the question is open, and later how it went', async () => {
  const call = await here.asks(agent, `touch ${ran}; /bin/echo later`)
  expect(call.data).toMatchObject({
    success: true,
    status: 'accepted',
    result: { state: 'awaiting_approval', running: false },
  })
  const id = call.data.identity.session_id
  expect(call.text).toContain('Waiting for a person to decide')
  expect((await read(id)).data).toMatchObject({ status: 'accepted', result: { state: 'awaiting_approval' } })
  expect(existsSync(ran)).toBe(false)
  await person.approves('/bin/echo later')
  const done = await read(id, { wait_for: 'exit', wait_ms: 900, cursor: 0 })
  expect(done.data.result).toMatchObject({ state: 'exited', exit_code: 0, stdout: 'later\n', approved_by: 'person' })
})

test('a caller that cannot wait is told of a no as well', async () => {
  const call = await here.asks(agent, `touch ${ran}`)
  await person.declines(ran, 'never')
  const id = call.data.identity.session_id
  await eventually('the no', async () => (await read(id)).data.result.state === 'declined')
  expect(existsSync(ran)).toBe(false)
})

test('ending a run that waits for an answer withdraws the question', async () => {
  const call = await here.asks(agent, `touch ${ran}`)
  await person.reads(ran)
  const ended = await agent.interactive({
    action: 'terminate',
    target: { session_id: call.data.identity.session_id },
  })
  expect(ended.data.result.state).toBe('withdrawn')
  await person.sees('withdrawn by the agent')
  person.type('a')
  await person.sees('No commands waiting')
  expect(existsSync(ran)).toBe(false)
})

test('a server that ends takes its questions with it', async () => {
  const another = await here.server(IMPATIENT)
  await here.asks(another, `touch ${ran}`)
  await person.reads(ran)
  await another.close()
  await person.sees(/whoever asked is gone: it did not run/)
  expect(existsSync(ran)).toBe(false)
})

test('another server of the same person finds the run again', async () => {
  const call = await here.asks(agent, '/bin/echo shared')
  await person.approves('/bin/echo shared')
  const other = await here.server()
  const found = await other.interactive({
    action: 'read_output',
    target: { session_id: call.data.identity.session_id },
    output: { wait_for: 'exit', wait_ms: 5000, cursor: 0 },
  })
  expect(found.data.result).toMatchObject({ state: 'exited', stdout: 'shared\n' })
})

test('a rule is a question, and counts only after a yes', async () => {
  const change = { action: 'update_allowlist', operation: 'add', patterns: [`touch ${ran}`], workspace_id: 'test' }
  const run = { action: 'run', command: `touch ${ran}` }
  const patient = { onProgress: () => {}, timeoutMs: 30_000 }
  const no = agent.headless(change, patient)
  await person.declines(`touch ${ran}`, 'not that')
  expect((await no).data.error).toMatchObject({ code: 'PM_TERM_DECLINED', details: { reason: 'not that' } })
  expect((await agent.headless(run)).data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
  const yes = agent.headless(change, patient)
  await person.approves(`touch ${ran}`)
  expect((await yes).data).toMatchObject({ success: true, result: { approved_by: 'person' } })
  expect((await agent.headless(run)).data.result.exit_code).toBe(0)
})

test('the person reads who asks: the name and version that the client gives itself', async () => {
  await here.asks(agent, `touch ${ran}`)
  await person.sees(/^calls itself +test 1 *$\n^ +The name is its own claim, not checked\./m)
  await person.declines(ran, 'only looking')
  await person.sees('No commands waiting')
})

test('a long command cannot be approved before all of it was on the screen', async () => {
  const line = [...Array.from({ length: 60 }, (_, i) => `/bin/echo ${i}`), `touch ${ran}`].join('\n')
  await here.asks(agent, line)
  await person.sees(MORE_BELOW)
  person.type('a')
  await person.sees(/Too fast|Not all of it/)
  expect(existsSync(ran)).toBe(false)
  await eventually('the end of it', () => {
    person.type('\x1b[6~')
    return atItsEnd()
  })
  await person.approves(ran)
  await eventually('it ran', () => existsSync(ran))
})

test('whoever answers in a terminal reads the script that a line runs, to its end, with nothing hidden in it', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `: line ${i}`)
  agent.place.write('work/deploy.sh', [...lines, 'echo \x1b[2K\u202edone', `touch ${ran}`, ''].join('\n'))
  await here.asks(agent, 'bash deploy.sh')
  await person.sees(/Script deploy\.sh in .*deploy\.sh:/)
  await person.sees(MORE_BELOW)
  person.type('a')
  await person.sees(/Too fast|Not all of it/)
  let seen = ''
  await eventually('the end of it', () => {
    seen += person.screen
    person.type('\x1b[6~')
    return atItsEnd()
  })
  seen += person.screen
  for (const line of lines) expect(seen).toContain(`│ ${line}`)
  expect(seen).toContain('│ echo ⟨ESC⟩[2K⟨U+202E⟩done')
  await person.approves(ran)
  await eventually('it ran', () => existsSync(ran))
})

test('keys that were typed ahead decide nothing', async () => {
  const call = here.asks(agent, `touch ${ran}`, { runtime: { approval_timeout_ms: 900 } })
  for (let i = 0; i < 60; i += 1) {
    person.type('a')
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  const { data } = await call
  expect(existsSync(ran)).toBe(false)
  expect(data.result.state).not.toBe('exited')
})

test('a long command can be declined without reading it to its end', async () => {
  const script = Array.from({ length: 90 }, (_, i) => `/bin/echo ${i}`).join('\n')
  const call = await here.asks(agent, `touch ${ran}\n${script}`)
  await person.sees(MORE_BELOW)
  person.type('d')
  await person.sees('Why not?')
  await new Promise(resolve => setTimeout(resolve, 550))
  person.type('\r')
  await eventually('the no', async () => (await read(call.data.identity.session_id)).data.result.state === 'declined')
})

test('a second terminal is let in by the code that the first one shows, and both may answer', async () => {
  const second = await here.person()
  await person.sees(/may answer now, too \(admitted by a code\)/)
  const call = here.asks(agent, `touch ${ran}; /bin/echo second`)
  await person.sees('/bin/echo second')
  await second.approves('/bin/echo second')
  await person.sees('approved by')
  await eventually('it ran', () => existsSync(ran))
  await call
  await second.leaves()
})

test('a terminal that is not the person’s is refused with one key', async () => {
  const stranger = here.early()
  await person.codeShown()
  await stranger.sees('Code: ')
  person.type('x')
  await stranger.sees('refused to admit')
  await eventually('it ends', () => stranger.exitCode !== null)
  expect(stranger.exitCode).not.toBe(0)
})

test('an edited line is shown with its verdict and what changed before it is approved', async () => {
  const call = here.asks(agent, `touch ${ran}`)
  await person.reads(ran)
  person.type('e')
  await person.sees('Run this instead')
  person.type(' && rm -rf /\r')
  await person.sees(/That is refused/)
  expect(person.screen).toMatch(/put in +&& rm -rf \//)
  person.type('e\x15/bin/echo mine\r')
  await person.sees('a approve this line')
  expect(person.screen).toMatch(/programs +.*\/echo/)
  person.type('a')
  const { data } = await call
  await eventually('it ran', async () => (await read(data.identity.session_id)).data.result.state === 'exited')
  expect((await read(data.identity.session_id)).data.result).toMatchObject({ command_executed: '/bin/echo mine' })
  expect(existsSync(ran)).toBe(false)
})
