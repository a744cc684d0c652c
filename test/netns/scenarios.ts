import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AnyResponse } from '../../src/contract/tool/response.ts'
import { executing, type Side } from './side.ts'
import { soon } from './soon.ts'

/** Something a user does, the same wherever the agent is. What it returns is compared field by field. */
export interface Scenario {
  readonly lane: 'headless' | 'interactive'
  readonly name: string
  readonly run: (side: Side) => Promise<readonly unknown[]>
  /** What must be among it, so that two sides that are equally wrong do not pass. */
  readonly shows: readonly unknown[]
  /** Both sides write the same file: one after the other. */
  readonly inTurn?: true
}

const ended = (exit_code: number) => ({ success: true, status: 'completed', result: { state: 'exited', exit_code } })
const failed = (code: string) => ({ success: false, status: 'failed', error: { code } })

export const HEADLESS: readonly Scenario[] = [
  {
    lane: 'headless',
    name: 'an allowed command runs',
    run: async side => [
      await side.headless({ action: 'run', command: 'echo hello', workspace_id: 'test' }),
      await side.interactive({
        action: 'execute',
        invocation: { mode: 'headless', intent: 'execute_command' },
        execution: { command: 'echo', args: ['a b', '*'] },
      }),
    ],
    shows: [
      { ...ended(0), result: { stdout: 'hello\n' } },
      { ...ended(0), result: { stdout: 'a b *\n' } },
    ],
  },
  {
    lane: 'headless',
    name: 'a command no rule covers is blocked',
    run: async side => [
      await side.headless({ action: 'run', command: 'touch nothing', workspace_id: 'test' }),
      await side.headless({ action: 'run', command: 'echo a | cat', workspace_id: 'test' }),
    ],
    shows: [failed('PM_TERM_APPROVAL_REQUIRED'), failed('PM_TERM_APPROVAL_REQUIRED')],
  },
  {
    lane: 'headless',
    name: 'a catastrophic command is refused',
    run: async side => [await side.headless({ action: 'run', command: 'rm -rf /' })],
    shows: [failed('PM_TERM_BLOCKED_DESTRUCTIVE')],
  },
  {
    lane: 'headless',
    name: 'a grave command is refused',
    run: async side => [await side.headless({ action: 'run', command: 'git push --force origin main' })],
    shows: [failed('PM_TERM_APPROVAL_REQUIRED')],
  },
  {
    lane: 'headless',
    name: 'a long command is read later',
    run: async side => {
      const request_id = side.id()
      // Long enough for the first line to be there, and not for the second, on a busy machine too.
      const line = side.place.shell('echo first; sleep 8; echo second; exit 3')
      const first = await side.headless({ action: 'run', ...line, request_id, timeout_ms: 3000 })
      const later = await side.headless({
        action: 'read_output',
        session_id: request_id,
        cursor: first.result.cursor,
        wait_for: 'exit',
        wait_ms: 20_000,
      })
      return [first, later]
    },
    shows: [
      { status: 'accepted', result: { running: true, stdout: 'first\n' } },
      { result: { state: 'exited', exit_code: 3, stdout: 'second\n' } },
    ],
  },
  {
    lane: 'headless',
    name: 'kill ends it',
    run: async side => {
      const request_id = side.id()
      const line = side.place.shell('echo begun; sleep 300')
      const first = await side.headless({ action: 'run', ...line, request_id, timeout_ms: 300 })
      return [first, await side.headless({ action: 'kill', session_id: request_id })]
    },
    shows: [{ status: 'accepted' }, { result: { state: 'killed', exit_code: -1, stdout: 'begun\n' } }],
  },
  {
    lane: 'headless',
    name: 'cancelling the call ends it',
    run: async side => {
      const request_id = side.id()
      const stop = new AbortController()
      const line = side.place.shell('echo begun; sleep 300')
      const asked = side
        .headless({ action: 'run', ...line, request_id }, { signal: stop.signal })
        .catch(() => 'given up')
      const read = (more: object) => side.headless({ action: 'read_output', session_id: request_id, ...more })
      await soon('it has begun', async () => (await read({})).result.stdout === 'begun\n')
      stop.abort()
      return [await asked, await read({ wait_for: 'exit', wait_ms: 10_000 })]
    },
    shows: ['given up', { result: { state: 'killed', ended_by: 'cancelled' } }],
  },
  {
    lane: 'headless',
    name: 'kill_after_ms ends it',
    run: async side => [
      await side.headless({ action: 'run', ...side.place.shell('echo begun; sleep 300'), kill_after_ms: 500 }),
    ],
    shows: [{ ...failed('PM_TERM_TIMEOUT'), error: { details: { phase: 'execution' } } }],
  },
  {
    lane: 'headless',
    name: 'big output is paged',
    run: async side => {
      const request_id = side.id()
      const line = side.place.shell('seq 1 400000')
      return [summary(await side.headless({ action: 'run', ...line, request_id })), await allOf(side, request_id)]
    },
    shows: [{ output_bytes: 2_688_895 }, { bytes: 2_688_895, lines: 400_000 }],
  },
  {
    lane: 'headless',
    name: 'unicode stays whole',
    run: async side => [await side.headless({ action: 'run', command: 'echo', args: ['Grüße 🦊 漢字 e\u0301'] })],
    shows: [{ result: { stdout: 'Grüße 🦊 漢字 e\u0301\n' } }],
  },
  {
    lane: 'headless',
    name: 'variables arrive',
    run: async side => [
      await side.headless({
        action: 'run',
        ...side.place.shell('echo "$NODE_ENV|$CI"'),
        env: { CI: '1', NODE_ENV: 'test' },
      }),
    ],
    shows: [{ result: { stdout: 'test|1\n' } }],
  },
  {
    lane: 'headless',
    name: 'an id nobody knows is not found',
    run: async side => [
      await side.headless({ action: 'read_output', session_id: 'req_nobody' }),
      await side.headless({ action: 'kill', session_id: 'req_nobody' }),
    ],
    shows: [failed('PM_TERM_NOT_FOUND'), failed('PM_TERM_NOT_FOUND')],
  },
  {
    lane: 'headless',
    name: 'the rules in force are told',
    run: async side => [await side.headless({ action: 'get_allowlist', workspace_id: 'test' })],
    shows: [{ success: true, result: { workspace: { workspace_id: 'test' } } }],
  },
]

