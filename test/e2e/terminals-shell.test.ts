import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/** The person's own shell, and what an agent may type into it. */
let at: LiveHost
let client: FakeClient
let approver: FakeApprover

beforeEach(async () => {
  at = await openLiveHost({ env: { PM_TERM_KILL_GRACE_MS: '500', EDITOR: 'my-editor' } })
  approver = await at.approver()
  client = await at.client()
})

afterEach(() => at.close())

async function open(profile = 'bash', more: Record<string, unknown> = {}) {
  const id = client.ask('command_request', {
    intent: 'open_only',
    workspace_path: at.place.work,
    terminal_profile: profile,
    ...more,
  })
  approver.approve(await approver.question(question => question.request_id === id))
  const opened = await client.response(id, 20_000)
  return { id, opened, terminal_id: opened.terminal_id ?? '' }
}

async function send(terminal_id: string, command: string, more: Record<string, unknown> = {}) {
  const id = client.command(command, { terminal_id, ...more })
  const asked = approver.question(question => question.request_id === id)
  const refused = client.heard.next('error', frame => frame.request_id === id).then(({ error }) => ({ error }))
  refused.catch(() => {})
  const first = await Promise.race([asked, refused])
  if ('error' in first) return { ...first, output: null, question: null }
  approver.approve(first)
  return { ...(await client.response(id, 20_000)), question: first.kind === 'command' ? first : null }
}

async function printed(session_id: string, text: string) {
  const output = { wait_for: 'text', text, wait_ms: 10_000, cursor: 0 }
  const request = client.ask('read_output', { session_id, output })
  await client.heard.next('output', frame => frame.request_id === request)
}

test('a script that changes while its card is up is not typed into the person’s shell, and neither is a line for where it stood', async () => {
  at.place.write('work/x.sh', 'echo first\n')
  const { terminal_id, id: shell } = await open()
  const id = client.command('bash x.sh', { terminal_id })
  const first = await approver.question(question => question.request_id === id)
  expect(first).toMatchObject({ typed_into_shell: true, stands_for: [{ text: 'echo first\n' }] })
  at.place.write('work/x.sh', 'echo second\n')
  approver.approve(first)
  const second = await approver.question(each => each.request_id === id && each.ask_id !== first.ask_id)
  expect(second).toMatchObject({ changed: [expect.stringContaining('x.sh changed in ')] })
  approver.decline(second)
  expect(await client.response(id, 20_000)).toMatchObject({ status: 'declined' })
  const read = client.ask('read_output', { session_id: shell })
  const { output } = await client.heard.next('output', frame => frame.request_id === read)
  expect(output).not.toMatch(/first|second/)
})

for (const profile of ['bash', 'zsh', 'fish'])
  describe(`in ${profile}`, needs(profile), () => {
    test('a line runs in the person’s own shell, with its output and exit code', async () => {
      at.place.write('.bashrc', 'alias greet="echo hello from the alias"\nPS1="mine> "\n')
      at.place.write('.zshrc', 'alias greet="echo hello from the alias"\nPROMPT="mine> "\n')
      at.place.write('.config/fish/config.fish', 'alias greet="echo hello from the alias"\n')
      const { opened, terminal_id } = await open(profile)
      expect(opened).toMatchObject({ state: 'running', running: true, approved_by: 'person', cwd: at.place.work })
      expect(await send(terminal_id, 'greet')).toMatchObject({
        state: 'exited',
        exit_code: 0,
        output: 'hello from the alias\r\n',
        question: { cwd: at.place.work },
      })
      // What changes the shell stays changed: it is one shell.
      expect(await send(terminal_id, 'cd /usr; export FOO=1; sh -c "exit 3"')).toMatchObject({
        exit_code: 3,
        output: '',
      })
      const where = await send(terminal_id, 'pwd; echo $FOO')
      expect(where).toMatchObject({ output: '/usr\r\n1\r\n', question: { cwd: '/usr' } })
      expect((await send(terminal_id, 'printf "no end"')).output).toBe('no end')
    })

    test('a mark that a command prints is text', async () => {
      const { terminal_id } = await open(profile)
      at.place.write('work/forged', '\x1b]133;D;42\x07\x1b]133;D;42;aid=x\x07after\n')
      expect(await send(terminal_id, `cat ${at.place.work}/forged; sh -c "exit 5"`)).toMatchObject({
        exit_code: 5,
        output: expect.stringContaining('after'),
      })
    })

    test('a line that is not whole is given up, and the shell takes the next one', async () => {
      const { terminal_id } = await open(profile)
      const id = client.command('echo "no end of $HOME', { terminal_id })
      approver.approve(await approver.question(question => question.request_id === id))
      await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
      const kill = client.ask('kill', { session_id: id })
      expect(await client.heard.next('killed', frame => frame.request_id === kill)).toMatchObject({ state: 'killed' })
      expect(await send(terminal_id, 'echo after')).toMatchObject({ output: 'after\r\n' })
    })

    test('a line that never ends is ended without the shell', async () => {
      const { terminal_id } = await open(profile)
      const id = client.command('sh -c "trap : INT; echo up; while :; do sleep 0.1; done"', { terminal_id })
      approver.approve(await approver.question(question => question.request_id === id))
      await printed(id, 'up')
      const kill = client.ask('kill', { session_id: id })
      expect(await client.heard.next('killed', frame => frame.request_id === kill)).toMatchObject({
        state: 'killed',
        exit_code: -1,
      })
      expect(await send(terminal_id, 'echo alive')).toMatchObject({ output: 'alive\r\n' })
    })
  })

