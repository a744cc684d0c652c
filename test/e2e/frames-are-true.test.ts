import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePairingFile } from '../../src/base/keys/key-file.ts'
import { PROTOCOL_VERSION } from '../../src/contract/wire/host-frames.ts'
import type { FakeApprover, FakeClient, LiveHost } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'
import { openWindowHost } from '../drivers/window.ts'
import { EXAMPLES } from '../fakes/examples.ts'

/** Every frame that a host sends in a life with all that can happen, to hold the examples of the protocol page against. */
let at: LiveHost
const real: Record<'from-host' | 'to-approver' | 'to-person', { type: string }[]> = {
  'from-host': [],
  'to-approver': [],
  'to-person': [],
}

/** What a card says of a repository is said of a real one. */
const NEEDED = needs('git')

beforeAll(async () => {
  if (NEEDED.skip) return
  at = (await openWindowHost({ env: { PM_TERM_HEARTBEAT_INTERVAL: '3' } })).live
  at.place.allow('expr a')
  const git = (...args: string[]) => execFileSync('git', ['-C', at.place.work, ...args])
  git('init', '-q', '-b', 'main')
  at.place.write('work/tracked', 'so that there is an index')
  git('add', 'tracked')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  const client = await at.client()
  const approver = await at.approver()
  const others = [await at.approver(), await stranger(approver)]
  await answers(client, approver)
  await requests(client, approver)
  await terminals(client, approver)
  await client.heard.next('heartbeat')
  await approver.heard.next('heartbeat')
  real['from-host'].push(...client.heard.all)
  real['to-approver'].push(...[approver, ...others].flatMap(each => each.heard.all))
  real['to-person'].push(...real['to-approver'])
}, 60_000)
afterAll(() => at?.close())

/** Whatever rules say of it by now: a person is asked. */
const here = () => ({
  working_directory: at.place.work,
  workspace_id: 'test',
  workspace_path: at.place.work,
  approval_required: true,
})

/** Somebody who types the wrong code, so that there is an alarm and a refusal. */
async function stranger(approver: FakeApprover): Promise<FakeApprover> {
  const stranger = await at.unproved()
  stranger.attach()
  const challenge = await stranger.heard.next('challenge')
  stranger.askCode()
  const { code } = await approver.heard.next('admission_asked', each => each.code.endsWith(stranger.check(challenge)))
  const wrong = code.startsWith('000 000') ? '111111' : '000000'
  for (let i = 0; i < 3; i++) stranger.send({ type: 'enter_code', secret: wrong })
  await approver.heard.next('alarm')
  await stranger.heard.next('refused')
  return stranger
}

async function answers(client: FakeClient, approver: FakeApprover): Promise<void> {
  const asks = async (command: string, more: Record<string, unknown> = {}) => {
    const id = client.command(command, { ...here(), client_request_id: 'step-7', ...more })
    return { id, question: await approver.question(each => each.request_id === id) }
  }
  at.place.write('work/step.sh', 'expr 1\n')
  const yes = await asks('bash step.sh | cat', {
    env: { CI: '1' },
    caller_surface: 'extension',
    context: 'to see',
    timeout_seconds: 600,
  })
  approver.send({ ...answerTo(yes.question), plan_hash: 'another' })
  approver.approve(yes.question)
  await client.response(yes.id)
  const bold = await at.client()
  await bold.response(bold.command('rm -rf /', here()))
  const no = await asks('expr 2 | cat', { approval_timeout_ms: 4000 })
  await approver.heard.next('reminder')
  approver.decline(no.question, 'not now')
  await client.response(no.id)
  const other = await asks('expr 3 | cat')
  const instead = 'expr 4 > ../seen'
  await approver.judge(other.question, instead)
  await approver.heard.next('preview', each => each.edited === instead)
  await approver.edit(other.question, instead)
  await client.response(other.id)
  at.place.write('work/gone/x', '')
  const gone = await asks('expr 5 | cat', { working_directory: join(at.place.work, 'gone') })
  rmSync(join(at.place.work, 'gone'), { recursive: true })
  approver.approve(gone.question)
  await approver.heard.next('not_started')
  const taken = await asks('rm step.sh | cat')
  await approver.heard.next('preview', each => each.ask_id === taken.question.ask_id)
  client.send({ type: 'cancel', request_id: taken.id, trace_id: 'trace_1' })
  await approver.heard.next('withdrawn')
}

const answerTo = ({ ask_id, plan_hash }: { ask_id: string; plan_hash: string }) =>
  ({ type: 'answer', ask_id, plan_hash, decision: { kind: 'approve', scope: { kind: 'once' } } }) as const

