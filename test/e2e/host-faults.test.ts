import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal, readJournal } from '../../src/runs/journal/journal.ts'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { eventually, isAlive } from '../drivers/mcp-client.ts'

let at: LiveHost
let client: FakeClient
let approver: FakeApprover
beforeEach(async () => {
  at = await openLiveHost({ env: { PM_TERM_APPROVER_WAIT_MS: '300', PM_TERM_KILL_GRACE_MS: '300' } })
  client = await at.client()
  approver = await at.approver()
})
afterEach(() => at.close())

const here = () => ({ working_directory: at.place.work })
const approved = async (command: string, more: Record<string, unknown> = {}, who = client): Promise<string> => {
  const id = who.command(command, { ...here(), ...more })
  approver.approve(await approver.question(question => question.request_id === id))
  return id
}
const killed = async (session_id: string, who = client) => {
  const request = who.ask('kill', { session_id })
  return who.heard.next('killed', frame => frame.request_id === request)
}

test('another protocol version is told so, and nothing else is said', async () => {
  const other = await at.stranger()
  other.send({ type: 'hello', protocol_version: 99, capabilities: [], trace_id: 't', runtime_session_id: 's' })
  expect(await other.heard.next('error')).toMatchObject({ error: { message: expect.stringContaining('version 1') } })
  await eventually('closed', () => other.closed !== null)
})

test('a command before the hello does not run', async () => {
  const other = await at.stranger()
  other.command('touch ran', here())
  await eventually('closed', () => other.closed !== null)
  expect(approver.heard.all.some(frame => frame.type === 'question')).toBe(false)
})

test('an unknown frame is answered by name, and the connection lives on', async () => {
  client.send({ type: 'approve', request_id: 'req_x', trace_id: 't', ask_id: 'ask_1' })
  expect(await client.heard.next('error')).toMatchObject({
    request_id: 'req_x',
    error: { code: 'PM_TERM_INVALID_PAYLOAD' },
  })
  client.ask('list')
  await client.heard.next('listed')
})

test('a client cannot answer, not even on the other listener', async () => {
  const id = client.command('touch ran', here())
  const question = await approver.question()
  const { ask_id, plan_hash } = question
  client.send({
    type: 'answer',
    request_id: 'r',
    ask_id,
    plan_hash,
    decision: { kind: 'approve', scope: { kind: 'once' } },
  })
  expect(await client.heard.next('error')).toMatchObject({ error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
  const unproved = await at.unproved()
  unproved.send({ type: 'shown', ask_id })
  unproved.approve(question)
  expect(await unproved.heard.next('refused')).toMatchObject({ reason: expect.stringContaining('admitted') })
  approver.decline(question)
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
})

test('three wrong passphrases and it is over', async () => {
  const guesser = await at.unproved()
  guesser.attach()
  for (let i = 1; i <= 3; i++) {
    await eventually('a challenge', () => guesser.heard.all.filter(frame => frame.type === 'challenge').length === i)
    guesser.send({ type: 'prove', signature: 'ab'.repeat(64) })
  }
  expect(await guesser.heard.next('refused')).toMatchObject({ reason: expect.stringContaining('passphrase') })
})

test('an approved command cannot become an approver', async () => {
  const script = at.place.write(
    'work/attach.mjs',
    `import { connect } from 'node:tls'
     import { readFileSync } from 'node:fs'
     const psk = Buffer.from(readFileSync(${JSON.stringify(join(at.state, 'local.key'))}, 'utf8').trim(), 'hex')
     const socket = connect({ host: '127.0.0.1', port: ${at.host.approverPort}, ciphers: 'TLS_AES_128_GCM_SHA256',
       minVersion: 'TLSv1.3', pskCallback: () => ({ identity: 'approver', psk }), checkServerIdentity: () => undefined },
       () => socket.write(JSON.stringify({ type: 'attach', protocol_version: 2, surface: 'terminal', name: 'me' }) + '\\n'))
     socket.on('data', data => process.stdout.write(data))
     socket.on('error', () => {})
     setTimeout(() => process.exit(0), 1500)`,
  )
  const id = await approved(`setsid -w ${process.execPath} ${script}`)
  expect((await client.response(id)).output).toContain('cannot answer')
})

test.each([
  ['ignores SIGTERM', "trap '' TERM; /bin/echo up; while :; do sleep 0.1; done"],
  ['forks away', 'setsid sleep 300 & /bin/echo $! > child; /bin/echo up; sleep 300'],
])('a program that %s is killed with everything it started', async (_, line) => {
  const id = await approved(line)
  const read = client.ask('read_output', { session_id: id, output: { wait_for: 'text', text: 'up', wait_ms: 5000 } })
  await client.heard.next('output', frame => frame.request_id === read)
  expect(await killed(id)).toMatchObject({ state: 'killed', exit_code: -1, ended_by: 'kill', output: 'up\r\n' })
  expect(await client.response(id)).toMatchObject({ state: 'killed' })
  const child = Number(at.place.read('work/child') || '0')
  if (child > 0) await eventually('the child is gone', () => !isAlive(child))
})

test('timeout_seconds ends the command, and says so', async () => {
  const id = await approved('/bin/echo start; sleep 60', { timeout_seconds: 0.5 })
  expect(await client.response(id)).toMatchObject({
    status: 'timeout',
    state: 'timed_out',
    output: 'start\r\n',
    error: { code: 'PM_TERM_TIMEOUT', details: { phase: 'execution' } },
  })
})

test('a program swapped after the person said yes does not start', async () => {
  const file = at.place.write('work/tool.sh', '#!/bin/sh\necho good\n', 0o755)
  const blocker = await approved('sleep 0.8')
  const id = client.command(file, {
    ...here(),
    args: [],
    terminal_id: (await client.heard.next('accepted')).terminal_id,
  })
  await client.response(blocker)
  const question = await approver.question(each => each.request_id === id)
  rmSync(file)
  writeFileSync(file, '#!/bin/sh\necho evil\n')
  chmodSync(file, 0o755)
  approver.approve(question)
  const again = await approver.question(each => each.request_id === id && each.ask_id !== question.ask_id)
  expect(again).toMatchObject({ changed: [`The program ${file} is another file now.`] })
  approver.decline(again)
  expect(await client.response(id)).toMatchObject({ status: 'declined', output: '' })
})

test('a directory deleted after the question does not get another one in its place', async () => {
  const gone = join(at.place.root, 'gone')
  mkdirSync(gone)
  const id = client.command('pwd', { working_directory: gone, approval_required: true })
  const question = await approver.question()
  rmSync(gone, { recursive: true })
  approver.approve(question)
  expect(await client.response(id)).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('is gone') },
  })
})