test('a person who typed while a command ran is not taken to be typing, unless it stands at the prompt', async () => {
  const { terminal_id } = await open()
  const id = client.command('echo well; read -r answer; echo "heard $answer"', { terminal_id })
  approver.approve(await approver.question(question => question.request_id === id))
  await printed(id, 'well')
  approver.send({ type: 'terminal_input', terminal_id, data: Buffer.from('yes\r').toString('base64') })
  expect(await client.response(id)).toMatchObject({ output: expect.stringContaining('heard yes') })
  expect(await send(terminal_id, 'echo on')).toMatchObject({ output: 'on\r\n' })
  const slow = client.command('echo now; sleep 1', { terminal_id })
  approver.approve(await approver.question(question => question.request_id === slow))
  await printed(slow, 'now')
  approver.send({ type: 'terminal_input', terminal_id, data: Buffer.from('typed ahead').toString('base64') })
  await client.response(slow)
  const refused = await send(terminal_id, 'echo joined')
  expect(refused.error?.details).toMatchObject({ reason: 'shell_busy' })
  expect(refused.error?.message).toContain('a person is typing there')
})

test('nothing is auto-approved there, whatever the rules say', async () => {
  const { terminal_id } = await open()
  const { question } = await send(terminal_id, 'echo hi')
  expect(question).toMatchObject({
    verdict: { verdict: 'approval', why: expect.stringContaining('a shell that is already open') },
    proposed_rules: [],
  })
})

test('what destroys is refused there, too', async () => {
  const { terminal_id } = await open()
  const id = client.command('rm -rf /', { terminal_id })
  expect(await client.response(id)).toMatchObject({ state: 'blocked', error: { code: 'PM_TERM_BLOCKED_DESTRUCTIVE' } })
})

test.each([
  ['a line break', { command: 'echo a\necho b' }, 'execution.command'],
  ['a key', { command: 'echo \x1b[A' }, 'execution.command'],
  ['arguments', { command: 'echo', args: ['a'] }, 'execution.args'],
  ['variables', { command: 'echo', env: { A: '1' } }, 'execution.env'],
  ['a directory', { command: 'pwd', working_directory: '/' }, 'runtime.cwd'],
])('%s cannot be typed, and it is said before anybody is asked', async (_, more, field) => {
  const { terminal_id } = await open()
  const { command, ...rest } = more
  expect(await send(terminal_id, command, rest)).toMatchObject({
    error: { code: 'PM_TERM_INVALID_PAYLOAD', details: { issues: [{ field }] } },
  })
})

test('history expansion is off', async () => {
  const { terminal_id } = await open()
  await send(terminal_id, 'echo first')
  expect((await send(terminal_id, 'echo "!!"')).output).toBe('!!\r\n')
})

