import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CommandQuestion } from '../../src/approving/question.ts'
import type { Permit } from '../../src/contract/wire/input-frames.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

/** What an editor may type into a terminal of its own: the host says so, once for each line. */
let at: LiveHost
let editor: FakeClient
let person: FakeApprover

beforeAll(async () => {
  at = await openLiveHost()
  person = await at.approver()
})
beforeEach(async () => {
  editor = await at.client()
})
afterAll(() => at.close())

function wants(command: string | undefined, more: Record<string, unknown> = {}): string {
  return editor.ask('permit_request', {
    intent: 'execute_command',
    terminal_id: 'term_1_build',
    terminal_name: 'build',
    opens: false,
    shell: '/bin/bash',
    working_directory: at.place.work,
    directory_known: 'told_by_shell',
    ...(command !== undefined && { command }),
    ...more,
  })
}

async function asked(id: string): Promise<CommandQuestion> {
  const question = await person.question(({ request_id }) => request_id === id)
  if (question.kind !== 'command') throw new Error(`it is a ${question.kind}`)
  return question
}

const given = async (id: string) => editor.heard.next('permit_answered', frame => frame.request_id === id)
const refusal = async (id: string) => (await editor.heard.next('error', frame => frame.request_id === id)).error
const rows = (kind: string, id: string) => at.journal().filter(row => row.kind === kind && row.run_id === id)

async function approved(command: string, more: Record<string, unknown> = {}): Promise<Permit> {
  const id = wants(command, more)
  person.approve(await asked(id))
  return (await given(id)).permit
}

const use = (permit: Permit, more: Record<string, unknown> = {}, by = editor) =>
  by.ask('permit_use', {
    permit_id: permit.permit_id,
    plan_hash: permit.plan_hash,
    terminal_id: permit.terminal_id,
    ...more,
  })
const used = (id: string) => editor.heard.next('permit_used', frame => frame.request_id === id)

test('a line for a terminal of the editor is asked about, also one that a rule covers, and the card says where it would be typed', async () => {
  at.place.allow('ls *')
  const id = wants('ls -l', { context: 'to look around' })
  const card = await asked(id)
  expect(card).toMatchObject({
    command: 'ls -l',
    caller_surface: 'extension',
    typed_into_shell: true,
    terminal_id: 'term_1_build',
    shell: '/bin/bash',
    cwd: at.place.work,
    context: 'to look around',
    editor_terminal: { name: 'build', editor: 'test client 1', opens: false, directory_known: 'told_by_shell' },
    proposed_rules: [],
    verdict: { verdict: 'approval', why: expect.stringContaining('every line needs approval') },
  })
  person.approve(card)
  const { permit, authorization } = await given(id)
  expect({ ...permit, authorization }).toMatchObject({
    command: 'ls -l',
    terminal_id: 'term_1_build',
    plan_hash: card.plan_hash,
    authorization: 'allowed_with_warning',
  })
  await used(use(permit))
  expect(rows('permit_asked', id)[0]?.body).toContain('ls -l')
  expect(rows('answered', id)).toHaveLength(1)
  expect(rows('permit_granted', id)).toHaveLength(1)
  expect(rows('permit_used', id)).toHaveLength(1)
})

test('a permit is good once, for its own terminal, its own plan and whoever asked', async () => {
  const first = await approved('echo one')
  await used(use(first))
  expect((await refusal(use(first))).code).toBe('PM_TERM_APPROVAL_REQUIRED')

  const second = await approved('echo two')
  expect((await refusal(use(second, { terminal_id: 'term_2_other' }))).details).toMatchObject({
    reason: 'permit_not_good',
  })
  expect((await refusal(use(second))).details).toMatchObject({ reason: 'permit_not_good' })

  const third = await approved('echo three')
  const thief = await at.client()
  const theirs = use(third, {}, thief)
  await thief.heard.next('error', frame => frame.request_id === theirs)
  await used(use(third))
  const fourth = await approved('echo four')
  expect((await refusal(use(fourth, { plan_hash: third.plan_hash }))).details).toMatchObject({
    reason: 'permit_not_good',
  })
})

