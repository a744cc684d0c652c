import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ToApprover } from '../../src/contract/wire/approver-frames.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'

/** What the person does with terminals, in whatever they look at them with. */
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
const lists = () => person.heard.all.filter(frame => frame.type === 'terminals')
const terminals = () => lists().at(-1)?.items ?? []
const heard = <T extends ToApprover['type']>(type: T) =>
  person.heard.all.filter((frame): frame is Extract<ToApprover, { type: T }> => frame.type === type)
const watching = (terminal_id: string) => heard('watching').filter(frame => frame.terminal_id === terminal_id)

/** All that was printed in a terminal the person joined, as it came. */
const printed = (terminal_id: string): string => {
  const streams = watching(terminal_id).map(({ stream }) => stream)
  const pieces = heard('terminal_output').filter(({ stream }) => streams.includes(stream))
  return Buffer.concat(pieces.map(({ data }) => Buffer.from(data, 'base64'))).toString('utf8')
}

const SIZE = { cols: 80, rows: 24 }
/** As `interactive-terminal attach` does. */
const join = (terminal_id: string, have: number | null = null) =>
  person.send({ type: 'terminal_watch', ...about(terminal_id), run_id: null, have, every_byte: true, ...SIZE })
let asked = 0
const about = (terminal_id: string) => ({ request_id: `w${++asked}`, terminal_id })

const prompts = (terminal_id: string): number => printed(terminal_id).split('133;B;aid=').length - 1

async function start(command: string, more: Record<string, unknown> = {}) {
  const id = client.command(command, { workspace_path: at.place.work, approval_required: true, ...more })
  person.approve(await person.question(question => question.request_id === id))
  await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  return { id, terminal_id: terminal_id ?? '' }
}