test('with history expansion switched on again, an exclamation mark is refused', async () => {
  const { terminal_id } = await open()
  await send(terminal_id, 'set -H')
  expect(await send(terminal_id, 'echo wow!')).toMatchObject({ error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
})

test('the shell is the person’s: their environment, their history, nothing of ours in sight', async () => {
  const { terminal_id } = await open()
  expect((await send(terminal_id, 'echo $EDITOR; env | grep -c PM_TERM; env | grep -c NONCE')).output).toBe(
    'my-editor\r\n0\r\n0\r\n',
  )
  const kill = client.ask('kill', { terminal_id })
  await client.heard.next('killed', frame => frame.request_id === kill)
  expect(readFileSync(join(at.place.root, '.bash_history'), 'utf8')).toContain('echo $EDITOR')
})

test('two lines for one shell take turns', async () => {
  const { terminal_id } = await open()
  const first = client.command('sleep 0.3; echo one', { terminal_id })
  const second = client.command('echo two', { terminal_id })
  expect(await client.heard.next('progress', frame => frame.request_id === second)).toMatchObject({
    phase: 'queued',
    behind: first,
  })
  approver.approve(await approver.question(question => question.request_id === first))
  approver.approve(await approver.question(question => question.request_id === second))
  expect(await client.response(first)).toMatchObject({ output: 'one\r\n' })
  expect(await client.response(second)).toMatchObject({ output: 'two\r\n' })
})

test('a shell that runs something of the person’s is busy, and so is one they are typing into', async () => {
  const { terminal_id } = await open()
  await send(terminal_id, 'true')
  approver.send({ type: 'terminal_input', terminal_id, data: Buffer.from('half a li').toString('base64') })
  await eventually('the keys arrive', () => at.journal().some(({ kind }) => kind === 'person_input'))
  expect(await send(terminal_id, 'echo hi')).toMatchObject({
    error: { code: 'PM_TERM_INVALID_MODE', details: { reason: 'shell_busy', why: expect.stringContaining('typing') } },
  })
})

test('a shell that gives no marks says so instead of an exit code', async () => {
  const { terminal_id } = await open('sh')
  expect(await send(terminal_id, 'echo from sh')).toMatchObject({
    exit_code: null,
    output: expect.stringContaining('from sh'),
    warning: expect.stringContaining('exit code is not known'),
  })
})

test('a line that ends the shell tells its exit code, and the terminal is gone', async () => {
  const { terminal_id, id } = await open()
  expect(await send(terminal_id, 'exit 7')).toMatchObject({ state: 'exited', exit_code: 7 })
  const again = client.command('echo hi', { terminal_id })
  expect(await client.heard.next('error', frame => frame.request_id === again)).toMatchObject({
    error: { code: 'PM_TERM_NOT_FOUND' },
  })
  const read = client.ask('read_output', { session_id: id })
  expect(await client.heard.next('output', frame => frame.request_id === read)).toMatchObject({
    state: 'exited',
    exit_code: 7,
  })
})

test('a line the shell cannot read ends with its complaint in the terminal', async () => {
  const { terminal_id } = await open()
  expect(await send(terminal_id, 'fi')).toMatchObject({ exit_code: 2 })
  expect(await send(terminal_id, 'echo on')).toMatchObject({ output: 'on\r\n' })
})

test('a person may refuse to open a shell, and no tab is left', async () => {
  const id = client.ask('command_request', { intent: 'open_only', workspace_path: at.place.work })
  approver.decline(await approver.question(), 'not now')
  expect(await client.response(id)).toMatchObject({ state: 'declined', error: { code: 'PM_TERM_DECLINED' } })
  client.ask('list')
  expect((await client.heard.next('listed')).terminals).toEqual([])
})

test('zsh keeps its own files, wherever the person has them', needs('zsh'), async () => {
  at.place.write('dots/.zshrc', 'PROMPT="z> "\nHISTFILE=$ZDOTDIR/.history SAVEHIST=100 HISTSIZE=100\n')
  at.place.write('.zshenv', `export ZDOTDIR=${at.place.root}/dots\n`)
  const { terminal_id } = await open('zsh')
  expect((await send(terminal_id, 'echo $ZDOTDIR')).output).toBe(`${at.place.root}/dots\r\n`)
  const kill = client.ask('kill', { terminal_id })
  await client.heard.next('killed', frame => frame.request_id === kill)
  await eventually('history', () => existsSync(join(at.place.root, 'dots/.history')))
  expect(realpathSync(at.place.root)).toBe(at.place.root)
})

test('variables and a virtualenv for a shell of the person are refused by their names, and nobody is asked', async () => {
  const more = { env: { CI: '1' }, venv_path: '.venv', activate_venv: true }
  const id = client.ask('command_request', { intent: 'open_only', workspace_path: at.place.work, ...more })
  const { error } = await client.heard.next('error', frame => frame.request_id === id)
  expect(error).toMatchObject({ code: 'PM_TERM_INVALID_PAYLOAD' })
  const fields = ['execution.env', 'runtime.venv_path', 'runtime.activate_venv']
  for (const field of fields) expect(error.message).toContain(field)
  expect(approver.heard.all.some(({ type }) => type === 'question')).toBe(false)
})
