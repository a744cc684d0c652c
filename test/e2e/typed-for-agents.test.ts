import { afterEach, beforeEach, expect, test } from 'vitest'
import type { InputQuestion } from '../../src/contract/wire/approver-frames.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/** What an agent may type into a program that runs, and what it may not. */
let at: LiveHost
let client: FakeClient
let person: FakeApprover

beforeEach(async () => {
  at = await openLiveHost({ env: { PM_TERM_KILL_GRACE_MS: '300' } })
  person = await at.approver()
  client = await at.client()
})
afterEach(() => at.close())

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Runs it with the person's yes, until its program waits. */
async function waiting(command: string, state: string) {
  const id = client.command(command, { workspace_path: at.place.work, approval_required: true })
  person.approve(await person.question(question => question.request_id === id))
  await client.heard.next('progress', frame => frame.request_id === id && frame.wait_state === state)
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  const about = { request_id: `watch-${id}`, terminal_id: terminal_id ?? '', run_id: null, have: null }
  person.send({ type: 'terminal_watch', ...about, every_byte: true, cols: 80, rows: 24 })
  return { id, terminal_id: terminal_id ?? '' }
}

const type = (session_id: string, input: unknown, more: Record<string, unknown> = {}): string =>
  client.ask('input_request', { session_id, input, ...more })
async function asked(id: string): Promise<InputQuestion> {
  const question = await person.question(question => question.request_id === id)
  if (question.kind !== 'input') throw new Error(`it is a ${question.kind}`)
  return question
}

/** All that was printed in its terminal. */
function printed({ terminal_id }: { terminal_id: string }): string {
  const streams = person.heard.all.flatMap(frame =>
    frame.type === 'watching' && frame.terminal_id === terminal_id ? [frame.stream] : [],
  )
  const pieces = person.heard.all.flatMap(frame =>
    frame.type === 'terminal_output' && streams.includes(frame.stream) ? [Buffer.from(frame.data, 'base64')] : [],
  )
  return Buffer.concat(pieces).toString('utf8')
}

const answer = (id: string) => client.heard.next('output', frame => frame.request_id === id)
const refusal = async (id: string) => (await client.heard.next('error', frame => frame.request_id === id)).error
const rows = (kind: string) => at.journal().filter(row => row.kind === kind)

const YES = [{ text: 'y' }, { key: 'enter' }]

test(
  'what is typed needs approval, and the card shows the program, its question and every key',
  needs('bash'),
  async () => {
    const run = await waiting('echo "About to go on"; read -p "Continue [y/N]? " a; echo "got $a"', 'line')
    const id = type(run.id, YES, { context: 'it asks whether to go on' })
    const card = await asked(id)
    expect(card).toMatchObject({
      kind: 'input',
      session_id: run.id,
      terminal_id: run.terminal_id,
      command: expect.stringContaining('read -p'),
      program: 'bash',
      wait_state: 'line',
      printed: 'About to go on\nContinue [y/N]?',
      input: YES,
      executes: 'shell',
      context: 'it asks whether to go on',
    })
    expect(at.journal().some(({ kind }) => kind === 'agent_input')).toBe(false)
    person.approve(card)
    expect(await answer(id)).toMatchObject({ state: 'exited', exit_code: 0, output: expect.stringContaining('got y') })
    expect(JSON.parse(rows('agent_input')[0]?.body ?? '')).toMatchObject({ input_for: run.id, input: YES })
  },
)

test('a no is a no: nothing is typed, and the agent hears why', needs('bash'), async () => {
  const run = await waiting('read -p "Continue? " a', 'line')
  const id = type(run.id, YES)
  person.decline(await asked(id), 'I do that myself')
  expect(await refusal(id)).toMatchObject({ code: 'PM_TERM_DECLINED', message: expect.stringContaining('I do that') })
  expect(rows('agent_input')).toEqual([])
  client.ask('read_output', { session_id: run.id })
  expect(await client.heard.next('output')).toMatchObject({ running: true, input: { state: 'not_typed' } })
})

test(
  'a password is the person’s: the agent is refused, the person is told, and no record has it',
  needs('bash'),
  async () => {
    const run = await waiting('read -s -p "Password: " a; echo; echo -n "$a" | wc -c', 'secret')
    expect(await refusal(type(run.id, YES))).toMatchObject({
      code: 'PM_TERM_INVALID_MODE',
      details: { reason: 'secret_prompt' },
    })
    await eventually('the person is told', () =>
      person.heard.all.some(
        frame => frame.type === 'terminals' && frame.items.some(({ wait_state }) => wait_state === 'secret'),
      ),
    )
    person.send({ type: 'terminal_input', terminal_id: run.terminal_id, data: base64('hunter2\r') })
    expect(await client.response(run.id)).toMatchObject({ output: expect.stringContaining('7\r\n') })
    expect(JSON.stringify(at.journal())).not.toContain('hunter2')
    expect(JSON.stringify(client.heard.all)).not.toContain('hunter2')
    expect(JSON.parse(rows('person_input')[0]?.body ?? '')).toMatchObject({ secret: true })
  },
)

test('approved is not sent when the program has begun to ask for a password meanwhile', needs('bash'), async () => {
  const run = await waiting('read -p "Name: " a; read -s -p "Password: " b', 'line')
  const id = type(run.id, [{ text: 'me' }, { key: 'enter' }])
  const card = await asked(id)
  person.send({ type: 'terminal_input', terminal_id: run.terminal_id, data: base64('anna\r') })
  await client.heard.next('progress', frame => frame.request_id === run.id && frame.wait_state === 'secret')
  person.approve(card)
  expect((await refusal(id)).details).toMatchObject({ reason: 'secret_prompt' })
})