export const INTERACTIVE: readonly Scenario[] = [
  {
    lane: 'interactive',
    name: 'an allowed command runs without a question',
    run: async side => [await side.execute(side.id(), 'echo hello')],
    shows: [{ ...ended(0), result: { authorization: 'allowed', approved_by: 'allowlist', stdout: 'hello\n' } }],
  },
  {
    lane: 'interactive',
    name: 'asked and approved',
    run: async side => {
      const id = side.id()
      const asked = side.execute(id, '/bin/echo yes; exit 4', { execution: { context: 'because' } })
      const question = await side.question(id)
      side.approver.approve(question)
      const { requester, ...card } = question
      return [card, await asked]
    },
    shows: [
      { kind: 'command', command: '/bin/echo yes; exit 4', context: 'because' },
      { ...ended(4), result: { authorization: 'allowed_with_warning', approved_by: 'person', stdout: 'yes\n' } },
    ],
  },
  {
    lane: 'interactive',
    name: 'declined, with the reason',
    run: async side => {
      const id = side.id()
      const asked = side.execute(id, '/bin/echo no')
      side.approver.decline(await side.question(id), 'not on a Friday')
      return [await asked, await side.read(id)]
    },
    shows: [
      { ...failed('PM_TERM_DECLINED'), error: { details: { reason: 'not on a Friday' } } },
      { result: { state: 'declined' } },
    ],
  },
  {
    lane: 'interactive',
    name: 'edited, and told what ran instead',
    run: async side => {
      const id = side.id()
      const asked = side.execute(id, '/bin/echo that')
      await side.approver.edit(await side.question(id), '/bin/echo this')
      return [await asked]
    },
    shows: [{ ...ended(0), result: { stdout: 'this\n', command_executed: '/bin/echo this' } }],
  },
  {
    lane: 'interactive',
    name: 'silence expires',
    run: async side => {
      const id = side.id()
      const asked = side.execute(id, '/bin/echo late', { runtime: { approval_timeout_ms: 1000 } })
      await side.question(id)
      return [await asked, await side.read(id)]
    },
    shows: [
      { ...failed('PM_TERM_TIMEOUT'), error: { details: { phase: 'approval' } } },
      { result: { state: 'expired' } },
    ],
  },
  {
    lane: 'interactive',
    name: 'cancelled while it was asked: the question is withdrawn',
    run: async side => {
      const id = side.id()
      const stop = new AbortController()
      const asked = side.execute(id, '/bin/echo never', {}, { signal: stop.signal }).catch(() => 'given up')
      const { ask_id } = await side.question(id)
      stop.abort()
      const { why } = await side.approver.heard.next('withdrawn', frame => frame.ask_id === ask_id)
      return [await asked, why, await side.read(id)]
    },
    shows: ['given up', 'cancelled', { result: { state: 'withdrawn' } }],
  },
  {
    lane: 'interactive',
    name: 'a catastrophic command is refused without a question',
    run: async side => [await side.execute(side.id(), 'sudo rm -rf --no-preserve-root /')],
    shows: [failed('PM_TERM_BLOCKED_DESTRUCTIVE')],
  },
  {
    lane: 'interactive',
    name: 'a grave command needs the words typed out',
    run: async side => {
      mkdirSync(join(side.place.work, 'build'), { recursive: true })
      const id = side.id()
      const asked = side.execute(id, 'rm -rf build')
      const question = await side.question(id)
      side.approver.approve(question)
      const refused = await side.approver.heard.next('answer_refused', frame => frame.ask_id === question.ask_id)
      const { grave_text } = await side.approver.heard.next('admitted')
      side.approver.approve(question, { typed: grave_text })
      return [refused.problem, await asked]
    },
    shows: [expect.any(String), ended(0)],
  },
  {
    lane: 'interactive',
    name: 'a long command is read later',
    run: async side => {
      const first = await side.approved('/bin/echo first; sleep 8; /bin/echo second; exit 3', {
        runtime: { timeout_ms: 3000 },
      })
      const later = await side.read(String(first.identity.session_id), {
        cursor: first.result.cursor,
        wait_for: 'exit',
        wait_ms: 20_000,
      })
      return [first, later]
    },
    shows: [
      { status: 'accepted', result: { running: true, stdout: 'first\n' } },
      { result: { state: 'exited', exit_code: 3, stdout: 'second\n' } },
    ],
  },
  {
    lane: 'interactive',
    name: 'kill ends it, and the list says what runs',
    run: async side => {
      const first = await side.approved('/bin/echo begun; sleep 300', { runtime: { timeout_ms: 300 } })
      const session_id = first.identity.session_id ?? ''
      await soon('it has begun', async () => (await side.read(session_id)).result.stdout === 'begun\n')
      const list = await side.interactive({ action: 'list' })
      const item = list.result.items?.find(each => each.session_id === session_id)
      const killed = await side.interactive({ action: 'terminate', target: { session_id } })
      return [first, item, killed, await side.interactive({ action: 'terminate', target: { session_id } })]
    },
    shows: [
      { status: 'accepted' },
      { state: 'running', command: '/bin/echo begun; sleep 300' },
      { result: { state: 'killed', exit_code: -1, stdout: 'begun\n' } },
      { result: { warning: expect.stringContaining('already ended') } },
    ],
  },
  {
    lane: 'interactive',
    name: 'memory_terminal reads and kills what the host runs',
    run: async side => {
      const first = await side.approved('/bin/echo begun; sleep 300', { runtime: { timeout_ms: 300 } })
      const session_id = first.identity.session_id
      const read = await side.headless({ action: 'read_output', session_id })
      return [read, await side.headless({ action: 'kill', session_id })]
    },
    shows: [{ result: { stdout: 'begun\n', running: true } }, { result: { state: 'killed' } }],
  },
  {
    lane: 'interactive',
    name: 'without a target the default terminal is used again, with one that one',
    run: async side => {
      const first = await side.execute(side.id(), 'echo one')
      const second = await side.execute(side.id(), 'echo two')
      const { terminal_id } = first.identity
      const third = await side.execute(side.id(), 'echo three', { target: { terminal_id } })
      const same = [second, third].map(({ identity }) => identity.terminal_id === terminal_id)
      const reading = await side.interactive({ action: 'read_output', target: { terminal_id } })
      return [same, third, reading]
    },
    shows: [[true, true], ended(0), { result: { stdout: 'three\n' } }],
  },
  {
    lane: 'interactive',
    name: 'a shell of the person is opened, lines are sent into it, and it is closed',
    run: async side => {
      const id = side.id()
      const opening = side.interactive({
        action: 'execute',
        correlation: { request_id: id },
        invocation: { mode: 'interactive', intent: 'open_only' },
        runtime: { workspace_id: 'test', terminal_profile: 'bash' },
      })
      side.approver.approve(await side.question(id))
      const opened = await opening
      const target = { terminal_id: opened.identity.terminal_id }
      const send = async (command: string) => {
        const request_id = side.id()
        const sent = side.interactive({ action: 'send', correlation: { request_id }, target, execution: { command } })
        side.approver.approve(await side.question(request_id))
        return sent
      }
      const first = await send('cd /usr; GREETING=hi')
      const second = await send('pwd; echo $GREETING; (exit 5)')
      const closed = await side.interactive({ action: 'close', target })
      return [withoutOutput(opened), first, second, withoutOutput(closed)]
    },
    shows: [
      { success: true, result: { state: 'running' } },
      ended(0),
      { ...ended(5), result: { stdout: '/usr\nhi\n' } },
      { success: true },
    ],
  },
  {
    lane: 'interactive',
    name: 'ids nobody knows are not found',
    run: async side => [
      await side.read('req_nobody'),
      await side.interactive({ action: 'terminate', target: { session_id: 'req_nobody' } }),
      await side.interactive({ action: 'terminate', target: { terminal_id: 'term_nobody' } }),
      await side.execute(side.id(), 'echo nowhere', { target: { terminal_id: 'term_nobody' } }),
    ],
    shows: Array.from({ length: 4 }, () => failed('PM_TERM_NOT_FOUND')),
  },
  {
    lane: 'interactive',
    name: 'big output is paged, whole',
    run: async side => {
      const first = await side.approved('/usr/bin/seq 1 400000 | cat')
      return [summary(first), await allOf(side, String(first.identity.session_id))]
    },
    shows: [{ output_bytes: 3_088_895 }, { bytes: 2_688_895, lines: 400_000 }],
  },
  {
    lane: 'interactive',
    name: 'unicode stays whole, in the command, on the card and in the output',
    run: async side => {
      const id = side.id()
      const asked = side.execute(id, '/bin/echo "Grüße 🦊 漢字"')
      const question = await side.question(id)
      side.approver.approve(question)
      return [question.kind === 'command' && question.command, await asked]
    },
    shows: ['/bin/echo "Grüße 🦊 漢字"', { result: { stdout: 'Grüße 🦊 漢字\n' } }],
  },
  {
    lane: 'interactive',
    name: 'variables arrive',
    run: async side => [
      await side.approved('/bin/echo "$GREETING"', { execution: { env: { GREETING: 'hello there' } } }),
    ],
    shows: [{ result: { stdout: 'hello there\n' } }],
  },
  {
    lane: 'interactive',
    name: 'a virtual environment is found and used',
    run: async side => {
      side.place.write('work/.venv/bin/hello', '#!/bin/sh\necho from the venv "$VIRTUAL_ENV"\n', 0o755)
      return [
        await side.approved('hello', { runtime: { activate_venv: true } }),
        await side.execute(side.id(), 'hello', { runtime: { venv_path: 'nowhere' } }),
      ]
    },
    shows: [{ result: { stdout: expect.stringContaining('from the venv') } }, failed('PM_TERM_INVALID_PAYLOAD')],
  },
  {
    lane: 'interactive',
    name: 'kill_after_ms ends it',
    run: async side => [
      await side.approved('/bin/echo begun; sleep 300', { runtime: { kill_after_ms: 500, timeout_ms: 20_000 } }),
    ],
    shows: [{ ...failed('PM_TERM_TIMEOUT'), error: { details: { phase: 'execution' } } }],
  },
  {
    lane: 'interactive',
    name: 'the same request again finds its run; another payload under its id is an error',
    run: async side => {
      const id = side.id()
      const first = await side.execute(id, 'echo once')
      return [first, await side.execute(id, 'echo once'), await side.execute(id, 'echo other')]
    },
    shows: [ended(0), ended(0), failed('PM_TERM_INVALID_PAYLOAD')],
  },
  {
    lane: 'interactive',
    name: 'a rule is asked for, and changes nothing when it is declined',
    run: async side => {
      const asked = side.headless({
        action: 'update_allowlist',
        operation: 'add',
        patterns: ['make parity'],
        workspace_id: 'test',
      })
      const question = await side.approver.question(
        each => each.kind === 'rules' && each.requester === (side.name === 'local' ? 'local' : 'box'),
      )
      side.approver.decline(question, 'no')
      return [await asked]
    },
    shows: [failed('PM_TERM_DECLINED')],
  },
]

