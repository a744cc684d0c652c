import { describe, expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { FakeHost, report } from '../../../test/fakes/fake-host.ts'
import { FakeRuns } from '../../../test/fakes/fake-runs.ts'
import { usualRedactor } from '../../../test/fakes/redactors.ts'
import { HELD_EXIT_CODE } from '../../base/own-command.ts'
import { readSettings } from '../../config/settings.ts'
import { AnyResponse } from '../../contract/tool/response.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { tools } from '../tools/tools.ts'
import { HostLane } from './host-lane.ts'
import { hostLanes } from './host-lanes.ts'
import type { Whereabouts } from './lane.ts'

/** Both tools over a host that only pretends, with time that passes on command. */
function world() {
  const clock = new FakeClock()
  const runs = new FakeRuns(clock)
  const host = new FakeHost(clock)
  const silent = () => {}
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const { settings } = readSettings({ flags: {}, env: { PM_TERM_HOME: '/nowhere' } }).configuration
  let made = 0
  const ids = { make: (prefix: string) => `${prefix}_${++made}` }
  const adapter = host.adapter()
  const lane = new HostLane({ adapter, clock, ids, settings, cwd: '/project' })
  const place: Whereabouts = {
    container: { inContainer: 'no', why: [] },
    hostIsHere: () => false,
    executable: '/opt/it.cjs',
  }
  const { registry, lane: headless } = runs
  const redactor = usualRedactor()
  const hosts = hostLanes({ host_bridge_local: lane, container_bridge_to_host: lane }, () => 'host_bridge_local')
  const call = tools({ place, clock, log, ids, settings, registry, redactor, headless, host: hosts })
  const ask = async (name: string, args: unknown, more: Partial<ToolCall> = {}) => {
    const { structured } = await call({ name, arguments: args, signal: new AbortController().signal, ...more })
    return AnyResponse.parse(structured)
  }
  return {
    clock,
    host,
    adapter,
    headless: (args: unknown, more?: Partial<ToolCall>) => ask('memory_terminal', args, more),
    interactive: (args: unknown, more?: Partial<ToolCall>) => ask('memory_terminal_interactive', args, more),
  }
}

const EXECUTE = {
  action: 'execute',
  correlation: { request_id: 'build:7', trace_id: 'trace-of-mine' },
  invocation: { mode: 'interactive', intent: 'execute_command' },
  execution: { command: 'make', context: 'the build needs it' },
}
const accepted = { type: 'accepted', session_id: 'build:7', terminal_id: 'term_1' }
const waiting = {
  type: 'progress',
  phase: 'awaiting_approval',
  elapsed_ms: 12_000,
  ahead: 1,
  message: 'waiting for approval, 12 s, 1 ahead',
}
const running = { type: 'progress', phase: 'running', elapsed_ms: 0, ahead: 0, message: 'running, 0 s' }
const done = { type: 'command_response', ...report('build:7') }

describe('a command a person approves', () => {
  test('comes back with its output, its exit code and who allowed it', async () => {
    const { interactive, host } = world()
    host.answer = (_, send) => {
      send(accepted)
      send(running)
      send(done)
    }
    const data = await interactive(EXECUTE)
    expect({ ...data, resolved: undefined }).toEqual({
      success: true,
      action: 'execute',
      status: 'completed',
      error: null,
      identity: { session_id: 'build:7', terminal_id: 'term_1' },
      correlation: { request_id: 'build:7', trace_id: 'trace-of-mine' },
      resolved: undefined,
      result: {
        state: 'exited',
        running: false,
        stdout: 'done\n',
        exit_code: 0,
        cursor: 5,
        authorization: 'allowed_with_warning',
        approved_by: 'person',
        adapter: 'host_bridge_local',
        visibility: 'visible',
        lifecycle: ['spawn', 'ready', 'request_sent', 'correlation_verified', 'user_decision', 'response_returned'],
      },
    })
  })

  test.each([
    ['in the root of a client that has one', { path: '/of/the/client' }, {}, '/of/the/client', undefined],
    [
      'below that root',
      { path: '/of/the/client' },
      { runtime: { cwd: 'sub' } },
      '/of/the/client',
      '/of/the/client/sub',
    ],
    ['where it says, without a root', { problem: 'who knows' }, { runtime: { cwd: '/x/y' } }, '/x/y', '/x/y'],
    ['where its terminal stands', { problem: 'who knows' }, { target: { terminal_id: 't9' } }, undefined, undefined],
  ])('of a shared server runs %s', async (_, directory, more, project, cwd) => {
    const { interactive, host } = world()
    host.answer = (_, send) => send(done)
    await interactive({ ...EXECUTE, ...more }, { directory } as Partial<ToolCall>)
    const [frame] = host.frames('command_request') as { workspace_path?: string; working_directory?: string }[]
    expect({ project: frame?.workspace_path, cwd: frame?.working_directory }).toEqual({ project, cwd })
  })

  test.each([{}, { runtime: { cwd: 'sub' } }])(
    'of a shared server that nobody gave a directory is not sent',
    async more => {
      const { interactive, host } = world()
      const data = await interactive({ ...EXECUTE, ...more }, { directory: { problem: 'nobody said where you are' } })
      expect(data.error).toMatchObject({
        code: 'PM_TERM_INVALID_PAYLOAD',
        message: 'runtime.cwd must be the absolute path of a directory: nobody said where you are.',
      })
      expect(host.frames('command_request')).toEqual([])
    },
  )

  test('says from what kind of place it was asked, to the host and in the answer', async () => {
    const { interactive, host } = world()
    host.answer = (_, send) => send(done)
    const data = await interactive({ ...EXECUTE, compat: { caller_surface: 'dashboard' } })
    expect(host.frames('command_request')[0]).toMatchObject({ caller_surface: 'dashboard' })
    expect(data.compat).toEqual({ alias_applied: false, caller_surface: 'dashboard' })
  })

  test('that a rule let run has no decision of a person in its lifecycle', async () => {
    const { interactive, host } = world()
    host.answer = (_, send) => {
      send(running)
      send({ ...done, approved_by: 'allowlist', authorization: 'allowed' })
    }
    const { result } = await interactive(EXECUTE)
    expect(result.lifecycle).not.toContain('user_decision')
  })

  test('reaches the host with everything the agent said about it', async () => {
    const { interactive, host } = world()
    host.answer = (_, send) => send(done)
    await interactive({
      ...EXECUTE,
      execution: { command: 'make', args: ['all'], env: { CI: '1' }, context: 'why' },
      runtime: { cwd: 'sub', kill_after_ms: 1500, approval_timeout_ms: 9000, terminal_profile: 'bash', venv_path: 'v' },
      target: { terminal_id: 't9' },
    })
    expect(host.frames('command_request')).toEqual([
      {
        type: 'command_request',
        id: 'build:7',
        request_id: 'build:7',
        trace_id: 'trace-of-mine',
        intent: 'execute_command',
        command: 'make',
        args: ['all'],
        env: { CI: '1' },
        context: 'why',
        working_directory: '/project/sub',
        workspace_path: '/project',
        terminal_id: 't9',
        terminal_profile: 'bash',
        venv_path: '/project/v',
        timeout_seconds: 1.5,
        approval_timeout_ms: 9000,
        adapter: 'host_bridge_local',
        visibility: 'visible',
      },
    ])
  })

  test('tells who waits on whom meanwhile', async () => {
    const { interactive, host, clock } = world()
    let finish = () => {}
    host.answer = (_, send) => {
      send(accepted)
      send(waiting)
      finish = () => send(done)
    }
    const heard: string[] = []
    const call = interactive(EXECUTE, { progress: (_, message) => void heard.push(message) })
    await idle()
    await clock.advance(300_000)
    finish()
    expect((await call).status).toBe('completed')
    expect(heard[0]).toBe('waiting for approval, 12 s, 1 ahead')
    expect(heard.length).toBeGreaterThan(50)
  })
})

describe('the three ways not to get an answer', () => {
  test.each([
    ['PM_TERM_DECLINED', 'declined', { reason: 'not on a Friday' }],
    ['PM_TERM_TIMEOUT', 'expired', { phase: 'approval' }],
    ['PM_TERM_GUI_UNAVAILABLE', 'blocked', { reason: 'bridge_required_no_fallback' }],
  ] as const)('%s stays what it is', async (code, state, details) => {
    const { interactive, host } = world()
    const error = { code, category: 'x', message: 'as the host says', retriable: false, details }
    const nothing = { state, started_at: null, authorization: 'blocked' as const, approved: false, error }
    host.answer = (_, send) => send({ ...done, ...report('build:7', nothing), status: 'declined' })
    const data = await interactive(EXECUTE)
    expect({ code: data.error?.code, details: data.error?.details, state: data.result.state }).toEqual({
      code,
      details,
      state,
    })
    expect(data.result.stdout).toBeUndefined()
  })
})

describe('a caller whose clock would run out', () => {
  test('hears that the question is still open, and how to ask again', async () => {
    const { interactive, host, clock } = world()
    const open = report('build:7', { state: 'awaiting_approval', started_at: null, status: 'accepted' })
    host.answer = (frame, send) => {
      if (frame.type === 'read_output') send({ type: 'output', ...open })
      else send(accepted)
    }
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(45_000)
    const data = await call
    expect({ status: data.status, state: data.result.state, session: data.identity.session_id }).toEqual({
      status: 'accepted',
      state: 'awaiting_approval',
      session: 'build:7',
    })
    expect(host.frames('cancel')).toEqual([])
  })

  test('a person’s time does not count as the command’s', async () => {
    const { interactive, host, clock } = world()
    let say: (reply: object) => void = () => {}
    host.answer = (frame, send) => {
      if (frame.type === 'read_output') return send({ type: 'output', ...report('build:7', { state: 'running' }) })
      send(accepted)
      say = reply => send(reply as never)
    }
    let answered = false
    const call = interactive({ ...EXECUTE, runtime: { timeout_ms: 1000 } }, { progress: () => {} })
    void call.then(() => {
      answered = true
    })
    await idle()
    await clock.advance(200_000)
    expect(answered).toBe(false)
    say(running)
    await idle()
    await clock.advance(1000)
    expect((await call).status).toBe('accepted')
  })
})

describe('a call that is taken back', () => {
  test.each([
    ['withdraws the question', 'withdrawn', 'the question was withdrawn, nothing ran'],
    ['stops waiting for what had started', 'running', 'had started and runs on'],
  ] as const)('%s and says so', async (_, state, words) => {
    const { interactive, host } = world()
    host.answer = (frame, send) => {
      if (frame.type === 'cancel') send({ ...done, ...report('build:7', { state }) })
      else send(accepted)
    }
    const cancel = new AbortController()
    const call = interactive(EXECUTE, { signal: cancel.signal })
    await idle()
    cancel.abort('user pressed stop')
    const data = await call
    expect({ state: data.result.state, warning: data.result.warning }).toEqual({
      state,
      warning: expect.stringContaining(words),
    })
  })

  test('by a client that only lost patience, leaves the question open', async () => {
    const { interactive, host } = world()
    host.answer = (frame, send) =>
      frame.type === 'read_output'
        ? send({ type: 'output', ...report('build:7', { state: 'awaiting_approval', started_at: null }) })
        : send(accepted)
    const cancel = new AbortController()
    const call = interactive(EXECUTE, { signal: cancel.signal })
    await idle()
    cancel.abort('Request timed out')
    await call
    expect(host.frames('cancel')).toEqual([])
  })
})

describe('a connection that breaks', () => {
  test('is made again, and the same request is asked for again under its id', async () => {
    const { interactive, host, clock } = world()
    host.answer = (_, send) => {
      if (host.received.length === 1) return host.drop({ for: 'now' })
      send(accepted)
      send(done)
    }
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(5000)
    expect((await call).status).toBe('completed')
    expect(host.frames('command_request').map(frame => 'request_id' in frame && frame.request_id)).toEqual([
      'build:7',
      'build:7',
    ])
  })

  test('to another host is asked what it knows, and nothing is run again', async () => {
    const { interactive, host, clock } = world()
    host.answer = (frame, send) => {
      if (frame.type === 'read_output')
        return send({ type: 'output', ...report('build:7', { state: 'lost', exit_code: null }) })
      host.instance = 'host_2'
      host.drop({ for: 'now' })
    }
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(5000)
    const data = await call
    expect({ state: data.result.state, asked: host.frames('command_request').length }).toEqual({
      state: 'lost',
      asked: 1,
    })
  })

  test('for good says that it is not known what became of the command', async () => {
    const { interactive, host, clock } = world()
    host.answer = (_, send) => {
      send(accepted)
      queueMicrotask(() => host.drop({ for: 'ever' }))
    }
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(10_000)
    const data = await call
    expect({ code: data.error?.code, session: data.identity.session_id, launches: host.launches }).toEqual({
      code: 'PM_TERM_DISCONNECTED',
      session: 'build:7',
      launches: 0,
    })
  })
})

test('a host that does not acknowledge is asked once more, then given up', async () => {
  const { interactive, host, clock } = world()
  const call = interactive(EXECUTE)
  await idle()
  await clock.advance(11_000)
  const { error } = await call
  expect({ code: error?.code, phase: error?.details.phase, asked: host.received.length }).toEqual({
    code: 'PM_TERM_TIMEOUT',
    phase: 'handshake',
    asked: 2,
  })
})

test('a host of another version is not spoken to', async () => {
  const { interactive, host } = world()
  host.protocolVersion = 2
  const { error } = await interactive(EXECUTE)
  expect({ code: error?.code, version: error?.details.protocol_version, received: host.received }).toEqual({
    code: 'PM_TERM_GUI_UNAVAILABLE',
    version: { ours: 1, theirs: 2 },
    received: [],
  })
})

describe('a host that has to be started', () => {
  const living = { pid: 7, ended: new Promise<never>(() => {}), terminate: async () => {} }

  test('is waited for until it answers', async () => {
    const { interactive, host, clock } = world()
    host.running = false
    host.launch = async () => living
    host.answer = (_, send) => send(done)
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(500)
    host.running = true
    await clock.advance(500)
    expect((await call).status).toBe('completed')
  })

  test('and is never ready is ended, and only it', async () => {
    const { interactive, host, clock } = world()
    const ended: number[] = []
    host.running = false
    host.launch = async () => ({ ...living, terminate: async () => void ended.push(7) })
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(9000)
    const { error } = await call
    expect({ code: error?.code, ended, errors: error?.details.spawn_errors }).toEqual({
      code: 'PM_TERM_GUI_UNAVAILABLE',
      ended: [7],
      errors: [
        { source: 'bundled', path: '/opt/it.cjs', attempt: 1, problem: 'was not ready within 8000 ms and was ended' },
      ],
    })
  })

  test.each([
    ['the port was just being freed', { code: HELD_EXIT_CODE, lastWords: 'Error: listen EADDRINUSE' }, 2],
    ['something in it is wrong', { code: 1, lastWords: 'SyntaxError' }, 1],
    ['only its words speak of a port', { code: 1, lastWords: 'Error: listen EADDRINUSE' }, 1],
  ])('is tried again only when that can help: %s', async (_, end, launches) => {
    const { interactive, host, clock } = world()
    host.running = false
    host.launch = async () => ({ ...living, ended: Promise.resolve({ ...end, signal: null }) })
    const call = interactive(EXECUTE)
    await idle()
    await clock.advance(2000)
    expect((await call).error?.code).toBe('PM_TERM_GUI_UNAVAILABLE')
    expect(host.launches).toBe(launches)
  })

  test('is not waited for by a call that was taken back', async () => {
    const { interactive, host } = world()
    host.running = false
    host.launch = async () => living
    const cancel = new AbortController()
    const call = interactive(EXECUTE, { signal: cancel.signal })
    await idle()
    cancel.abort('user pressed stop')
    const { error } = await call
    expect([error?.code, error?.message]).toEqual([
      'PM_TERM_DISCONNECTED',
      'The call ended before the host was reached. Nothing ran.',
    ])
  })

  test('is started once for calls that come together', async () => {
    const { interactive, host, clock } = world()
    host.running = false
    host.launch = async () => living
    host.answer = (_, send) => send(done)
    const calls = [interactive(EXECUTE), interactive({ ...EXECUTE, correlation: { request_id: 'other' } })]
    await idle()
    host.running = true
    host.answer = (frame, send) =>
      'request_id' in frame && send({ type: 'command_response', ...report(frame.request_id) })
    await clock.advance(500)
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(host.launches).toBe(1)
  })
})

describe('runs of the host', () => {
  test('are read and ended by either tool, and none is started for it', async () => {
    const { headless, interactive, host } = world()
    host.answer = (frame, send) => {
      if (frame.type === 'read_output') send({ type: 'output', ...report('r1') })
      if (frame.type === 'kill') send({ type: 'killed', ...report('r1', { state: 'killed', exit_code: -1 }) })
    }
    const read = await headless({ action: 'read_output', session_id: 'r1' })
    const killed = await interactive({ action: 'terminate', target: { session_id: 'r1' } })
    expect([read.result.stdout, killed.result.state, killed.result.exit_code]).toEqual(['done\n', 'killed', -1])
  })

  test('are listed beside those of this server', async () => {
    const { headless, interactive, host } = world()
    const item = {
      session_id: 'r1',
      terminal_id: 'term_1',
      adapter: 'host_bridge_local',
      owner: 'host',
      visibility: 'visible',
      state: 'running',
      running: true,
      command: 'make',
      cwd: '/project',
      workspace_id: null,
      started_at: null,
      ended_at: null,
      exit_code: null,
      output_bytes: 0,
    }
    host.answer = (_, send) => send({ type: 'listed', items: [item], omitted_items: 0, terminals: [], approvers: 1 })
    await headless(
      { action: 'run', command: 'make', request_id: 'h1', timeout_ms: 0 },
      { signal: AbortSignal.abort('timed out') },
    )
    const { result } = await interactive({ action: 'list' })
    expect(result.items?.map(({ session_id, adapter }) => [session_id, adapter])).toEqual([
      ['r1', 'host_bridge_local'],
      ['h1', undefined],
    ])
  })

  test('come with the terminals and who could approve; what lies on the same disk is left out once, not twice', async () => {
    const { interactive, host } = world()
    const terminal = { terminal_id: 'term_1', name: 'build', workspace_id: null, profile: 'bash', cwd: '/project' }
    const terminals = [{ ...terminal, is_default: true, busy_with: null, waiting: [] }]
    host.answer = (_, send) => send({ type: 'listed', items: [], omitted_items: 31, terminals, approvers: 2 })
    const { result } = await interactive({ action: 'list' })
    expect({ terminals: result.terminals, approvers: result.approvers, omitted: result.omitted_items }).toEqual({
      terminals,
      approvers: 2,
      omitted: undefined,
    })
  })

  test('that cannot be asked for do not keep those of this server from being listed', async () => {
    const { interactive, clock } = world()
    const call = interactive({ action: 'list' })
    await idle()
    await clock.advance(11_000)
    const { success, result } = await call
    expect({ success, items: result.items, warning: result.warning }).toEqual({
      success: true,
      items: [],
      warning: expect.stringContaining('Runs of the host are missing here'),
    })
  })

  test('that nobody knows are not found, with or without a host', async () => {
    const { interactive, host } = world()
    const error = { code: 'PM_TERM_NOT_FOUND', category: 'identity', message: 'no', retriable: false, details: {} }
    host.answer = (_, send) => send({ type: 'error', error })
    const read = { action: 'read_output', target: { session_id: 'nobody' } }
    expect((await interactive(read)).error?.code).toBe('PM_TERM_NOT_FOUND')
    host.drop({ for: 'ever' })
    await idle()
    expect((await interactive(read)).error?.code).toBe('PM_TERM_NOT_FOUND')
    expect(host.launches).toBe(0)
  })
})

describe('a change of the allowlist', () => {
  const change = { action: 'update_allowlist', operation: 'add', patterns: ['npm run build'], workspace_id: 'test' }

  test('is a question to a person', async () => {
    const { headless, host } = world()
    host.answer = (_, send) =>
      send({ type: 'allowlist_updated', status: 'approved', reason: null, patterns: ['npm run build'], error: null })
    const data = await headless(change)
    expect({ success: data.success, by: data.result.approved_by }).toEqual({ success: true, by: 'person' })
    expect(host.frames('allowlist_update')).toMatchObject([{ operation: 'add', patterns: ['npm run build'] }])
  })

  test('that a person declines is declined', async () => {
    const { headless, host } = world()
    const error = {
      code: 'PM_TERM_DECLINED',
      category: 'x',
      message: 'no',
      retriable: false,
      details: { reason: 'no' },
    }
    host.answer = (_, send) =>
      send({ type: 'allowlist_updated', status: 'declined', reason: 'no', patterns: [], error })
    expect((await headless(change)).error?.code).toBe('PM_TERM_DECLINED')
  })
})
