import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LiveHost, openLiveHost } from '../drivers/live-host.ts'

let at: LiveHost
beforeEach(async () => {
  at = await openLiveHost({ env: { PM_TERM_APPROVER_WAIT_MS: '300' } })
})
afterEach(() => at.close())

const here = () => ({ working_directory: at.place.work })

test('a person approves, the command runs in a terminal, and output and exit code come back', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('tty && /bin/echo "hello $((40 + 2))"; exit 3', { ...here(), context: 'to see it work' })
  const question = await approver.question()
  expect(question).toMatchObject({ kind: 'command', cwd: at.place.work, context: 'to see it work', requester: 'local' })
  approver.approve(question)
  const response = await client.response(id)
  expect(response).toMatchObject({
    status: 'approved',
    approved: true,
    approved_by: 'person',
    authorization: 'allowed_with_warning',
    exit_code: 3,
    state: 'exited',
    session_id: id,
    plan_hash: question.plan_hash,
    adapter: 'host_bridge_local',
    visibility: 'visible',
    error: null,
  })
  expect(response.output).toMatch(/^\/dev\/pts\/\d+\r\nhello 42\r\n$/)
  expect(response.execution_time_ms).toBeGreaterThanOrEqual(0)
})

test('a person declines, and their words reach the agent', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('touch ran', here())
  approver.decline(await approver.question(), 'not on a Sunday')
  expect(await client.response(id)).toMatchObject({
    status: 'declined',
    approved: false,
    reason: 'not on a Sunday',
    authorization: 'blocked',
    error: { code: 'PM_TERM_DECLINED', details: { reason: 'not on a Sunday' } },
  })
  expect(existsSync(join(at.place.work, 'ran'))).toBe(false)
})

test('silence is not consent', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('touch ran', { ...here(), approval_timeout_ms: 700 })
  await approver.question()
  expect(await client.response(id)).toMatchObject({
    status: 'timeout',
    error: { code: 'PM_TERM_TIMEOUT', details: { phase: 'approval' } },
  })
  expect(existsSync(join(at.place.work, 'ran'))).toBe(false)
})

test('a question nobody ever saw is not silence', async () => {
  const client = await at.client()
  const id = client.command('touch ran', here())
  expect(await client.response(id)).toMatchObject({
    status: 'error',
    error: { code: 'PM_TERM_GUI_UNAVAILABLE', message: expect.stringContaining('interactive-terminal approve') },
  })
})

test('an allowlisted command runs without a question, but only where somebody could look', async () => {
  at.place.allow('expr hi')
  const client = await at.client()
  const alone = client.command('expr hi', here())
  expect(await client.response(alone)).toMatchObject({ error: { code: 'PM_TERM_GUI_UNAVAILABLE' } })
  const approver = await at.approver()
  const id = client.command('expr hi', here())
  expect(await client.response(id)).toMatchObject({
    status: 'approved',
    approved_by: 'allowlist',
    authorization: 'allowed',
    output: 'hi\r\n',
  })
  expect(approver.heard.all.filter(frame => frame.type === 'question')).toEqual([])
})

test('an approver who comes within the wait is asked', async () => {
  await at.close()
  at = await openLiveHost({ env: { PM_TERM_APPROVER_WAIT_MS: '30000' } })
  const client = await at.client()
  const id = client.command('expr late', here())
  await client.heard.next('progress', frame => frame.phase === 'waiting_for_approver')
  const approver = await at.approver()
  approver.approve(await approver.question())
  expect(await client.response(id)).toMatchObject({ output: 'late\r\n' })
})

test('a person may write another line, and the agent is told what ran instead', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('expr one', here())
  const question = await approver.question()
  const judged = await approver.judge(question, 'expr two | cat')
  expect(judged).toMatchObject({
    command: 'expr two | cat',
    problem: null,
    grave: false,
    verdict: { verdict: 'approval', parts: [{ text: 'expr two' }, { text: 'cat' }] },
    executables: expect.arrayContaining([expect.stringMatching(/\/expr$/), expect.stringMatching(/\/cat$/)]),
  })
  await approver.edit(question, 'expr two | cat')
  expect(await client.response(id)).toMatchObject({
    command: 'expr one',
    command_executed: 'expr two | cat',
    output: 'two\r\n',
    plan_hash: judged.plan_hash,
  })
})

