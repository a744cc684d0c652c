import { expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { FakeHost, report } from '../../../test/fakes/fake-host.ts'
import { FakeRuns } from '../../../test/fakes/fake-runs.ts'
import { usualRedactor } from '../../../test/fakes/redactors.ts'
import { readSettings } from '../../config/settings.ts'
import { HostLane } from '../host-link/host-lane.ts'
import { hostLanes } from '../host-link/host-lanes.ts'
import type { Whereabouts } from '../host-link/lane.ts'
import { tools } from './tools.ts'

/** Whatever is on its way has arrived: nothing here waits for anything but its turn. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await idle()
}

/** Clients that take a call back without a word: what their next call says about the one before. */
function world() {
  const clock = new FakeClock()
  const runs = new FakeRuns(clock)
  const host = new FakeHost(clock)
  host.answer = (frame, send) => {
    if (frame.type === 'command_request')
      send({ type: 'accepted', session_id: frame.request_id, terminal_id: 'term_1' })
    if (frame.type === 'read_output')
      send({ type: 'output', ...report(frame.session_id ?? '', { state: 'awaiting_approval', running: false }) })
  }
  const silent = () => {}
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const { settings } = readSettings({ flags: {}, env: { PM_TERM_HOME: '/nowhere' } }).configuration
  let made = 0
  const ids = { make: (prefix: string) => `${prefix}_${++made}` }
  const lane = new HostLane({ adapter: host.adapter(), clock, ids, settings, cwd: '/' })
  const place: Whereabouts = {
    container: { inContainer: 'no', why: [] },
    hostIsHere: () => false,
    executable: '/opt/it.cjs',
  }
  const { registry } = runs
  const redactor = usualRedactor()
  const hosts = hostLanes({ host_bridge_local: lane, container_bridge_to_host: lane }, () => 'host_bridge_local')
  const call = tools({ place, clock, log, ids, settings, registry, redactor, headless: runs.lane, host: hosts })
  const by = (session: string | null) => ({
    signal: new AbortController().signal,
    asker: { session, name: 'gemini', version: '1' },
  })
  const asks = async (request_id: string, session: string | null = 'ses_1') => {
    const invocation = { mode: 'interactive', intent: 'execute_command' }
    const payload = { action: 'execute', correlation: { request_id }, invocation, execution: { command: 'make' } }
    void call({ name: 'memory_terminal_interactive', arguments: payload, ...by(session) })
    await settled()
  }
  const headless = async (payload: Record<string, unknown>, session = 'ses_1') => {
    void call({ name: 'memory_terminal', arguments: payload, ...by(session) })
    await settled()
  }
  const left = () => host.frames('asker_gone_on').flatMap(frame => ('request_ids' in frame ? frame.request_ids : []))
  return { clock, asks, headless, left }
}

test('a later call of the same session, in either lane, tells the host that it has gone on, once', async () => {
  const { clock, asks, headless, left } = world()
  await asks('first')
  await clock.advance(5000)
  await headless({ action: 'get_allowlist' })
  expect(left()).toEqual(['first'])
  await clock.advance(5000)
  await headless({ action: 'get_allowlist' })
  expect(left()).toEqual(['first'])
})

test('calls made side by side are no sign of it', async () => {
  const { clock, asks, headless, left } = world()
  await asks('first')
  await clock.advance(300)
  await asks('second')
  await headless({ action: 'get_allowlist' })
  expect(left()).toEqual([])
})

test('a call of another session, or of one that is not known, is none either', async () => {
  const { clock, asks, left } = world()
  await asks('first')
  await asks('nobody knows', null)
  await clock.advance(5000)
  await asks('other', 'ses_2')
  await asks('nobody knows either', null)
  expect(left()).toEqual([])
})

test('whoever reads on, sends the same again or looks at the list still waits for it', async () => {
  const { clock, asks, headless, left } = world()
  await asks('first')
  await clock.advance(5000)
  await headless({ action: 'list' })
  await headless({ action: 'read_output', session_id: 'first' })
  await clock.advance(5000)
  await headless({ action: 'get_allowlist' })
  expect(left()).toEqual([])
})
