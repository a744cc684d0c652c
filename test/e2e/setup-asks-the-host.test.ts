import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandLine } from '../drivers/command-line.ts'
import { type FakeApprover, type LiveHost, openLiveHost } from '../drivers/live-host.ts'

/** docs/spec.md §2.10: while a host runs, changing a client's own files by `setup` is a question. */
let at: LiveHost
let approver: FakeApprover
beforeEach(async () => {
  at = await openLiveHost()
  approver = await at.approver()
})
afterEach(() => at.close())

const setup = (...words: string[]) =>
  commandLine(at.place, ['setup', 'codex', ...words], { PM_TERM_PORT: String(at.host.port) })
const config = () => at.place.read('.codex/config.toml')
const answers = () => at.journal().flatMap(({ kind, body }) => (kind === 'answered' ? [JSON.parse(body)] : []))

test('setup --write shows every line in the question and writes after the yes; --undo asks as well', async () => {
  const told = setup('--only-terminal', '--write')
  const question = await approver.question()
  expect(question).toMatchObject({
    kind: 'setup',
    client: expect.stringContaining('interactive-terminal setup'),
    target: 'Codex',
    files: [{ file: `${at.place.root}/.codex/config.toml`, lines: expect.arrayContaining(['+ shell_tool = false']) }],
  })
  expect(config()).toBe('')
  approver.approve(question)
  expect(await told).toMatchObject({ code: 0, out: expect.stringContaining('Codex is set up') })
  expect(config()).toContain('shell_tool = false')
  expect(answers()).toMatchObject([{ setup: 'Codex', kind: 'approve', files: [`${at.place.root}/.codex/config.toml`] }])
  const undone = setup('--undo')
  const other = await approver.question(each => each.ask_id !== question.ask_id)
  expect(other).toMatchObject({ kind: 'setup', files: [{ lines: expect.arrayContaining(['- shell_tool = false']) }] })
  approver.approve(other)
  expect(await undone).toMatchObject({ code: 0 })
  expect(config()).toBe('')
})

test('a no leaves the files as they were, and its reason is told', async () => {
  const told = setup('--write')
  approver.decline(await approver.question(), 'not on this machine')
  expect(await told).toMatchObject({ code: 2, out: expect.stringContaining('not on this machine') })
  expect(config()).toBe('')
})

test('a container cannot ask for it', async () => {
  at.pair('box')
  const box = await at.client('box')
  box.ask('setup_request', { target: 'Codex', files: [{ file: '/x', lines: ['+ y'] }] })
  expect(await box.heard.next('error')).toMatchObject({ error: { code: 'PM_TERM_APPROVAL_REQUIRED' } })
  expect(approver.heard.all.some(({ type }) => type === 'question')).toBe(false)
})