async function requests(client: FakeClient, approver: FakeApprover): Promise<void> {
  const id = client.command('sleep 60', here())
  approver.approve(await approver.question(each => each.request_id === id))
  await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  client.ask('read_output', { session_id: id, output: { wait_for: 'output', wait_ms: 10 } })
  await client.heard.next('output')
  client.ask('read_output', {
    session_id: client.heard.all.find(frame => frame.type === 'command_response')?.request_id,
  })
  const { session_id } = await client.heard.next('output', frame => frame.state === 'exited')
  client.ask('read_receipt', { session_id })
  await client.heard.next('receipt_read')
  client.ask('list')
  await client.heard.next('listed')
  // Others are told; whoever asks knows that it is there.
  const agent = await at.stranger()
  const versions = { protocol_version: PROTOCOL_VERSION, capabilities: [] }
  const name = { name: 'an agent', version: '1', pid: null }
  agent.send({ type: 'hello', ...versions, trace_id: 'trace_2', runtime_session_id: 'ses_2', client: name })
  await agent.heard.next('hello_ack')
  client.ask('status')
  await client.heard.next('status_answered')
  // Whoever asked waits no longer: it is left to the person.
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  await approver.heard.next('left_running')
  client.ask('kill', { session_id: id })
  await client.heard.next('killed')
  approver.send({ type: 'use_screen', env: { DISPLAY: ':0' } })
  await approver.heard.next('screen_used')
  client.ask('show_window')
  await client.heard.next('window_shown')
  const rules = client.ask('allowlist_update', { workspace_id: 'test', operation: 'add', patterns: ['npm run build'] })
  approver.approve(await approver.question(each => each.request_id === rules))
  await client.heard.next('allowlist_updated')
  client.ask('read_output', { session_id: 'req_gone' })
  await client.heard.next('error')
  // A program that asks something, and an agent that would answer it.
  const asking = client.command('read -p "Go on? " x', here())
  approver.approve(await approver.question(each => each.request_id === asking))
  await client.heard.next('progress', frame => frame.request_id === asking && frame.wait_state === 'line')
  const input = [{ text: 'y' }, { key: 'enter' }]
  const typed = client.ask('input_request', { session_id: asking, input, context: 'it asks whether to go on' })
  approver.decline(await approver.question(each => each.request_id === typed))
  await client.heard.next('error', frame => frame.request_id === typed)
  // An editor that would type something into a terminal of its own.
  const tab = { terminal_id: 'term_1_build', terminal_name: 'build', opens: false, shell: '/bin/bash' }
  const there = { working_directory: at.place.work, directory_known: 'told_by_shell' }
  const line = { intent: 'execute_command', command: 'bash step.sh', context: 'to see' }
  const wants = client.ask('permit_request', { ...tab, ...there, ...line })
  approver.approve(await approver.question(each => each.request_id === wants))
  const { permit } = await client.heard.next('permit_answered')
  client.ask('permit_use', { ...permit })
  await client.heard.next('permit_used')
}

/** Somebody looks at a terminal in both ways, cannot type where nothing runs, and closes it. */
async function terminals(client: FakeClient, approver: FakeApprover): Promise<void> {
  const id = client.command('/bin/echo seen; sleep 60', here())
  approver.approve(await approver.question(each => each.request_id === id))
  await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === id)
  if (!terminal_id) throw new Error('it is in no terminal')
  const look = { type: 'terminal_watch', request_id: 'w1', terminal_id, run_id: null, have: null } as const
  approver.send({ ...look, cols: 80, rows: 24 })
  await approver.heard.next('snapshot')
  approver.send({ ...look, every_byte: true, cols: 80, rows: 24 })
  await approver.heard.next('terminal_output')
  client.ask('kill', { session_id: id })
  await client.response(id)
  await approver.heard.next('stream_end')
  approver.send({ type: 'terminal_input', terminal_id, data: 'eA==' })
  await approver.heard.next('failed')
  approver.send({ type: 'terminal_runs', request_id: 'w3', terminal_id })
  await approver.heard.next('terminal_runs_shown')
  approver.send({ type: 'terminals_close_idle', request_id: 'w4' })
  await approver.heard.next(
    'terminals',
    ({ closed }) => closed?.some(each => each.terminal_id === terminal_id) === true,
  )
  approver.send({ type: 'terminal_close', request_id: 'w2', terminal_id })
  await approver.heard.next('done', frame => frame.request_id === 'w2')
  const pairing = client.ask('pairing_request', { name: 'box' })
  approver.approve(await approver.question(each => each.request_id === pairing))
  await client.heard.next('pairing_answered')
  const files = [{ file: '/home/ada/.claude.json', lines: ['+ {}'] }]
  const setup = client.ask('setup_request', { target: 'Claude Code', files })
  approver.approve(await approver.question(each => each.request_id === setup))
  await client.heard.next('setup_answered')
  // A key file that somebody put there.
  makePairingFile(join(at.state, 'keys', 'found.key'), 'found')
  approver.approve(await approver.question(each => each.kind === 'found'))
}

/** Where there is a field: `error.details.issues[].field`. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(each => fieldsOf(each, `${path}[]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, each]) => [`${path}.${name}`, ...fieldsOf(each, `${path}.${name}`)])
}

/** What depends on the fault or the answer: any may be there, and none must. */
const OPEN = /^\.(error\.details|verdict\.(parts|flags|rule))|^\.(kind|type)$/

/** A run is told in the same words whatever was asked about it. */
const REPORTS = ['command_response', 'output', 'killed']

const named = [...EXAMPLES.keys()]
  .filter(name => /^(from-host|to-approver|to-person)\./.test(name))
  .map(name => name.replace('.frame', ''))

test.for(named)('the frame %s is one that a host really sends, field by field', NEEDED, name => {
  const example = EXAMPLES.get(`${name}.frame`) as { type: string; kind?: string }
  const direction = name.split('.')[0] as keyof typeof real
  const same = real[direction].filter(
    frame => frame.type === example.type && (frame as { kind?: string }).kind === example.kind,
  )
  const sent = new Set(same.flatMap(frame => fieldsOf(frame)))
  expect(same.length).toBeGreaterThan(0)
  expect(fieldsOf(example).filter(field => !sent.has(field) && !OPEN.test(field))).toEqual([])
  // And a real one has nothing that no example of its kind shows.
  const kinds = REPORTS.includes(example.type) ? REPORTS : [example.type]
  const shown = new Set(
    [...EXAMPLES]
      .filter(([each]) => kinds.some(kind => each.startsWith(`${direction}.${kind}.`)))
      .flatMap(([, each]) => fieldsOf(each)),
  )
  expect([...sent].filter(field => !shown.has(field) && !OPEN.test(field))).toEqual([])
})