test('an answer to something else than what was asked does not count, and neither does one that is too fast', async () => {
  const id = client.command('touch ran', here())
  const { ask_id, plan_hash } = await approver.heard.next('question')
  const decision = { kind: 'approve', scope: { kind: 'once' } } as const
  approver.send({ type: 'answer', ask_id, plan_hash, decision })
  expect(await approver.heard.next('answer_refused')).toMatchObject({
    problem: expect.stringContaining('not on this screen'),
  })
  approver.send({ type: 'shown', ask_id })
  approver.send({ type: 'answer', ask_id, plan_hash, decision })
  await approver.heard.next('answer_refused', frame => frame.problem.includes('too fast'))
  approver.send({ type: 'answer', ask_id, plan_hash: 'another', decision })
  await approver.heard.next('answer_refused', frame => frame.problem.includes('not what was asked'))
  expect(existsSync(join(at.place.work, 'ran'))).toBe(false)
  client.send({ type: 'cancel', request_id: id, trace_id: 't' })
  await client.response(id)
})

test('of two approvers the first answer counts', async () => {
  const second = await at.approver()
  const id = client.command('expr ran', here())
  const question = await approver.question()
  const same = await second.question()
  approver.decline(question, 'no')
  second.approve(same)
  expect(await second.heard.next('answered')).toMatchObject({ outcome: 'declined', yours: false })
  expect(await second.heard.next('answer_refused')).toMatchObject({ open: false })
  expect(await client.response(id)).toMatchObject({ status: 'declined', reason: 'no' })
})

test('one client cannot flood the person with questions: it hears so, the person hears so, and the order is kept', async () => {
  const ids = Array.from({ length: 203 }, (_, i) => client.command(`touch ran${i}`, here()))
  const questions = () => approver.heard.all.flatMap(frame => (frame.type === 'question' ? [frame.request_id] : []))
  await eventually('200 questions', () => questions().length === 200, 120_000)
  expect(await client.response(ids.at(-1) ?? '')).toMatchObject({
    error: {
      code: 'PM_TERM_INVALID_MODE',
      message: expect.stringContaining('200 questions wait for the person already'),
      details: { reason: 'too_many_questions' },
    },
  })
  await approver.heard.next('presence', frame => frame.turned_away === 3)
  client.ask('allowlist_update', { workspace_id: 'test', operation: 'add', patterns: ['npm run build'] })
  await approver.heard.next('presence', frame => frame.turned_away === 4)
  expect(questions()).toEqual(ids.slice(0, 200))
}, 180_000)

