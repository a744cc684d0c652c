import { describe, expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { FakeHost, report } from '../../../test/fakes/fake-host.ts'
import { FakeRuns } from '../../../test/fakes/fake-runs.ts'
import { usualRedactor } from '../../../test/fakes/redactors.ts'
import type { LogFields } from '../../base/log.ts'
import { containerMarks } from '../../config/container-marks.ts'
import { readSettings } from '../../config/settings.ts'
import { AnyResponse, HeadlessResponse, InteractiveResponse } from '../../contract/tool/response.ts'
import { HostAdapter } from '../host-link/host-adapter.ts'
import { HostLane } from '../host-link/host-lane.ts'
import { hostLanes } from '../host-link/host-lanes.ts'
import { nobodyFromHere, usualHostLane, type Whereabouts } from '../host-link/lane.ts'
import { type BridgeReachDeps, reachBridge } from '../host-link/reach-bridge.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { tools } from './tools.ts'

/** Both tools over runs that only pretend, with time that passes on command. */
function world(env: Readonly<Record<string, string>> = {}, files: readonly string[] = []) {
  const clock = new FakeClock()
  const runs = new FakeRuns(clock)
  const logged: { event: string; fields: LogFields }[] = []
  const note = (event: string, fields: LogFields = {}) => void logged.push({ event, fields })
  const log = { debug: note, info: note, warn: note, error: note }
  const { settings } = readSettings({ flags: {}, env: { PM_TERM_HOME: '/nowhere', ...env } }).configuration
  const machine = { exists: (path: string) => files.includes(path), read: () => null }
  const place: Whereabouts = {
    container: containerMarks(env, settings.PM_RUNNING_IN_CONTAINER, machine),
    hostIsHere: () => host.running && host.inContainer,
    executable: '/opt/it.cjs',
  }
  const noneStartsHere = place.container.inContainer === 'yes' ? () => nobodyFromHere(place) : undefined
  let made = 0
  const ids = { make: (prefix: string) => `${prefix}_${++made}` }
  const host = new FakeHost(clock)
  host.running = false
  const at = { clock, ids, settings, cwd: '/project' }
  const bridge = new HostAdapter({
    clock,
    ids,
    log,
    host: 'elsewhere',
    requestTimeoutMs: 5000,
    reach: (_, signal) => reachBridge(lost, signal),
  })
  const lost: BridgeReachDeps = {
    clock,
    aliases: [settings.PM_INTERACTIVE_TERMINAL_HOST_ALIAS],
    port: 45_459,
    socketFile: null,
    lookUp: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')),
    gateway: () => null,
    dial: () => Promise.reject(new Error('nothing to dial')),
    greet: () => Promise.reject(new Error('nobody to greet')),
    patienceMs: 0,
    trace: () => {},
  }
  const hosts = hostLanes(
    {
      host_bridge_local: new HostLane({ ...at, adapter: host.adapter(noneStartsHere) }),
      container_bridge_to_host: new HostLane({ ...at, adapter: bridge }),
    },
    () => usualHostLane(settings, place),
  )
  const { registry, lane: headless } = runs
  const redactor = usualRedactor()
  const call = tools({ clock, log, ids, settings, registry, redactor, headless, host: hosts, place })
  const never = new AbortController().signal
  const ask = async (name: string, args: unknown, more: Partial<ToolCall> = {}) => {
    const { structured, text, isError } = await call({ name, arguments: args, signal: never, ...more })
    const data = AnyResponse.parse(structured)
    const own = name === 'memory_terminal' ? HeadlessResponse : InteractiveResponse
    expect(own.parse(structured)).toEqual(structured)
    expect(isError).toBe(!data.success)
    return { data, text }
  }
  return {
    clock,
    runs,
    host,
    logged,
    headless: (args: unknown, more?: Partial<ToolCall>) => ask('memory_terminal', args, more),
    interactive: (args: unknown, more?: Partial<ToolCall>) => ask('memory_terminal_interactive', args, more),
  }
}

/** The client's clock has run out: the call answers at once, the command lives on. */
const GIVEN_UP = AbortSignal.abort('timed out')

const fieldsOf = ({ error }: AnyResponse): string[] =>
  ((error?.details.issues ?? []) as { field: string }[]).map(({ field }) => field)

const RUN = { action: 'run', command: 'make' }
const EXECUTE = {
  action: 'execute',
  invocation: { mode: 'interactive', intent: 'execute_command' },
  execution: { command: 'make' },
}

const WAYS_OUT = ['this_container_is_my_machine', 'window_over_a_forwarded_port', 'host_on_my_own_machine'].map(way =>
  expect.objectContaining({ way, commands: expect.arrayContaining([expect.any(String)]) }),
)
const BRIDGE = { PM_INTERACTIVE_TERMINAL_HOST_ALIAS: 'host.test', PM_INTERACTIVE_TERMINAL_KEY_FILE: '/run/secrets/box' }

describe('ids', () => {
  test('are made when the caller has none', async () => {
    const { data } = await world().headless({ action: 'list' })
    expect(data.correlation).toEqual({ request_id: 'req_1', trace_id: 'trace_2' })
  })

  test('of the caller are kept and echoed', async () => {
    const ids = { request_id: 'build:7', trace_id: 'trace-of-mine', client_request_id: 'step.3' }
    const { headless, interactive } = world()
    expect((await headless({ action: 'list', ...ids })).data.correlation).toEqual(ids)
    expect((await interactive({ action: 'list', correlation: ids })).data.correlation).toEqual(ids)
  })

  test('the request id is the session id, and the trace id goes along with the run', async () => {
    const { headless, runs } = world()
    const { data } = await headless({ ...RUN, request_id: 'r1', trace_id: 't1' }, { signal: GIVEN_UP })
    expect({
      session: data.identity.session_id,
      started: runs.started.map(({ id, traceId }) => [id, traceId]),
    }).toEqual({ session: 'r1', started: [['r1', 't1']] })
  })

  test('that are no ids are refused, and the answer gets one we made', async () => {
    const { data } = await world().headless({ ...RUN, request_id: '../../etc', trace_id: 'a b' })
    expect(data.correlation).toEqual({ request_id: 'req_1', trace_id: 'trace_2' })
    expect(data.error?.details.issues).toEqual([
      { field: 'request_id', problem: 'must be 1 to 128 letters, digits or any of _ . : -' },
      { field: 'trace_id', problem: 'must be 1 to 128 letters, digits or any of _ . : -' },
    ])
  })

  test('come back even when nothing else of the payload makes sense', async () => {
    const { data } = await world().interactive({ action: 'zap', correlation: { trace_id: 't9', request_id: 'r9' } })
    expect(data.correlation).toEqual({ request_id: 'r9', trace_id: 't9' })
  })
})

describe('a legacy action', () => {
  const SENT = [
    ['run', { action: 'run', command: 'make' }, 'execute', 'headless'],
    ['kill', { action: 'kill', session_id: 'gone' }, 'terminate', null],
    ['send', { action: 'send', terminal_id: 't', command: 'make' }, 'execute', 'interactive'],
    ['close', { action: 'close', terminal_id: 't' }, 'terminate', null],
    ['create', { action: 'create' }, 'execute', 'interactive'],
  ] as const

  test.each(SENT)('%s says what it became', async (legacy_action, payload, canonical_action, mode) => {
    const { interactive } = world()
    const { data } = await interactive(payload, { signal: GIVEN_UP })
    expect({ action: data.action, resolved: data.resolved, compat: data.compat }).toEqual({
      action: canonical_action,
      resolved: { canonical_action, alias_applied: true, legacy_action, mode },
      compat: { alias_applied: true },
    })
  })

  test.each(SENT)('%s says so in words while it is deprecated', async (legacy_action, payload) => {
    const { interactive } = world({ PM_TERM_ALIAS_PHASE: 'warn' })
    const { data, text } = await interactive(payload, { signal: GIVEN_UP })
    expect(data.compat).toEqual({
      alias_applied: true,
      warning: expect.stringMatching(new RegExp(`^The action "${legacy_action}" is deprecated .* Use action "`)),
    })
    expect(text).toContain(data.compat?.warning)
  })

  test.each(SENT)('%s runs nothing once it is rejected', async (_, payload) => {
    const { interactive, runs } = world({ PM_TERM_ALIAS_PHASE: 'strict' })
    const { data } = await interactive(payload)
    expect({ code: data.error?.code, started: runs.started, killed: runs.killed }).toEqual({
      code: 'PM_TERM_INVALID_ACTION',
      started: [],
      killed: [],
    })
  })

  test('leaves no trace in a canonical answer', async () => {
    const { data } = await world().interactive({ action: 'list' })
    expect({ resolved: data.resolved, compat: data.compat }).toEqual({
      resolved: { canonical_action: 'list', alias_applied: false, legacy_action: null, mode: null },
      compat: undefined,
    })
  })
})

describe('a command that should be seen, without a window', () => {
  test.each([
    [EXECUTE],
    [{ action: 'execute', invocation: { mode: 'interactive', intent: 'open_only' } }],
    [{ action: 'send', terminal_id: 't', command: 'make' }],
    [{ action: 'create' }],
  ])('%j runs nothing anywhere and says why', async payload => {
    const { interactive, runs } = world()
    const { data } = await interactive(payload)
    expect({ success: data.success, status: data.status, error: data.error, fallback: data.fallback }).toEqual({
      success: false,
      status: 'failed',
      error: {
        code: 'PM_TERM_GUI_UNAVAILABLE',
        category: 'runtime_unavailable',
        message: expect.stringContaining('nothing ran'),
        retriable: true,
        details: {
          reason: 'bridge_required_no_fallback',
          hint: 'start_gui_app',
          lane: 'host_bridge_local',
          attempted: ['127.0.0.1:9100'],
          attempted_candidates: [{ source: 'bundled', path: '/opt/it.cjs' }],
          spawn_errors: [{ source: 'bundled', path: '/opt/it.cjs', attempt: 1, problem: 'spawn ENOENT' }],
          recommended_action: 'start the host: interactive-terminal',
        },
      },
      fallback: {
        strategy: 'fallback_to_headless_if_allowed',
        next_action: 'execute',
        recommended_mode: 'headless',
        user_message: expect.any(String),
        can_auto_retry: false,
      },
    })
    expect(runs.started).toEqual([])
  })

  test.each([
    ['in a container', { PM_RUNNING_IN_CONTAINER: '1' }, undefined],
    ['when the setting says bridge', { PM_TERM_ADAPTER_MODE: 'container_bridge' }, undefined],
    ['when the request says bridge', { PM_TERM_ADAPTER_MODE: 'local' }, 'container_bridge'],
    ['when the request leaves it to the settings', { PM_RUNNING_IN_CONTAINER: 'yes' }, 'auto'],
  ])('goes over the bridge %s', async (_, env, adapter_override) => {
    const { interactive, runs } = world({ ...env, ...BRIDGE })
    const { data } = await interactive({ ...EXECUTE, ...(adapter_override && { runtime: { adapter_override } }) })
    expect({
      code: data.error?.code,
      lane: data.error?.details.lane,
      attempted: data.error?.details.attempted,
      reason: data.error?.details.reason,
      started: runs.started,
    }).toEqual({
      code: 'PM_TERM_GUI_UNAVAILABLE',
      lane: 'container_bridge_to_host',
      attempted: ['host.test'],
      reason: 'bridge_required_no_fallback',
      started: [],
    })
  })

  test.each([
    ['the request', { PM_RUNNING_IN_CONTAINER: '1' }, 'local'],
    ['the request', { PM_RUNNING_IN_CONTAINER: '1' }, 'bundled'],
    ['the setting', { PM_RUNNING_IN_CONTAINER: '1', PM_TERM_ADAPTER_MODE: 'local' }, undefined],
  ])('in a container nothing runs interactively, whatever %s says', async (_, env, adapter_override) => {
    const { interactive, host, runs } = world({ ...env, ...BRIDGE })
    const { data } = await interactive({ ...EXECUTE, ...(adapter_override && { runtime: { adapter_override } }) })
    expect({ code: data.error?.code, retriable: data.error?.retriable, details: data.error?.details }).toEqual({
      code: 'PM_TERM_INVALID_MODE',
      retriable: false,
      details: {
        reason: 'in_container',
        lane: 'host_bridge_local',
        adapter: adapter_override ?? 'local',
        marks: ['PM_RUNNING_IN_CONTAINER is set'],
        ways_out: WAYS_OUT,
      },
    })
    expect([host.launches, host.received, runs.started]).toEqual([0, [], []])
  })

  test.each([
    ['PM_INTERACTIVE_TERMINAL_HOST_ALIAS', { ...BRIDGE, PM_INTERACTIVE_TERMINAL_HOST_ALIAS: ' ' }],
    ['PM_INTERACTIVE_TERMINAL_KEY_FILE', { ...BRIDGE, PM_INTERACTIVE_TERMINAL_KEY_FILE: '' }],
  ])('a bridge without %s is no mode to run in', async (name, env) => {
    const { interactive, runs } = world({ PM_RUNNING_IN_CONTAINER: '1', ...env })
    const { data } = await interactive(EXECUTE)
    expect({ code: data.error?.code, details: data.error?.details, started: runs.started }).toEqual({
      code: 'PM_TERM_INVALID_MODE',
      details: {
        adapter: 'container_bridge',
        missing: [name],
        lane: 'host_bridge_local',
        reason: 'in_container',
        marks: ['PM_RUNNING_IN_CONTAINER is set'],
        ways_out: WAYS_OUT,
      },
      started: [],
    })
  })

  test('in a container that nobody set up no host is started, and the agent hears what the person can do', async () => {
    const { interactive, host, runs } = world({}, ['/.dockerenv'])
    const { data, text } = await interactive(EXECUTE)
    expect(data.error).toMatchObject({
      code: 'PM_TERM_INVALID_MODE',
      retriable: false,
      details: { reason: 'in_container', marks: ['/.dockerenv exists'], ways_out: WAYS_OUT },
    })
    expect(data.fallback).toMatchObject({ strategy: 'reject_no_retry', next_action: 'none', can_auto_retry: false })
    expect(text).toContain('node /opt/it.cjs --here')
    expect([host.launches, runs.started]).toEqual([0, []])
    // Reading and listing need no host.
    expect((await interactive({ action: 'list' })).data).toMatchObject({ success: true })
  })

  test.each([
    ['noticed', {}, ['/.dockerenv'], undefined],
    ['set up for the bridge', { PM_RUNNING_IN_CONTAINER: '1', ...BRIDGE }, [], undefined],
    ['and local is asked for', { PM_RUNNING_IN_CONTAINER: '1' }, [], 'local'],
  ])(
    'a host that a person has declared in a container is the one that is asked: %s',
    async (_, env, files, override) => {
      const { interactive, host } = world(env, files)
      host.running = true
      host.inContainer = true
      host.answer = (frame, send) => {
        if (frame.type !== 'command_request') return
        send({ type: 'command_response', ...report(frame.request_id) })
      }
      const { data, text } = await interactive({
        ...EXECUTE,
        ...(override && { runtime: { adapter_override: override } }),
      })
      expect(data).toMatchObject({
        success: true,
        result: { adapter: 'host_bridge_local', host: 'host in a container' },
      })
      expect(text).toContain('(host in a container)')
      expect([host.launches, host.frames('command_request').length]).toEqual([0, 1])
    },
  )

  test('its list says so, too', async () => {
    const { interactive, host } = world({}, ['/.dockerenv'])
    host.running = true
    host.inContainer = true
    host.answer = (frame, send) => {
      if (frame.type === 'list') send({ type: 'listed', items: [], omitted_items: 0, terminals: [], approvers: 1 })
    }
    const { data, text } = await interactive({ action: 'list' })
    expect([data.result.host, data.result.approvers]).toEqual(['host in a container', 1])
    expect(text).toContain('(host in a container)')
  })

  test('a container that has all the bridge needs goes over it, whoever noticed that it is one', async () => {
    const { interactive } = world(BRIDGE, ['/run/.containerenv'])
    const { data } = await interactive(EXECUTE)
    expect(data.error?.details.lane).toBe('container_bridge_to_host')
  })

  test('what a host outside may know is not called unknown while it cannot be reached', async () => {
    const { interactive } = world({ PM_RUNNING_IN_CONTAINER: '1', ...BRIDGE })
    const read = await interactive({ action: 'read_output', target: { session_id: 'req_9' } })
    const kill = await interactive({ action: 'terminate', target: { session_id: 'req_9' } })
    const list = await interactive({ action: 'list' })
    expect([read.data.error?.code, kill.data.error?.code, list.data.success, list.data.result.warning]).toEqual([
      'PM_TERM_GUI_UNAVAILABLE',
      'PM_TERM_GUI_UNAVAILABLE',
      true,
      expect.stringContaining('Runs of the host are missing here'),
    ])
  })

  test('headless commands need no bridge, in a container too', async () => {
    const { interactive, runs, clock } = world({ PM_RUNNING_IN_CONTAINER: '1', PM_INTERACTIVE_TERMINAL_HOST_ALIAS: '' })
    const answer = interactive({ ...EXECUTE, invocation: { mode: 'headless', intent: 'execute_command' } })
    await idle()
    runs.end('req_1', 0)
    await clock.advance(0)
    expect((await answer).data.result.exit_code).toBe(0)
  })
})

describe('while a command runs', () => {
  test('progress is told at least every ten seconds to a caller that listens', async () => {
    const { headless, clock, runs } = world()
    const told: [number, string][] = []
    const answer = headless(
      { ...RUN, timeout_ms: 600_000 },
      { progress: (ms, message) => void told.push([ms, message]) },
    )
    await clock.advance(21_000)
    runs.end('req_1', 0)
    await answer
    expect(told).toEqual([
      [5000, 'running 5 s, 0 bytes of output'],
      [10_000, 'running 10 s, 0 bytes of output'],
      [15_000, 'running 15 s, 0 bytes of output'],
      [20_000, 'running 20 s, 0 bytes of output'],
    ])
    await clock.advance(60_000)
    expect({ told: told.length, timers: clock.pending }).toEqual({ told: 4, timers: 0 })
  })

  test('a caller that listens is not hurried', async () => {
    const { headless, clock, runs } = world()
    const answer = headless({ ...RUN, timeout_ms: 300_000 }, { progress() {} })
    await clock.advance(299_999)
    runs.end('req_1', 0)
    expect((await answer).data.status).toBe('completed')
  })

  test.each([
    ['45 s', {}, 45_000],
    ['the time that was set', { PM_TERM_ANSWER_WITHIN_MS: '1000' }, 1000],
  ])('a caller that does not listen has its answer within %s', async (_, env, ms) => {
    const { headless, clock } = world(env)
    let data: AnyResponse | null = null
    void headless({ ...RUN, timeout_ms: 600_000 }).then(answer => {
      data = answer.data
    })
    await clock.advance(ms - 1)
    expect(data).toBeNull()
    await clock.advance(1)
    expect(data).toMatchObject({
      success: true,
      status: 'accepted',
      identity: { session_id: 'req_1' },
      result: { running: true, state: 'running' },
    })
  })

  test('a client that gives up after a minute whatever it hears is answered before that, progress or not', async () => {
    const { headless, clock } = world()
    const asker = { session: 's1', name: 'continue-cli-client', version: '1.0.0' }
    let status: string | undefined
    void headless({ ...RUN, timeout_ms: 600_000 }, { asker, progress: () => {} }).then(({ data }) => {
      status = data.status
    })
    await clock.advance(44_999)
    expect(status).toBeUndefined()
    await clock.advance(1)
    expect(status).toBe('accepted')
  })

  test('reading on is answered in time too', async () => {
    const { headless, clock } = world()
    await headless({ ...RUN, request_id: 'r', timeout_ms: 0 }, { signal: GIVEN_UP })
    let waited: string | undefined
    const wait = { action: 'read_output', session_id: 'r', wait_for: 'exit', wait_ms: 600_000 }
    void headless(wait).then(({ data }) => {
      waited = data.result.waited
    })
    await clock.advance(44_999)
    expect(waited).toBeUndefined()
    await clock.advance(1)
    expect(waited).toBe('deadline')
  })

  test('timeout_ms ends the wait and not the command', async () => {
    const { headless, clock, runs } = world()
    const answer = headless({ ...RUN, timeout_ms: 500 })
    await clock.advance(500)
    const { data, text } = await answer
    expect({ success: data.success, status: data.status, running: data.result.running, killed: runs.killed }).toEqual({
      success: true,
      status: 'accepted',
      running: true,
      killed: [],
    })
    expect(text).toContain('It lives on.')
  })

  test.each(['memory_terminal', 'memory_terminal_interactive'] as const)(
    'the hint how to read on in %s is a request that tool takes',
    async tool => {
      const { headless, interactive, clock } = world()
      const ask = tool === 'memory_terminal' ? headless : interactive
      const first = ask(
        tool === 'memory_terminal'
          ? { ...RUN, timeout_ms: 100 }
          : { ...EXECUTE, invocation: { mode: 'headless', intent: 'execute_command' }, runtime: { timeout_ms: 100 } },
      )
      await clock.advance(100)
      const hint = /Read on with (\{.*\})/.exec((await first).text)?.[1] ?? '{}'
      const second = ask(JSON.parse(hint))
      await clock.advance(60_000)
      const { data } = await second
      expect({ error: data.error, status: data.status }).toEqual({ error: null, status: 'accepted' })
    },
  )
})

describe('a call that is taken back', () => {
  const cancelAfterStart = async (reason: unknown) => {
    const { headless, runs } = world()
    const cancel = new AbortController()
    const answer = headless({ ...RUN, request_id: 'r' }, { signal: cancel.signal })
    await idle()
    cancel.abort(reason)
    await answer
    return runs.cancelled
  }

  test.each([['user pressed stop'], [undefined], [new Error('cancelled')]])('stops its command (%s)', async reason => {
    expect(await cancelAfterStart(reason)).toEqual(['r'])
  })

  test.each([
    ['McpError: MCP error -32001: Request timed out'],
    ['timeout'],
    ['Request time-out'],
    [new DOMException('The operation timed out.', 'TimeoutError')],
  ])('leaves its command alone when only the client’s clock ran out (%s)', async reason => {
    expect(await cancelAfterStart(reason)).toEqual([])
  })

  test('does not stop a command that another call started', async () => {
    const { headless, runs } = world()
    const first = headless({ ...RUN, request_id: 'r', timeout_ms: 1 }, { signal: GIVEN_UP })
    await first
    const cancel = new AbortController()
    const second = headless({ ...RUN, request_id: 'r' }, { signal: cancel.signal })
    await idle()
    cancel.abort('user pressed stop')
    await second
    expect(runs.cancelled).toEqual([])
  })

  test('a cancelled read never stops anything', async () => {
    const { headless, runs } = world()
    await headless({ ...RUN, request_id: 'r', timeout_ms: 1 }, { signal: GIVEN_UP })
    const cancel = new AbortController()
    const reading = headless({ action: 'read_output', session_id: 'r', wait_ms: 5000 }, { signal: cancel.signal })
    await idle()
    cancel.abort('user pressed stop')
    await reading
    expect(runs.cancelled).toEqual([])
  })
})

describe('what is not there', () => {
  test.each([
    ['read_output', { action: 'read_output', session_id: 'gone' }],
    ['kill', { action: 'kill', session_id: 'gone' }],
  ])('%s of an unknown session says so', async (_, payload) => {
    const { data } = await world().headless(payload)
    expect({ code: data.error?.code, details: data.error?.details, next: data.fallback?.next_action }).toEqual({
      code: 'PM_TERM_NOT_FOUND',
      details: { session_id: 'gone' },
      next: 'list',
    })
  })

  test.each(['read_output', 'terminate'])('%s of an unknown terminal says so', async action => {
    const { data } = await world().interactive({ action, target: { terminal_id: 'gone' } })
    expect({ code: data.error?.code, details: data.error?.details }).toEqual({
      code: 'PM_TERM_NOT_FOUND',
      details: { terminal_id: 'gone' },
    })
  })
})

describe('a fault of ours', () => {
  test('shows no stack, and its trace id finds the log line', async () => {
    const { headless, runs, logged } = world()
    runs.breakWith(new Error('disk on fire at /secret/path'))
    const { data, text } = await headless({ action: 'list', trace_id: 'find-me' })
    expect(data.error).toEqual({
      code: 'PM_TERM_INTERNAL',
      category: 'internal',
      message: 'Something broke on our side (find-me).',
      retriable: true,
      details: { trace_id: 'find-me' },
    })
    expect(data.fallback?.strategy).toBe('deterministic_internal_fallback')
    expect(`${JSON.stringify(data)}${text}`).not.toMatch(/secret|disk on fire|at .*\.ts/)
    expect(logged.map(({ fields }) => fields)).toEqual([
      { trace_id: 'find-me', tool: 'memory_terminal', cause: expect.any(Error) },
    ])
  })

  test('is over with the call: the next one works', async () => {
    const { headless, runs } = world()
    runs.breakWith(new Error('once'))
    await headless({ action: 'list' })
    runs.breakWith(null)
    expect((await headless({ action: 'list' })).data.success).toBe(true)
  })

  test('mistakes of a caller are not logged as ours', async () => {
    const { headless, logged } = world()
    await headless({ action: 'zap' })
    expect(logged).toEqual([])
  })
})

describe('the allowlist', () => {
  test.each(['add', 'remove', 'set'])('is not changed by %s: nobody can be asked', async operation => {
    const { headless } = world()
    const change = { operation, patterns: ['npm run build'], workspace_id: 'test' }
    const { data } = await headless({ action: 'update_allowlist', ...change })
    expect({ action: data.action, code: data.error?.code, reason: data.error?.details.reason }).toEqual({
      action: 'update_allowlist',
      code: 'PM_TERM_GUI_UNAVAILABLE',
      reason: 'bridge_required_no_fallback',
    })
  })

  test('does not take a pattern that would allow everything', async () => {
    const { data } = await world().headless({
      action: 'update_allowlist',
      operation: 'add',
      patterns: ['ls *', '*', 'rm $HOME'],
    })
    expect({
      code: data.error?.code,
      fields: fieldsOf(data),
    }).toEqual({ code: 'PM_TERM_INVALID_PAYLOAD', fields: ['patterns.1', 'patterns.2'] })
  })
})

describe('payloads that make no sense', () => {
  test.each([[null], ['text'], [7], [[]]])('%j gets an answer of the tool’s own shape', async payload => {
    const { headless, interactive } = world()
    for (const ask of [headless, interactive])
      expect((await ask(payload)).data.error).toMatchObject({
        code: 'PM_TERM_INVALID_PAYLOAD',
        details: { issues: [{ field: 'payload', problem: 'must be an object' }] },
      })
  })

  test('a mistake is named by the field of the tool that was called', async () => {
    const { headless, interactive, runs } = world()
    runs.noDirectory()
    const bad = await headless({ ...RUN, cwd: '/gone' })
    const grouped = await interactive({
      ...EXECUTE,
      invocation: { mode: 'headless', intent: 'execute_command' },
      runtime: { cwd: '/gone' },
    })
    expect([fieldsOf(bad.data), fieldsOf(grouped.data)]).toEqual([['cwd'], ['runtime.cwd']])
  })
})
