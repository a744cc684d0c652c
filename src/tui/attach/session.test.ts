import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { linkPair } from '../../base/link/link.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import { AttachSession } from './session.ts'

function attached(wanted: string) {
  const [host, link] = linkPair('approver')
  const stdout = new PassThrough()
  const said: string[] = []
  stdout.on('data', chunk => said.push(String(chunk)))
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => {} })
  const streams = { stdin, stdout } as unknown as {
    stdin: NodeJS.ReadStream
    stdout: NodeJS.WriteStream
  }
  const session = new AttachSession({ link, clock: new FakeClock(), streams }, wanted)
  session.receive({
    type: 'admitted',
    protocol_version: 2,
    approver_id: 'apr_1',
    instance_id: 'host_1',
    heartbeat_interval_ms: 5000,
    grave_text: 'run it',
    arming_ms: 400,
  } satisfies ToApprover)
  const sent: object[] = []
  host.onFrame(frame => sent.push(frame))
  return { host, session, sent, said: () => said.join('') }
}

const OUTCOME = { state: 'exited', exit_code: 0, signal: null, ended_by: null, why: null } as const
const NO_MORE = { reason: null, command_executed: null }
const TAB: TerminalState = {
  terminal_id: 'term_1',
  name: 'build',
  kind: 'runs',
  profile: 'bash',
  cwd: '/work',
  venv: null,
  requester: 'local',
  workspace_id: null,
  state: 'running',
  run_id: 'req_1',
  command: 'make',
  outcome: null,
  pending: 0,
  waiting: 0,
}
const watching = (stream: number, command: string, end = 0): ToApprover => ({
  type: 'watching',
  request_id: 'join',
  terminal_id: 'term_1',
  stream,
  run_id: `req_${stream}`,
  command,
  offset: 0,
  end,
  running: true,
})
const output = (stream: number, offset: number, text: string): ToApprover => ({
  type: 'terminal_output',
  stream,
  offset,
  data: Buffer.from(text).toString('base64'),
})
const settled = () => new Promise(resolve => setImmediate(resolve))

test('without a name it lists what is open, and does not call the host gone', async () => {
  const { session, said } = attached('')
  session.receive({ type: 'terminals', items: [] })
  expect(await session.over).toBe(0)
  await new Promise(resolve => setImmediate(resolve))
  expect(said()).toContain('No terminal is open.')
  expect(said()).not.toContain('gone')
})

test('a host that really goes is told', async () => {
  const { host, session, said } = attached('')
  host.close('it ended')
  expect(await session.over).toBe(1)
  expect(said()).toContain('The host is gone.')
})

test('it asks for every byte of the terminal, and for no picture of its screen', async () => {
  const { session, sent } = attached('build')
  session.receive({ type: 'terminals', items: [TAB] })
  await settled()
  expect(sent).toMatchObject([
    { type: 'terminal_watch', terminal_id: 'term_1', run_id: null, have: null, every_byte: true, cols: 80, rows: 24 },
  ])
})

test('words of its name are enough, if no other terminal has them', async () => {
  const tabs = ['Claude Code · shop', 'Claude Code · api'].map((name, i) => ({
    ...TAB,
    name,
    terminal_id: `term_${i}`,
  }))
  const one = attached('claude shop')
  one.session.receive({ type: 'terminals', items: tabs })
  await settled()
  expect(one.sent).toMatchObject([{ type: 'terminal_watch', terminal_id: 'term_0' }])
  const two = attached('claude')
  two.session.receive({ type: 'terminals', items: tabs })
  expect(await two.session.over).toBe(1)
  await settled()
  expect(two.said()).toContain('More than one is called that.')
})

test('what is shown is acknowledged, and the end is told behind all of it', async () => {
  const { session, sent, said } = attached('build')
  session.receive({ type: 'terminals', items: [TAB] })
  session.receive(watching(1, 'make'))
  session.receive(output(1, 0, 'built'))
  session.receive({ type: 'stream_end', stream: 1, outcome: { ...OUTCOME, ...NO_MORE } })
  await settled()
  expect(said()).toMatch(/built.*Exit code 0.*The next command here is shown, too/s)
  expect(sent).toContainEqual({ type: 'output_ack', stream: 1, offset: 5 })
})

test('the next command is named before its output, and nothing of the one before comes behind it', async () => {
  const { session, said } = attached('build')
  session.receive({ type: 'terminals', items: [TAB] })
  session.receive(watching(1, 'make'))
  session.receive(output(1, 0, 'one'))
  session.receive(watching(2, 'make test'))
  session.receive(output(1, 3, 'late'))
  session.receive(output(2, 0, 'two'))
  await settled()
  expect(said()).toMatch(/one.*\[make test\].*two/s)
  expect(said()).not.toContain('late')
})

test('questions to a terminal are left out of what was printed before, and kept in what comes', async () => {
  const { session, said } = attached('build')
  session.receive({ type: 'terminals', items: [TAB] })
  session.receive(watching(1, 'make', 9))
  session.receive(output(1, 0, 'old\x1b[6n..new\x1b[5n'))
  await settled()
  expect(said()).not.toContain('\x1b[6n')
  expect(said()).toContain('new\x1b[5n')
})

test('a terminal that is gone from the list lets the person go', async () => {
  const { session, said } = attached('build')
  session.receive({ type: 'terminals', items: [TAB] })
  session.receive({ type: 'terminals', items: [] })
  expect(await session.over).toBe(0)
  expect(said()).toContain('You are out: the terminal was closed.')
})

test('what cannot be typed is told in the host’s words', async () => {
  const { session, said } = attached('build')
  session.receive({ type: 'terminals', items: [TAB] })
  session.receive({ type: 'failed', request_id: 'terminal_input', error: { code: 'X', message: 'Nothing runs here.' } })
  await settled()
  expect(said()).toContain('Nothing runs here.')
})
