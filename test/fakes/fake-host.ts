import { randomIds } from '../../src/base/ids.ts'
import { type Link, linkPair } from '../../src/base/link/link.ts'
import { DialError } from '../../src/base/link/psk-socket.ts'
import type { TermError } from '../../src/contract/tool/errors.ts'
import type { RunReport, ToHost } from '../../src/contract/wire/host-frames.ts'
import { ToHost as ToHostFrame } from '../../src/contract/wire/host-frames.ts'
import { HostAdapter } from '../../src/mcp/host-link/host-adapter.ts'
import { shakeHands } from '../../src/mcp/host-link/host-connection.ts'
import type { LaunchedHost } from '../../src/mcp/host-link/launch-host.ts'
import { type ReachOptions, reachHost } from '../../src/mcp/host-link/reach-host.ts'
import type { FakeClock } from './fake-clock.ts'

type Reply = Readonly<Record<string, unknown>>

/** A host at the other end of a link that is only pretended: answers what a test says, dies when a test says. */
export class FakeHost {
  readonly received: ToHost[] = []
  /** What it answers to a frame: any number of frames, now or later. */
  answer: (frame: ToHost, send: (reply: Reply) => void) => void = () => {}
  running = true
  instance = 'host_1'
  protocolVersion = 1
  /** A person has declared it in its container. */
  inContainer = false
  /** Where its window is; null: it has none. */
  windowPort: number | null = 9101
  launches = 0
  /** What a started program does. */
  launch: () => Promise<LaunchedHost> = () => Promise.reject(new Error('spawn ENOENT'))
  readonly #links: Link[] = []
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  adapter(noneStartsHere?: () => TermError): HostAdapter {
    const silent = () => {}
    const log = { debug: silent, info: silent, warn: silent, error: silent }
    const deps = {
      clock: this.#clock,
      log,
      address: '127.0.0.1:9100',
      dial: async () => this.#dial(),
      greet: (link: Link) => shakeHands(link, HELLO, { clock: this.#clock, withinMs: 3000 }),
      launch: () => {
        this.launches += 1
        return this.launch()
      },
      places: {
        configured: [],
        bundled: { node: 'node', flags: [], script: '/opt/it.cjs' },
        path: '',
        workspaces: [],
        platform: 'linux' as const,
      },
      spawnTimeoutMs: 8000,
      ...(noneStartsHere && { noneStartsHere }),
    }
    const reach = (options: ReachOptions, signal: AbortSignal) => reachHost(deps, options, signal)
    return new HostAdapter({
      clock: this.#clock,
      ids: randomIds(),
      log,
      host: 'on_this_machine',
      reach,
      requestTimeoutMs: 5000,
    })
  }

  /** Every connection breaks; with `for: 'ever'` nobody listens any more either. */
  drop(how: { readonly for: 'now' | 'ever' }): void {
    if (how.for === 'ever') this.running = false
    for (const link of this.#links.splice(0)) link.close('broken')
  }

  frames(type: ToHost['type']): ToHost[] {
    return this.received.filter(frame => frame.type === type)
  }

  #dial(): Link {
    if (!this.running) throw new DialError('refused', 'Nothing listens on 127.0.0.1:9100.')
    const [ours, theirs] = linkPair('local')
    this.#links.push(theirs)
    theirs.onFrame(raw => {
      const frame = ToHostFrame.parse(raw)
      if (frame.type === 'hello') {
        theirs.send({
          type: 'hello_ack',
          protocol_version: this.protocolVersion,
          capabilities: [],
          trace_id: frame.trace_id,
          runtime_session_id: frame.runtime_session_id,
          instance_id: this.instance,
          identity: 'local',
          heartbeat_interval_ms: 3_600_000,
          host: {
            version: '0',
            pid: 1,
            ...(this.inContainer && { in_container: true }),
            ...(this.windowPort !== null && { window_port: this.windowPort }),
          },
          approvers: 1,
        })
        return
      }
      this.received.push(frame)
      const ids = 'request_id' in frame ? { request_id: frame.request_id, trace_id: frame.trace_id } : {}
      this.answer(frame, reply => void theirs.send({ ...ids, ...reply }))
    })
    return ours
  }
}

const HELLO = { capabilities: [], trace_id: 'trace_h', runtime_session_id: 'ses_1' }

/** How a run stands, with what a test cares about said on top. */
export function report(sessionId: string, more: Partial<RunReport> = {}): RunReport {
  return {
    session_id: sessionId,
    terminal_id: 'term_1',
    client_request_id: null,
    status: 'approved',
    approved: true,
    reason: null,
    command: 'make',
    args: null,
    workspace_id: null,
    output: 'done\n',
    error: null,
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: '2026-01-01T00:00:01.000Z',
    state: 'exited',
    running: false,
    exit_code: 0,
    authorization: 'allowed_with_warning',
    approved_by: 'person',
    execution_time_ms: 12,
    cursor: 5,
    output_bytes: 5,
    adapter: 'host_bridge_local',
    visibility: 'visible',
    ...more,
  }
}