async function shell(name: string) {
  const { request_id } = about('')
  person.send({ type: 'terminal_create', request_id, profile: 'bash', cwd: null, workspace_id: null, ...SIZE })
  const { terminal_id } = await person.heard.next('done', frame => frame.request_id === request_id)
  if (terminal_id === null) throw new Error('no terminal was opened')
  person.send({ type: 'terminal_rename', ...about(terminal_id), name })
  await eventually('it is there', () => terminals().some(each => each.name === name))
  join(terminal_id)
  await eventually('its prompt', () => /[$#] /.test(printed(terminal_id)))
  return terminal_id
}

test('a person opens a shell, types in it, and no agent can read it', async () => {
  const terminal_id = await shell('private')
  person.send({ type: 'terminal_input', terminal_id, data: base64('echo $((6*7)) secret\r') })
  await eventually('the answer', () => printed(terminal_id).includes('42 secret'))
  client.ask('list')
  expect(await client.heard.next('listed')).toMatchObject({ terminals: [], items: [] })
  client.ask('read_output', { terminal_id })
  expect(await client.heard.next('error')).toMatchObject({ error: { code: 'PM_TERM_NOT_FOUND' } })
  const typed = at.journal().filter(({ kind }) => kind === 'person_input')
  expect(typed).toHaveLength(1)
  expect(JSON.parse(typed[0]?.body ?? '')).toEqual({ terminal_id, by: expect.stringContaining('tester') })
})

test('a terminal is joined: what was printed before, then what comes', async () => {
  const { id, terminal_id } = await start('/bin/echo early; read line; /bin/echo "got $line"')
  await eventually('it is listed', () => terminals().some(each => each.run_id === id && each.state === 'running'))
  join(terminal_id)
  await eventually('what was there', () => printed(terminal_id).includes('early'))
  person.send({ type: 'terminal_input', terminal_id, data: base64('typed by hand\r') })
  expect(await client.response(id)).toMatchObject({ output: expect.stringContaining('got typed by hand') })
  await eventually('its end', () => heard('stream_end').some(({ outcome }) => outcome.exit_code === 0))
  // The next command in the same tab is seen without joining again.
  await start('/bin/echo next one', { terminal_id }).catch(() => {})
  await eventually('the next one', () => printed(terminal_id).includes('next one'))
})

test('whoever is slow to look holds nobody up, and misses nothing', async () => {
  const { id, terminal_id } = await start('seq 1 200000')
  join(terminal_id, 0)
  expect(await client.response(id, 30_000)).toMatchObject({ exit_code: 0, output_bytes: 1_488_895 })
  const sent = () => Buffer.byteLength(printed(terminal_id))
  await eventually('some of it', () => sent() > 0)
  expect(sent()).toBeLessThan(600_000)
  await eventually(
    'all of it',
    () => {
      person.send({ type: 'output_ack', stream: watching(terminal_id)[0]?.stream ?? 0, offset: sent() })
      return sent() === 1_488_895
    },
    20_000,
  )
  expect(printed(terminal_id).endsWith('199999\r\n200000\r\n')).toBe(true)
})

test('a terminal has the size of whoever looks at it, also for later commands', async () => {
  const { id, terminal_id } = await start('read line; stty size')
  person.send({ type: 'terminal_resize', terminal_id, cols: 77, rows: 33 })
  person.send({ type: 'terminal_input', terminal_id, data: base64('\r') })
  expect(await client.response(id)).toMatchObject({ output: expect.stringContaining('33 77') })
  const next = client.command('stty size', { terminal_id, approval_required: true })
  person.approve(await person.question(question => question.request_id === next))
  expect(await client.response(next)).toMatchObject({ output: '33 77\r\n' })
})

test('a terminal is renamed, and an agent sees the name', async () => {
  const { terminal_id } = await start('/bin/echo hi')
  person.send({ type: 'terminal_rename', ...about(terminal_id), name: 'build' })
  await eventually('renamed', () => terminals().some(each => each.name === 'build'))
  client.ask('list')
  expect((await client.heard.next('listed')).terminals).toMatchObject([{ terminal_id, name: 'build', kind: 'runs' }])
})

test('a terminal that is restarted forgets what its commands had changed', async () => {
  const { id, terminal_id } = await start('cd /usr; export FOO=1; sleep 0')
  await client.response(id)
  expect(await eventually('carried', () => terminals().some(each => each.cwd === '/usr'))).toBeUndefined()
  person.send({ type: 'terminal_restart', ...about(terminal_id) })
  await eventually('forgotten', () => terminals().some(each => each.cwd === at.place.work))
  const env = client.command('/bin/echo "[$FOO]"', { terminal_id, approval_required: true })
  person.approve(await person.question(question => question.request_id === env))
  expect(await client.response(env)).toMatchObject({ output: '[]\r\n' })
  const next = client.command('pwd', { terminal_id })
  expect(await client.response(next)).toMatchObject({ approved_by: 'allowlist', output: `${at.place.work}\r\n` })
})

test(
  'a shell that is restarted is a new one in the same terminal, with another profile if one is chosen',
  needs('zsh'),
  async () => {
    const terminal_id = await shell('mine')
    person.send({ type: 'terminal_input', terminal_id, data: base64('LOST=1; echo shell is $0\r') })
    await eventually('the first', () => prompts(terminal_id) === 2)
    person.send({ type: 'terminal_restart', ...about(terminal_id), profile: 'zsh' })
    await eventually('the second', () =>
      terminals().some(each => each.terminal_id === terminal_id && each.profile === 'zsh'),
    )
    await eventually('its prompt', () => prompts(terminal_id) >= 3)
    person.send({ type: 'terminal_input', terminal_id, data: base64('echo "[$LOST]" $ZSH_NAME\r') })
    await eventually('it answers', () => printed(terminal_id).includes('[] zsh'))
    expect(terminals().filter(each => each.terminal_id === terminal_id)).toHaveLength(1)
  },
)

test('a terminal that is closed ends what runs in it, and what waits never begins', async () => {
  const { id, terminal_id } = await start('sleep 300')
  const waiting = client.command('/bin/echo never', { terminal_id })
  await client.heard.next('progress', frame => frame.request_id === waiting && frame.phase === 'queued')
  join(terminal_id)
  person.send({ type: 'terminal_close', ...about(terminal_id) })
  expect(await client.response(id)).toMatchObject({ state: 'killed', ended_by: 'person' })
  expect(await client.response(waiting)).toMatchObject({ state: 'withdrawn' })
  await eventually('it is gone from the list', () => terminals().length === 0)
})

test('nobody who was not let in sees or touches a terminal', async () => {
  const { terminal_id } = await start('sleep 300')
  const stranger = await at.unproved()
  stranger.send({ type: 'terminal_watch', ...about(terminal_id), run_id: null, have: null, ...SIZE })
  await eventually('thrown out', () => stranger.closed !== null)
  expect(stranger.heard.all.map(({ type }) => type)).toEqual(['refused'])
})

test('somebody who only joins terminals is nobody who could answer', async () => {
  person.send({ type: 'detach' })
  await eventually('gone', () => person.closed !== null)
  const looker = await at.unproved()
  await looker.admitted(undefined, 'attach')
  const id = client.command('echo hi', { workspace_path: at.place.work, approval_timeout_ms: 300 })
  client.ask('list')
  expect(await client.heard.next('listed')).toMatchObject({ approvers: 0 })
  client.ask('cancel', { request_id: id })
  expect(looker.heard.all.some(({ type }) => type === 'question')).toBe(false)
})

test('bytes that are no text arrive as they were typed', async () => {
  const { id, terminal_id } = await start('stty raw -echo; /bin/echo ready; head -c 3 | od -An -tx1')
  join(terminal_id)
  await eventually('it reads', () => printed(terminal_id).includes('ready'))
  person.send({ type: 'terminal_input', terminal_id, data: Buffer.from([0xff, 0xe4, 0x80]).toString('base64') })
  expect(await client.response(id)).toMatchObject({ output: expect.stringContaining('ff e4 80') })
})

test('what cannot be done is said', async () => {
  const asking = about('term_none')
  person.send({ type: 'terminal_rename', ...asking, name: 'x' })
  expect(await person.heard.next('failed')).toMatchObject({
    request_id: asking.request_id,
    error: { code: 'PM_TERM_NOT_FOUND', message: 'There is no terminal term_none.' },
  })
})