/** Things that break, last: each mends what it broke. */
export const BREAKING: readonly Scenario[] = [
  {
    lane: 'interactive',
    name: 'with the window closed nobody can be asked, and nothing runs',
    run: async side => {
      await side.world.together(() => side.world.leave())
      const asked = await side.execute(side.id(), '/bin/echo unseen')
      const unseen = await side.execute(side.id(), 'echo unseen')
      await side.world.together(() => side.world.attach())
      return [asked, unseen, await side.approved('/bin/echo seen')]
    },
    shows: [failed('PM_TERM_GUI_UNAVAILABLE'), failed('PM_TERM_GUI_UNAVAILABLE'), ended(0)],
  },
  {
    lane: 'interactive',
    name: 'the line is cut in the middle of the output and restored: nothing is lost, nothing runs twice',
    inTurn: true,
    run: async side => {
      const { server, line } = side.flaky
      const id = side.id()
      rmSync(join(side.place.work, 'ran.log'), { force: true })
      const command = '/bin/echo ran >> ran.log; for i in $(seq 1 30); do /bin/echo line $i; sleep 0.1; done'
      const asked = server.interactive(executing(id, command), { timeoutMs: 50_000 })
      side.approver.approve(await side.question(id))
      await soon('it prints', async () => (await side.read(id)).result.stdout?.includes('line 5') === true)
      line.set({ down: true })
      line.cut()
      await soon('it tried in vain', () => line.connections > 2)
      line.set({ down: false })
      return [(await asked).data, side.place.read('work/ran.log')]
    },
    shows: [
      { ...ended(0), result: { stdout: Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('') } },
      'ran\n',
    ],
  },
  {
    lane: 'interactive',
    name: 'the line is cut while a person is asked and restored: the question stays, the answer counts',
    run: async side => {
      const { server, line } = side.flaky
      const id = side.id()
      const asked = server.interactive(executing(id, '/bin/echo still; sleep 2'), { timeoutMs: 50_000 })
      const question = await side.question(id)
      const before = line.connections
      line.cut()
      await soon('it is back', () => line.connections > before)
      side.approver.approve(question)
      return [(await asked).data]
    },
    shows: [{ ...ended(0), result: { stdout: 'still\n' } }],
  },
  {
    lane: 'interactive',
    name: 'the host is killed in the middle: the answer leaves open what is not known, the next host has the run back',
    run: async side => {
      const id = side.id()
      const command = () => side.execute(id, '/bin/echo begun; sleep 300', { runtime: { timeout_ms: 4000 } })
      const asked = command()
      side.approver.approve(await side.question(id))
      await soon('it runs', async () => (await side.read(id)).result.stdout === 'begun\n')
      await side.world.together(() => side.world.killHost())
      const answer = await asked
      await side.world.together(() => side.world.startHost().then(() => side.world.attach()))
      const told = await side.read(id)
      const again = await command()
      await side.interactive({ action: 'terminate', target: { session_id: id } })
      return [answer, told, again]
    },
    shows: [
      failed('PM_TERM_DISCONNECTED'),
      { success: true, result: { state: 'running', stdout: 'begun\n' } },
      { status: 'accepted', result: { state: 'running', stdout: 'begun\n' } },
    ],
  },
]

/** Everything a run printed, read page by page. Line ends of a terminal are told apart by nobody. */
async function allOf(side: Side, session_id: string): Promise<{ bytes: number; lines: number; sha256: string }> {
  let text = ''
  for (let cursor = 0, pages = 0; pages < 1000; pages++) {
    const { result } = await side.read(session_id, { cursor, max_bytes: 512 * 1024 })
    text += result.stdout ?? ''
    if (result.cursor === undefined || result.cursor === cursor) break
    cursor = result.cursor
  }
  return {
    bytes: text.length,
    lines: text.split('\n').length - 1,
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}

/** How far a shell is with its prompt when it is looked at is chance. */
function withoutOutput(response: AnyResponse): AnyResponse {
  const { stdout: _, cursor: __, output_bytes: ___, ...result } = response.result
  // Nor where reading on would begin.
  const { next: ____, ...others } = response
  return { ...others, result }
}

function summary({ success, status, result }: AnyResponse): object {
  const { state, exit_code, output_bytes, omitted_bytes, stdout = '' } = result
  return {
    success,
    status,
    state,
    exit_code,
    output_bytes,
    omitted_bytes,
    head: stdout.slice(0, 50),
    tail: stdout.slice(-50),
  }
}