test('what nobody may run cannot be written into a question either, and the question stays open', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('expr one', here())
  const question = await approver.question()
  expect(await approver.judge(question, 'rm -rf /')).toMatchObject({
    plan_hash: null,
    problem: expect.stringContaining('refused'),
    verdict: { verdict: 'destructive' },
  })
  await approver.edit(question, 'rm -rf /')
  expect(await approver.heard.next('answer_refused')).toMatchObject({ open: true })
  approver.approve(question)
  expect(await client.response(id)).toMatchObject({ output: 'one\r\n' })
})

test('a line edited into one that is hard to undo needs the words typed out', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('expr one', here())
  const question = await approver.question()
  const judged = await approver.judge(question, 'git push --force')
  expect(judged).toMatchObject({ grave: true, problem: null })
  await approver.edit(question, 'git push --force')
  await approver.heard.next('answer_refused', frame => frame.problem.includes('type "run it"'))
  approver.decline(question)
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
})

test('a destructive command is refused without a question', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('rm -rf /', here())
  expect(await client.response(id)).toMatchObject({ status: 'error', error: { code: 'PM_TERM_BLOCKED_DESTRUCTIVE' } })
  expect(approver.heard.all.some(frame => frame.type === 'question')).toBe(false)
})

test('a client that calls its own command allowlisted is asked all the same; one that wants a question gets it', async () => {
  at.place.allow('expr hi')
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('touch ran', { ...here(), allowlisted: true, approval_required: false })
  approver.decline(await approver.question())
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
  const second = client.command('expr hi', { ...here(), approval_required: true })
  approver.approve(await approver.question(question => question.request_id === second))
  expect(await client.response(second)).toMatchObject({ approved_by: 'person' })
})

test('cancelling withdraws the question, everywhere', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('touch ran', here())
  const question = await approver.question()
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  expect(await client.response(id)).toMatchObject({ state: 'withdrawn', status: 'error' })
  expect(await approver.heard.next('withdrawn')).toMatchObject({ ask_id: question.ask_id, why: 'cancelled' })
  approver.approve(question)
  expect(await approver.heard.next('answer_refused')).toMatchObject({ open: false })
  expect(existsSync(join(at.place.work, 'ran'))).toBe(false)
})

test('cancelling what runs stops the waiting, not the command', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('sleep 0.5; /bin/echo done', here())
  approver.approve(await approver.question())
  await client.heard.next('progress', frame => frame.phase === 'running')
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  expect(await client.response(id)).toMatchObject({ status: 'accepted', running: true })
  const read = client.ask('read_output', { session_id: id, output: { wait_for: 'exit', wait_ms: 5000 } })
  expect(await client.heard.next('output', frame => frame.request_id === read)).toMatchObject({
    state: 'exited',
    output: 'done\r\n',
    waited: 'exit',
  })
})

test('a goodbye withdraws what was asked; a lost connection does not, and the same request finds its run', async () => {
  const approver = await at.approver()
  const first = await at.client('local', 'ses_a')
  const id = first.command('/bin/echo once >> log; /bin/echo ok', here())
  const question = await approver.question()
  first.link.close('lost')
  const again = await at.client('local', 'ses_a')
  again.command('/bin/echo once >> log; /bin/echo ok', { ...here(), request_id: id })
  await again.heard.next('accepted')
  approver.approve(question)
  expect(await again.response(id)).toMatchObject({ output: 'ok\r\n' })
  expect(at.place.read('work/log')).toBe('once\n')
  const second = again.command('touch ran', here())
  const other = await approver.question(each => each.request_id === second)
  again.send({ type: 'goodbye' })
  expect(await approver.heard.next('withdrawn', frame => frame.ask_id === other.ask_id)).toMatchObject({
    why: 'asker_gone',
  })
})

test('the same id with another command is a mistake, and nothing runs', async () => {
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('expr one', here())
  approver.approve(await approver.question())
  await client.response(id)
  client.command('touch ran', { ...here(), request_id: id })
  expect(await client.heard.next('error')).toMatchObject({
    request_id: id,
    error: { code: 'PM_TERM_INVALID_PAYLOAD' },
  })
  client.command('expr one', { ...here(), request_id: id })
  await new Promise(resolve => setTimeout(resolve, 200))
  const responses = client.heard.all.filter(frame => frame.type === 'command_response')
  expect(responses.map(frame => 'output' in frame && frame.output)).toEqual(['one\r\n', 'one\r\n'])
  expect(approver.heard.all.filter(frame => frame.type === 'question').length).toBe(1)
})
