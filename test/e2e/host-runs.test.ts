import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

let at: LiveHost
let client: FakeClient
let approver: FakeApprover
beforeEach(async () => {
  at = await openLiveHost({
    env: { PM_TERM_KILL_GRACE_MS: '300', SECRET_TOKEN: 'x', BASH_ENV: '/evil', LD_PRELOAD: '' },
  })
  client = await at.client()
  approver = await at.approver()
})
afterEach(() => at.close())

const run = async (command: string, more: Record<string, unknown> = {}) => {
  const id = client.command(command, { working_directory: at.place.work, approval_required: true, ...more })
  approver.approve(await approver.question(question => question.request_id === id))
  return client.response(id)
}
const read = async (session_id: string, output: Record<string, unknown>) => {
  const request = client.ask('read_output', { session_id, output })
  return client.heard.next('output', frame => frame.request_id === request)
}

test('with args nothing is read as shell', async () => {
  const response = await run('printf', { args: ['%s|', 'a b', '$HOME', '`id`', ';', '*'] })
  expect(response).toMatchObject({ output: 'a b|$HOME|`id`|;|*|', exit_code: 0 })
})

test('a line that starts with a dash is a line, not an option of the shell', async () => {
  expect(await run('--version')).toMatchObject({ exit_code: 127, output: expect.stringContaining('not found') })
})

test('the shell reads no file of anybody, and gets nothing that is ours or could change its meaning', async () => {
  at.place.write('.bashrc', '/bin/echo from bashrc')
  const { output } = await run('env | sort; shopt -q expand_aliases || /bin/echo plain')
  expect(output).not.toMatch(/^(PM_|BASH_ENV|LD_PRELOAD|.*KEY=)|from bashrc/m)
  expect(output).toMatch(/^INTERACTIVE_TERMINAL_RUN=req_/m)
  expect(output).toContain('TERM=xterm-256color')
})

test('git runs as the person has it once they approved it, and without a pager', async () => {
  const { output } = await run('/bin/echo "<$GIT_CONFIG_COUNT> $GIT_PAGER"')
  expect(output).toBe('<> cat\r\n')
})

test.each([
  ['named', { venv_path: 'env-of-mine' }, 'env-of-mine'],
  ['found', { activate_venv: true }, '.venv'],
])('a virtual environment that was %s counts, without sourcing anything of it', async (_, more, name) => {
  at.place.write(`work/${name}/bin/tool`, '#!/bin/sh\necho "tool of $VIRTUAL_ENV"\n', 0o755)
  at.place.write(`work/${name}/bin/activate`, '/bin/echo sourced\n')
  expect(await run('tool', more)).toMatchObject({ output: `tool of ${at.place.work}/${name}\r\n` })
})

test('§1.1 a shell that a virtual environment brings along never runs, not even approved', async () => {
  at.place.write('work/.venv/bin/bash', '#!/bin/sh\ntouch ran\nexec /bin/bash "$@"\n', 0o755)
  const id = client.command('pwd', { working_directory: at.place.work, activate_venv: true })
  const question = await approver.question(({ request_id }) => request_id === id)
  expect(JSON.stringify(question)).toContain('is not in a trusted folder')
  approver.approve(question)
  expect(await client.response(id)).toMatchObject({ exit_code: 0, output: `${at.place.work}\r\n` })
  expect(at.place.read('work/ran')).toBe('')
})

test.each([
  ['working_directory', { working_directory: '/does/not/exist' }],
  ['working_directory', { working_directory: 'relative' }],
  ['venv_path', { venv_path: 'nowhere' }],
  ['activate_venv', { activate_venv: true }],
])('a wrong %s is named, and nothing is asked', async (field, more) => {
  const id = client.command('true', { working_directory: at.place.work, ...more })
  expect(await client.heard.next('error', frame => frame.request_id === id)).toMatchObject({
    error: { code: 'PM_TERM_INVALID_PAYLOAD', details: { issues: [{ field }] } },
  })
})

test('the shell of the profile runs the line', async () => {
  expect((await run('/bin/echo "$0"', { terminal_profile: 'bash' })).output).toMatch(/bash\r\n$/)
  expect((await run('/bin/echo "$0"', { terminal_profile: 'sh' })).output).toMatch(/^sh\r\n$/)
})

test('a program that is not there is said before anybody is asked', async () => {
  const id = client.command('no-such-program', { working_directory: at.place.work, args: [] })
  expect(await client.response(id)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('no program no-such-program'),
  })
})

test.each(['/bin/echo "open', "touch never; /bin/echo 'open"])('%s is refused before anybody is asked', async line => {
  const id = client.command(line, { working_directory: at.place.work })
  expect(await client.response(id)).toMatchObject({
    state: 'failed',
    error: { code: 'PM_TERM_INVALID_PAYLOAD', message: 'The command has a quote that is not closed. Nothing ran.' },
  })
})

test('a signal is told as a signal, and a character is never cut', async () => {
  expect(await run('kill -9 $$')).toMatchObject({ exit_code: null, signal: 'SIGKILL' })
  const { session_id } = await run("printf '\\xe2'; sleep 0.1; printf '\\x82\\xac %s' ok")
  expect(await read(session_id, {})).toMatchObject({ output: '€ ok' })
})

test('output is read on from a cursor, and searched', async () => {
  const { session_id, cursor } = await run('seq 1 5')
  expect(await read(session_id, { cursor: 6 })).toMatchObject({ output: '3\r\n4\r\n5\r\n', cursor })
  expect(await read(session_id, { search: '4' })).toMatchObject({ matches: [{ offset: 9 }] })
})

test('an interactive run outlives the connection, and any connection of the requester reads and ends it', async () => {
  const id = client.command('/bin/echo up; sleep 300', { working_directory: at.place.work })
  approver.approve(await approver.question())
  await client.heard.next('progress', frame => frame.phase === 'running')
  client.link.close('gone')
  const other = await at.client()
  other.ask('read_output', { session_id: id, output: { wait_for: 'text', text: 'up', wait_ms: 3000, cursor: 0 } })
  expect(await other.heard.next('output')).toMatchObject({ running: true, output: 'up\r\n' })
  other.ask('list')
  expect((await other.heard.next('listed')).items).toMatchObject([{ session_id: id, running: true }])
  const { terminal_id } = await other.heard.next('output')
  other.ask('kill', { terminal_id })
  expect(await other.heard.next('killed')).toMatchObject({ state: 'killed', exit_code: -1 })
  const closed = other.ask('read_output', { terminal_id })
  await other.heard.next('error', frame => frame.request_id === closed)
})

test('open_only opens a terminal to send to', async () => {
  const opened = client.ask('command_request', { intent: 'open_only', working_directory: at.place.work })
  approver.approve(await approver.question(question => question.request_id === opened))
  const { terminal_id } = await client.response(opened)
  const sent = await run('/bin/echo sent', { terminal_id, working_directory: undefined })
  expect(sent).toMatchObject({ terminal_id, output: 'sent\r\n' })
})
