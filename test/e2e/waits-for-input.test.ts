import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonAtTerminal } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import type { Opened } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/** What an agent hears of a program that waits for input. */
let here: LivelyPlace
let agent: Opened
let person: PersonAtTerminal

beforeAll(async () => {
  here = new LivelyPlace()
  agent = await here.server()
  await here.hostRuns(agent)
  person = await here.person()
}, 30_000)
afterAll(() => here.end(), 30_000)

async function asked(command: string) {
  const began = performance.now()
  const call = here.asks(agent, command, { runtime: { timeout_ms: 50_000 } })
  await person.approves(command)
  const { data, text } = await call
  return { data, text, took: performance.now() - began }
}

test('a command that asks something is answered at once, with its question', needs('bash'), async () => {
  const { data, text, took } = await asked('read -p "Continue [y/N]? " answer')
  expect(data).toMatchObject({
    status: 'accepted',
    result: { running: true, wait_state: 'line', wait_evidence: expect.stringMatching(/^kernel: bash .*reading/) },
  })
  expect(text).toContain('It waits for a line of input: "Continue [y/N]?".')
  expect(took).toBeLessThan(45_000)
})

const typing = (session_id: string, input: unknown, more: Record<string, unknown> = {}) =>
  agent.call('memory_terminal_interactive', {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    target: { session_id },
    execution: { input },
    ...more,
  })

test('the question is answered by input, and what the program makes of it comes back', needs('bash'), async () => {
  const { data } = await asked('read -p "Colour? " c; read -p "Size? " s; echo "$c $s"')
  const id = data.identity.session_id ?? ''
  const first = typing(id, 'red\n')
  await person.approves('red')
  const { data: second, text } = await first
  expect(second).toMatchObject({
    status: 'accepted',
    identity: { session_id: id },
    result: { running: true, wait_state: 'line', input: { state: 'typed' } },
  })
  expect(text).toContain('It waits for a line of input: "Size?".')
  const last = typing(id, [{ text: 'large' }, { key: 'enter' }])
  await person.approves('large')
  expect((await last).data).toMatchObject({
    status: 'completed',
    result: { exit_code: 0, stdout: expect.stringContaining('red large') },
  })
})

test('whoever waits on is not woken again for what it knows', needs('bash'), async () => {
  const { data } = await asked('read -p "Still there? " a')
  const target = { session_id: data.identity.session_id }
  const read = await agent.call('memory_terminal_interactive', {
    action: 'read_output',
    target,
    output: { wait_for: 'exit', wait_ms: 1500 },
  })
  expect(read.data.result).toMatchObject({ waited: 'deadline', wait_state: 'line' })
})

test('a password is left to the person, and the agent is told so', needs('bash'), async () => {
  const { data, text } = await asked('read -s -p "Password: " p')
  expect(data.result).toMatchObject({ wait_state: 'secret' })
  expect(text).toContain('It asks for a secret: "Password:". Only the person types that')
  const { data: refused } = await typing(data.identity.session_id ?? '', 'hunter2\n')
  expect(refused.error).toMatchObject({ code: 'PM_TERM_INVALID_MODE', details: { reason: 'secret_prompt' } })
})
