import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { type LosslessPty, startPty } from '../../src/pty-host/lossless-pty.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import type { FakeApprover, FakeClient } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { PRODUCT } from '../drivers/place.ts'

/** `interactive-terminal attach`, in a real terminal. */
let at: HostProcesses
let client: FakeClient
let approver: FakeApprover
const joined: Joined[] = []
const used = new Set<string>()

beforeEach(async () => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300' })
  await at.start()
  ;({ client, approver } = await at.meet())
})

afterEach(async () => {
  for (const each of joined.splice(0)) each.end()
  await at.close()
})

/** A person at their own terminal who joins one of the host's. */
class Joined {
  readonly #pty: LosslessPty
  screen = ''
  code: number | null = null

  constructor(words: readonly string[], env: Record<string, string> = {}) {
    const command = {
      executable: process.execPath,
      args: [PRODUCT, 'attach', ...words],
      cols: 91,
      rows: 27,
      cwd: at.place.root,
      env: at.place.env({ TERM: 'xterm-256color', ...env }),
    }
    const decoder = new TextDecoder()
    const see = (chunk: Buffer) => {
      this.screen += decoder.decode(chunk, { stream: true })
    }
    this.#pty = startPty(command, see, systemClock)
    void this.#pty.ended.then(({ exitCode }) => {
      this.code = exitCode
    })
    joined.push(this)
  }

  /** The code that the approver who is there shows for this one. */
  async shownCode(): Promise<string> {
    await this.sees('Code: ')
    const { code } = await approver.heard.next('admission_asked', asked => !used.has(asked.code))
    used.add(code)
    return code
  }

  async letIn(): Promise<this> {
    this.type(`${await this.shownCode()}\r`)
    return this
  }

  sees(what: string): Promise<void> {
    return eventually(`${what} on the screen`, () => this.screen.includes(what), 15_000).catch(() => {
      throw new Error(`never on the screen: ${what}\n${JSON.stringify(this.screen)}`)
    })
  }

  type(keys: string): void {
    this.#pty.write(Buffer.from(keys))
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows)
  }

  async leaves(): Promise<number | null> {
    await eventually('it ends', () => this.code !== null, 15_000)
    return this.code
  }

  end(): void {
    if (this.code === null) process.kill(this.#pty.pid, 'SIGKILL')
  }
}

async function shell(profile = 'bash') {
  const id = client.ask('command_request', {
    intent: 'open_only',
    terminal_profile: profile,
    workspace_path: at.place.work,
  })
  approver.approve(await approver.question(question => question.request_id === id))
  const { terminal_id } = await client.response(id)
  return { id, terminal_id: terminal_id ?? '' }
}

async function read(session_id: string, text: string) {
  const request = client.ask('read_output', {
    session_id,
    output: { wait_for: 'text', text, wait_ms: 10_000, cursor: 0 },
  })
  return client.heard.next('output', frame => frame.request_id === request)
}

test('a person joins a shell, works in it, leaves, and it goes on', async () => {
  const { id, terminal_id } = await shell()
  const person = await new Joined([terminal_id]).letIn()
  await person.sees('ctrl-] leaves')
  await person.sees('$ ').catch(() => person.sees('# '))
  person.type('STAYS=yes; stty size; echo typed by "$NOBODY" hand\r')
  await person.sees('27 91')
  await person.sees('typed by  hand')
  person.resize(80, 20)
  await eventually('the new size', async () => {
    person.type('stty size\r')
    await new Promise(resolve => setTimeout(resolve, 100))
    return person.screen.includes('20 80')
  })
  person.type('\x1d')
  expect(await person.leaves()).toBe(0)
  expect(person.screen).toContain('it goes on')

  // A second look shows what was there, and the shell is the same.
  const again = await new Joined([terminal_id]).letIn()
  await again.sees('typed by  hand')
  again.type('echo "[$STAYS]"\r')
  await again.sees('[yes]')
  again.type('\x1d')
  expect(await again.leaves()).toBe(0)
  expect(await read(id, '[yes]')).toMatchObject({ running: true })
}, 60_000)

test('a person types into a command an agent runs', async () => {
  const id = client.command('/bin/echo waits; read -r word; /bin/echo "heard $word"', { workspace_path: at.place.work })
  approver.approve(await approver.question())
  await read(id, 'waits')
  const person = await new Joined([]).letIn()
  await person.sees('waits')
  person.type('hello\r')
  await person.sees('heard hello')
  await person.sees('Exit code 0')
  expect(await client.response(id)).toMatchObject({ exit_code: 0, output: expect.stringContaining('heard hello') })
}, 60_000)

test('questions that a program once asked the terminal are not answered again', async () => {
  const id = client.command('/bin/printf "\\033[6n shown\\n"; cat', { workspace_path: at.place.work })
  approver.approve(await approver.question())
  await read(id, 'shown')
  const person = await new Joined([]).letIn()
  await person.sees('shown')
  expect(person.screen).not.toContain('\x1b[6n')
}, 60_000)

test('without the right code nobody gets in', async () => {
  const { terminal_id } = await shell()
  const person = new Joined([terminal_id])
  const code = await person.shownCode()
  const wrong = `${(Number(code[0]) + 1) % 10}${code.slice(1)}`
  for (let asked = 1; asked <= 3; asked++) {
    await eventually('asked', () => person.screen.split('Code: ').length > asked)
    person.type(`${wrong}\r`)
  }
  expect(await person.leaves()).toBe(2)
  expect(person.screen).toContain('That was not the code')
  expect(person.screen).not.toContain('Joined')
}, 60_000)

test('a command that runs here cannot join a terminal', async () => {
  const { terminal_id } = await shell()
  const inside = new Joined([terminal_id], { INTERACTIVE_TERMINAL_RUN: 'req_x' })
  expect(await inside.leaves()).toBe(2)
  expect(inside.screen).toContain('cannot type into a terminal')
  // Also when it hides where it comes from: the host sees its parents.
  const hidden = client.command(
    `env -u INTERACTIVE_TERMINAL_RUN ${process.execPath} ${PRODUCT} attach ${terminal_id}`,
    { workspace_path: at.place.work, env: at.place.env() },
  )
  approver.approve(await approver.question(question => question.request_id === hidden))
  expect(await client.response(hidden, 20_000)).toMatchObject({
    exit_code: 2,
    output: expect.stringContaining('A command that runs here cannot'),
  })
}, 60_000)

test('a name nobody has is told with those that are there', async () => {
  const { terminal_id } = await shell()
  const person = await new Joined(['nothing like it']).letIn()
  expect(await person.leaves()).toBe(1)
  expect(person.screen).toContain('There is no terminal "nothing like it"')
  expect(person.screen).toContain(terminal_id)
}, 60_000)

test('a terminal that is closed lets the person go', async () => {
  const { terminal_id } = await shell()
  const person = await new Joined([terminal_id]).letIn()
  await person.sees('Joined')
  client.ask('kill', { terminal_id })
  expect(await person.leaves()).toBe(0)
  expect(person.screen).toContain('the terminal was closed')
}, 60_000)