test('a client paired by name sees only its own, and nobody else sees its runs', async () => {
  at.pair('box')
  const box = await at.client('box')
  const id = await approved('expr mine', {}, box)
  expect(await box.response(id)).toMatchObject({ adapter: 'container_bridge_to_host', output: 'mine\r\n' })
  for (const type of ['read_output', 'kill'] as const) {
    const request = client.ask(type, { session_id: id })
    expect(await client.heard.next('error', frame => frame.request_id === request)).toMatchObject({
      error: { code: 'PM_TERM_NOT_FOUND' },
    })
  }
  client.ask('list')
  expect((await client.heard.next('listed')).items).toEqual([])
  box.ask('list')
  expect((await box.heard.next('listed')).items.map(item => item.session_id)).toEqual([id])
  // The same id of another requester is another run.
  const other = client.command('expr yours', { ...here(), request_id: id })
  approver.approve(await approver.question(question => question.requester === 'local'))
  expect(await client.response(other)).toMatchObject({ output: 'yours\r\n' })
})

test('one run per terminal: the second waits, and is told behind whom', async () => {
  const first = await approved('sleep 1; /bin/echo first')
  const { terminal_id } = await client.heard.next('accepted')
  const second = client.command('expr second', { ...here(), terminal_id })
  expect(await client.heard.next('progress', frame => frame.request_id === second)).toMatchObject({
    phase: 'queued',
    behind: first,
    ahead: 1,
  })
  await client.response(first)
  approver.approve(await approver.question(question => question.request_id === second))
  expect(await client.response(second)).toMatchObject({ terminal_id, output: 'second\r\n' })
})

test('without a target the default terminal is used again, and another one while it is busy', async () => {
  const first = await approved('sleep 0.6')
  const { terminal_id } = await client.heard.next('accepted')
  const second = client.command('true', here())
  const other = await client.heard.next('accepted', frame => frame.request_id === second)
  await client.response(first)
  await client.response(second)
  const third = client.command('true', here())
  const again = await client.heard.next('accepted', frame => frame.request_id === third)
  await client.response(third)
  expect([other.terminal_id === terminal_id, again.terminal_id]).toEqual([false, terminal_id])
})

test('unknown ids are not found, never an empty success', async () => {
  for (const [type, target] of [
    ['read_output', { session_id: 'req_none' }],
    ['read_output', { terminal_id: 'term_none' }],
    ['kill', { session_id: 'req_none' }],
    ['kill', { terminal_id: 'term_none' }],
  ] as const) {
    const request = client.ask(type, target)
    expect(await client.heard.next('error', frame => frame.request_id === request)).toMatchObject({
      error: { code: 'PM_TERM_NOT_FOUND' },
    })
  }
})

test('30 MB of output, binary at the end, come whole', async () => {
  const id = await approved("stty -opost; head -c 30000000 /dev/zero | tr '\\0' x; printf '\\377\\376end'")
  const response = await client.response(id, 20_000)
  expect(response).toMatchObject({ exit_code: 0, output_bytes: 30_000_005 })
  expect(response.output.endsWith('end')).toBe(true)
}, 30_000)

test('what happened is in the journal, in order and unbroken, without the values of variables', async () => {
  const id = await approved('/bin/echo "$SECRET"', { env: { SECRET: 'hush-hush' } })
  await client.response(id)
  const journal = await openJournal(join(at.state, 'journal.db'), () => 0)
  await eventually('the end', () => journal.rowsOf(id).some(row => row.kind === 'ended'))
  expect(journal.rowsOf(id).map(row => row.kind)).toEqual([
    'received',
    'judged',
    'asked',
    'answered',
    'starting',
    'started',
    'ended',
  ])
  expect(journal.verify()).toMatchObject({ sound: true })
  journal.close()
  for (const file of ['journal.db', 'journal.db-wal'].map(name => join(at.state, name)))
    if (existsSync(file)) expect(readFileSync(file).includes('hush-hush')).toBe(false)
})