test('what wipes everything is refused without a question, and what is hard to undo needs the gesture', async () => {
  const id = wants('rm -rf /')
  expect((await refusal(id)).code).toBe('PM_TERM_BLOCKED_DESTRUCTIVE')
  expect(person.heard.all.filter(frame => frame.type === 'question' && frame.request_id === id)).toEqual([])
  expect(rows('permit_asked', id)[0]?.body).toContain('destructive')

  const force = wants('git push --force')
  const card = await asked(force)
  expect(card.grave).toBe(true)
  person.approve(card)
  await person.heard.next('answer_refused', frame => frame.ask_id === card.ask_id)
  person.approve(card, { typed: 'run it' })
  expect((await given(force)).permit.command).toBe('git push --force')
})

test('a no reaches the agent with its reason, an expired question is no yes, and a cancelled one is withdrawn', async () => {
  const declined = wants('echo no')
  person.decline(await asked(declined), 'use the other script')
  expect(await refusal(declined)).toMatchObject({
    code: 'PM_TERM_DECLINED',
    message: expect.stringContaining('use the other script'),
  })

  const late = wants('echo late', { approval_timeout_ms: 600 })
  await asked(late)
  expect(await refusal(late)).toMatchObject({ code: 'PM_TERM_TIMEOUT', details: { phase: 'approval' } })

  const taken = wants('echo taken')
  const { ask_id } = await asked(taken)
  editor.send({ type: 'cancel', request_id: taken, trace_id: 'trace_1' })
  await person.heard.next('withdrawn', frame => frame.ask_id === ask_id)
  expect((await refusal(taken)).code).toBe('PM_TERM_DISCONNECTED')
})

test('an editor that is gone takes its question with it', async () => {
  const id = wants('echo gone')
  const { ask_id } = await asked(id)
  editor.link.close('the window was reloaded')
  await person.heard.next('withdrawn', frame => frame.ask_id === ask_id)
  expect(rows('permit_granted', id)).toEqual([])
})

test('the person may change the line, and the permit is for theirs', async () => {
  const id = wants('echo long')
  const card = await asked(id)
  await person.edit(card, 'echo short')
  const { permit } = await given(id)
  expect(permit.command).toBe('echo short')
  await used(use(permit))
})

test('a script that was changed after the approval is not typed', async () => {
  const script = join(at.place.work, 'step.sh')
  writeFileSync(script, 'echo good\n')
  const permit = await approved('bash ./step.sh')
  writeFileSync(script, 'echo bad\n')
  expect((await refusal(use(permit))).details).toMatchObject({ reason: 'changed_since' })
  expect((await refusal(use(permit))).details).toMatchObject({ reason: 'permit_not_good' })
})

test('a terminal that opens with variables needs approval, and so does one in a folder that nobody trusts', async () => {
  const open = { intent: 'open_only', opens: true }
  const id = wants(undefined, { ...open, env: { PROMPT_COMMAND: 'id' } })
  const card = await asked(id)
  expect(card).toMatchObject({
    intent: 'open_only',
    typed_into_shell: false,
    env: [{ name: 'PROMPT_COMMAND', value: 'id' }],
    editor_terminal: { opens: true },
  })
  person.approve(card)
  expect((await given(id)).permit.command).toBeNull()

  const elsewhere = at.place.write('elsewhere/x', '')
  expect(existsSync(elsewhere)).toBe(true)
  const there = wants(undefined, { ...open, working_directory: join(elsewhere, '..') })
  person.decline(await asked(there))
  expect((await refusal(there)).code).toBe('PM_TERM_DECLINED')
})

test.each([
  ['a line with a key in it', 'echo a\u0003', {}, 'command'],
  ['two lines', 'echo a\necho b', {}, 'command'],
  ['history', 'echo !$', {}, 'command'],
  ['no line', undefined, {}, 'command'],
  ['variables for a terminal that is there', 'echo a', { env: { A: '1' } }, 'env'],
])('%s: refused before anybody is asked', async (_, command, more, field) => {
  const id = wants(command, more)
  const { code, details } = await refusal(id)
  expect(code).toBe('PM_TERM_INVALID_PAYLOAD')
  expect(details).toMatchObject({ issues: [{ field }] })
  expect(person.heard.all.filter(frame => frame.type === 'question' && frame.request_id === id)).toEqual([])
})

test('a container, or another client by name, gets no permit for the editor of this person', async () => {
  at.pair('box')
  editor = await at.client('box')
  expect((await refusal(wants('echo a'))).code).toBe('PM_TERM_APPROVAL_REQUIRED')
})