test('approved is not sent when the program is at another question by then', needs('bash'), async () => {
  const run = await waiting('read -p "Name: " a; read -p "Delete everything? " b; echo "$b"', 'line')
  const id = type(run.id, YES)
  const card = await asked(id)
  person.send({ type: 'terminal_input', terminal_id: run.terminal_id, data: base64('anna\r') })
  await eventually('the next question', () => printed(run).includes('Delete everything?'))
  person.approve(card)
  expect((await refusal(id)).details).toMatchObject({ reason: 'moved_on' })
})

test('the person typing goes first, and the agent is told', needs('cat'), async () => {
  const run = await waiting('exec cat', 'line')
  person.send({ type: 'terminal_input', terminal_id: run.terminal_id, data: base64('mine') })
  await eventually('it arrived', () => printed(run).includes('mine'))
  expect((await refusal(type(run.id, YES))).details).toMatchObject({ reason: 'person_typing' })
})

test('for the rest of the run: no second question, until the person types there', needs('cat'), async () => {
  const run = await waiting('exec cat', 'line')
  const first = type(run.id, [{ text: 'one' }, { key: 'enter' }])
  const card = await asked(first)
  expect(card.executes).toBeNull()
  person.approve(card, { scope: { kind: 'run' } })
  expect((await answer(first)).output).toContain('one')
  const second = type(run.id, [{ text: 'two' }, { key: 'enter' }])
  expect((await answer(second)).output).toContain('two')
  expect(rows('asked').filter(({ body }) => body.includes('input_for'))).toHaveLength(1)

  person.send({ type: 'terminal_input', terminal_id: run.terminal_id, data: base64('mine\r') })
  await eventually('it arrived', () => printed(run).includes('mine'))
  // While they type it is refused; once they rest it is a question again.
  await eventually('it is a question again', async () => {
    const again = type(run.id, [{ text: 'three' }, { key: 'enter' }])
    return Promise.race([refusal(again).then(() => false), asked(again).then(() => true)])
  })
  expect(printed(run)).not.toContain('three')
})

test(
  'what a shell would run is judged like a command: once only, and what destroys is refused',
  needs('bash'),
  async () => {
    const run = await waiting('exec bash --noprofile --norc -i', 'key')
    expect(await refusal(type(run.id, [{ text: 'rm -rf /' }, { key: 'enter' }]))).toMatchObject({
      code: 'PM_TERM_BLOCKED_DESTRUCTIVE',
    })
    const id = type(run.id, [{ text: 'ls' }, { key: 'enter' }])
    const card = await asked(id)
    expect(card).toMatchObject({ executes: 'shell', verdict: { verdict: 'approval' } })
    person.approve(card, { scope: { kind: 'run' } })
    expect((await person.heard.next('answer_refused')).problem).toMatch(/once/)
  },
)

test(
  'what destroys is refused also where nobody waits for it: a shell may be the next to read it',
  needs('bash'),
  async () => {
    const id = client.command('sleep 20; exec bash --noprofile --norc')
    person.approve(await person.question(question => question.request_id === id))
    await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
    expect(await refusal(type(id, [{ text: 'rm -rf /' }, { key: 'enter' }]))).toMatchObject({
      code: 'PM_TERM_BLOCKED_DESTRUCTIVE',
    })
    expect((await asked(type(id, [{ text: 'ls' }, { key: 'enter' }]))).executes).toBe(null)
  },
)

test('the same request types once, whatever becomes of the connection', needs('cat'), async () => {
  const run = await waiting('exec cat', 'line')
  const id = type(run.id, [{ text: 'only once' }, { key: 'enter' }])
  person.approve(await asked(id))
  await answer(id)
  client.send({
    type: 'input_request',
    request_id: id,
    trace_id: 'trace_1',
    session_id: run.id,
    input: [{ text: 'only once' }, { key: 'enter' }],
  })
  await eventually('it is answered again', () => client.heard.all.filter(each => each.type === 'output').length >= 2)
  // Once as typed, once as cat repeats it.
  expect(printed(run).split('only once')).toHaveLength(3)
  expect(rows('agent_input')).toHaveLength(1)
})

test('where nothing can be typed, it is said why', needs('bash'), async () => {
  const over = client.command('true', { workspace_path: at.place.work, approval_required: true })
  person.approve(await person.question(question => question.request_id === over))
  const { terminal_id } = await client.response(over)
  expect((await refusal(type(over, YES))).details).toMatchObject({ reason: 'not_running' })
  expect((await refusal(client.ask('input_request', { terminal_id, input: YES }))).details).toMatchObject({
    reason: 'nothing_runs',
  })
  expect((await refusal(type('req_nobody', YES))).code).toBe('PM_TERM_NOT_FOUND')
})

test('keys reach a program that reads them one by one', needs('less'), async () => {
  const run = await waiting('seq 1 500 | LESS= less', 'key')
  const id = type(run.id, [{ key: 'page_down' }, { key: 'down' }, { text: 'q' }])
  const card = await asked(id)
  expect(card.executes).toBe('interpreter')
  person.approve(card)
  expect(await answer(id)).toMatchObject({ state: 'exited', exit_code: 0 })
})