test('a yes for the workspace becomes its rule; one for the terminal holds there and nowhere else', async () => {
  const rules = ['expr one']
  const scope = (kind: 'terminal' | 'workspace') => ({ scope: { kind, rules } })
  const first = client.command('expr one', here())
  approver.approve(await approver.question(), scope('terminal'))
  await client.response(first)
  const same = client.command('expr one', here())
  expect(await client.response(same)).toMatchObject({ approved_by: 'allowlist' })
  const elsewhere = client.command('expr one', { ...here(), terminal_profile: 'sh' })
  approver.approve(await approver.question(question => question.request_id === elsewhere), scope('workspace'))
  await client.response(elsewhere)
  expect(JSON.parse(at.place.read('home/data/test/terminal-allowlist.json')).patterns).toEqual(['expr one'])
  const later = client.command('expr one', { ...here(), terminal_profile: 'sh' })
  expect(await client.response(later)).toMatchObject({ approved_by: 'allowlist' })
})

test('an agent asks for a rule, the person sees exactly which, and nothing changes before the yes', async () => {
  at.place.allow('expr a')
  const update = client.ask('allowlist_update', { workspace_id: 'test', operation: 'add', patterns: ['npm test'] })
  const question = await approver.question()
  expect(question).toMatchObject({ kind: 'rules', added: ['npm test'], removed: [] })
  expect(at.place.read('home/data/test/terminal-allowlist.json')).not.toContain('npm test')
  approver.approve(question)
  expect(await client.heard.next('allowlist_updated', frame => frame.request_id === update)).toMatchObject({
    status: 'approved',
    patterns: ['expr a', 'npm test'],
  })
})

const journalOf = async (runId: string) => {
  const reader = await readJournal(join(at.state, 'journal.db'))
  const rows = reader.rowsOf(runId)
  reader.close()
  return rows.map(({ kind }) => kind)
}

test.each([
  [
    'for a workspace that no directory is bound to',
    { workspace_id: 'nowhere' },
    'policy trust <directory> --workspace nowhere',
  ],
  ['that would allow everything', { patterns: ['*'] }, 'cannot be a rule'],
])('a rule %s is not even asked for', async (_, more, says) => {
  at.place.allow('expr a')
  const update = client.ask('allowlist_update', {
    workspace_id: 'test',
    operation: 'add',
    patterns: ['npm test'],
    ...more,
  })
  expect(await client.heard.next('error', frame => frame.request_id === update)).toMatchObject({
    error: { message: expect.stringContaining(says) },
  })
  expect(approver.heard.all.some(frame => frame.type === 'question')).toBe(false)
  expect(await journalOf(update)).toEqual([])
})

test('a rule that can no longer be kept when the yes comes is not kept, and the person hears it', async () => {
  at.place.allow('expr a')
  const update = client.ask('allowlist_update', { workspace_id: 'test', operation: 'add', patterns: ['npm test'] })
  const question = await approver.question()
  expect(question).toMatchObject({ workspace_directory: at.place.work })
  rmSync(join(at.place.home, 'data', 'test', 'workspace.v1.json'))
  approver.approve(question)
  expect(await approver.heard.next('answer_refused')).toMatchObject({
    open: true,
    problem: expect.stringContaining('policy trust'),
  })
  expect(await journalOf(update)).toEqual(['asked'])
  approver.decline(question)
  expect(await client.heard.next('allowlist_updated')).toMatchObject({ status: 'declined' })
})

test('a rule that is there already is no question, and nobody is said to have approved it', async () => {
  at.place.allow('expr a')
  const update = client.ask('allowlist_update', { workspace_id: 'test', operation: 'add', patterns: ['expr a'] })
  expect(await client.heard.next('allowlist_updated', frame => frame.request_id === update)).toMatchObject({
    status: 'approved',
    reason: expect.stringContaining('nobody was asked'),
  })
})

test('rules somebody wrote into the file are put to the person, and count only after the yes', async () => {
  at.place.allow('expr a')
  const inFile = { patterns: ['expr a', 'expr planted'], updated_at: '' }
  at.place.write('home/data/test/terminal-allowlist.json', JSON.stringify(inFile))
  const first = client.command('expr planted', here())
  const rules = await approver.question(question => question.kind === 'rules')
  expect(rules).toMatchObject({ added: ['expr planted'], client: 'terminal-allowlist.json' })
  approver.decline(await approver.question(question => question.request_id === first))
  expect(await client.response(first)).toMatchObject({ status: 'declined' })
  approver.approve(rules)
  await approver.heard.next('answered', frame => frame.ask_id === rules.ask_id && frame.outcome === 'approved')
  const second = client.command('expr planted', here())
  expect(await client.response(second)).toMatchObject({ approved_by: 'allowlist', output: 'planted\r\n' })
})
