import { expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { linkPair } from '../../base/link/link.ts'
import { type Address, addressText, DialError, type DialProblem } from '../../base/link/psk-socket.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { defaultGateway } from './default-gateway.ts'
import { HostConnection, LinkLost } from './host-connection.ts'
import { type BridgeReachDeps, reachBridge } from './reach-bridge.ts'

const never = new AbortController().signal
const clock = new FakeClock()
const [link] = linkPair('box')
const ack = { instance_id: 'host_1', identity: 'box', heartbeat_interval_ms: 3_600_000 } as HostConnection['ack']

interface Net {
  /** Name → addresses; a name that is missing never resolves. */
  readonly names?: Readonly<Record<string, readonly string[] | 'unknown'>>
  /** Address → what happens there; one that is missing is the host. */
  readonly at?: Readonly<Record<string, DialProblem | 'lost' | 'no_hello' | 'refuses'>>
  readonly gateway?: string | null
  readonly socketFile?: string | null
  readonly patienceMs?: number
}

function network({ names = {}, at = {}, gateway = null, socketFile = null, patienceMs = 0 }: Net) {
  const dialled: string[] = []
  const deps: BridgeReachDeps = {
    clock,
    aliases: ['host.containers.internal', 'host.docker.internal'],
    port: 45_459,
    socketFile,
    lookUp: name => {
      const found = names[name]
      if (found === undefined) return new Promise(() => {})
      return found === 'unknown' ? Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`)) : Promise.resolve(found)
    },
    gateway: () => gateway,
    dial: async (address: Address) => {
      const text = addressText(address)
      dialled.push(text)
      const what = at[text]
      if (what !== undefined && !['lost', 'no_hello', 'refuses'].includes(what))
        throw new DialError(what as DialProblem, `${text}: ${what}`)
      return { ...link, identity: text }
    },
    greet: async ({ identity }) => {
      const what = at[identity]
      if (what === 'lost') throw new LinkLost('the other end closed the connection')
      if (what === 'no_hello') throw new TermError('PM_TERM_TIMEOUT', 'no hello', { details: { phase: 'handshake' } })
      if (what === 'refuses') throw new TermError('PM_TERM_GUI_UNAVAILABLE', 'another version')
      return new HostConnection(link, ack, clock)
    },
    patienceMs,
    trace: () => {},
  }
  return { deps, dialled }
}

const both = { 'host.containers.internal': ['10.88.0.1'], 'host.docker.internal': ['10.99.0.1'] }
const failure = async (net: Net): Promise<TermError> => {
  const error = await reachBridge(network(net).deps, never).catch((cause: TermError) => cause)
  if (error instanceof TermError) return error
  throw new Error('it was reached')
}

test('the first name that leads to the host is taken, and no other is dialled', async () => {
  const { deps, dialled } = network({ names: both, gateway: '10.0.0.1' })
  const { launchedPid } = await reachBridge(deps, never)
  expect({ dialled, launchedPid }).toEqual({ dialled: ['10.88.0.1:45459'], launchedPid: null })
})

test('a container that has just started waits for the host to see its network, and no longer than that', async () => {
  const names = { 'host.containers.internal': ['10.88.0.1'], 'host.docker.internal': 'unknown' } as const
  const at: Record<string, DialProblem> = { '10.88.0.1:45459': 'refused' }
  const { deps, dialled } = network({ names, at, patienceMs: 1000 })
  const reaching = reachBridge(deps, never)
  await idle()
  await clock.advance(300)
  delete at['10.88.0.1:45459']
  await clock.advance(300)
  await reaching
  expect(dialled).toHaveLength(3)
  at['10.88.0.1:45459'] = 'refused'
  const failing = reachBridge(deps, never).catch((cause: TermError) => cause.code)
  for (const _ of [1, 2, 3, 4]) await clock.advance(300)
  expect(await failing).toBe('PM_TERM_GUI_UNAVAILABLE')
})

test('names come in their order and the default gateway comes last, each address once', async () => {
  const { deps, dialled } = network({
    names: { 'host.containers.internal': ['10.88.0.1', '10.88.0.2'], 'host.docker.internal': ['10.88.0.1'] },
    at: { '10.88.0.1:45459': 'refused', '10.88.0.2:45459': 'unreachable' },
    gateway: '10.0.0.1',
  })
  await reachBridge(deps, never)
  expect(dialled).toEqual(['10.88.0.1:45459', '10.88.0.2:45459', '10.0.0.1:45459'])
})

test('two names that nobody resolves cost one second together, and both are told', async () => {
  const { deps, dialled } = network({ gateway: '10.0.0.1', at: { '10.0.0.1:45459': 'refused' } })
  const failed = reachBridge(deps, never).catch((error: TermError) => error.details)
  await idle()
  await clock.advance(1000)
  expect(await failed).toMatchObject({
    lane: 'container_bridge_to_host',
    reason: 'bridge_required_no_fallback',
    hint: 'start_gui_app',
    attempted: ['host.containers.internal', 'host.docker.internal', '10.0.0.1:45459'],
    attempts: [
      { name: 'host.containers.internal', address: null, outcome: 'not_resolved', ms: 1000 },
      { name: 'host.docker.internal', address: null, outcome: 'not_resolved', ms: 0 },
      { name: 'default gateway', address: '10.0.0.1:45459', outcome: 'refused', ms: 0 },
    ],
  })
  expect(dialled).toEqual(['10.0.0.1:45459'])
})

test.each<[string, Net['at'], string, object]>([
  [
    'nobody listens',
    { '10.88.0.1:45459': 'refused' },
    'PM_TERM_GUI_UNAVAILABLE',
    { reason: 'bridge_required_no_fallback' },
  ],
  [
    'the port is dropped',
    { '10.88.0.1:45459': 'late' },
    'PM_TERM_GUI_UNAVAILABLE',
    { reason: 'bridge_required_no_fallback' },
  ],
  ['there is no way there', { '10.88.0.1:45459': 'unreachable' }, 'PM_TERM_GUI_UNAVAILABLE', {}],
  ['the key is wrong or revoked', { '10.88.0.1:45459': 'wrong_key' }, 'PM_TERM_DISCONNECTED', { reason: 'not_paired' }],
  ['the handshake is cut', { '10.88.0.1:45459': 'cut' }, 'PM_TERM_DISCONNECTED', { reason: 'handshake_failed' }],
  ['the hello is cut', { '10.88.0.1:45459': 'lost' }, 'PM_TERM_DISCONNECTED', { reason: 'handshake_failed' }],
  ['the host is dead behind an open port', { '10.88.0.1:45459': 'timeout' }, 'PM_TERM_TIMEOUT', { phase: 'handshake' }],
  ['the host never says hello', { '10.88.0.1:45459': 'no_hello' }, 'PM_TERM_TIMEOUT', { phase: 'handshake' }],
  ['the host refuses', { '10.88.0.1:45459': 'refuses' }, 'PM_TERM_GUI_UNAVAILABLE', {}],
])('when %s the code says so', async (_, at, code, details) => {
  const error = await failure({ names: { ...both, 'host.docker.internal': 'unknown' }, at: at ?? {} })
  expect({ code: error.code, details: error.details }).toMatchObject({ code, details })
})

test('a gateway that is somebody else does not hide that the host’s own name refused', async () => {
  const at = { '10.88.0.1:45459': 'refused', '10.99.0.1:45459': 'refused', '192.168.1.1:45459': 'wrong_key' } as const
  const error = await failure({ names: both, at, gateway: '192.168.1.1' })
  expect([error.code, error.details.attempted]).toEqual([
    'PM_TERM_GUI_UNAVAILABLE',
    ['10.88.0.1:45459', '10.99.0.1:45459', '192.168.1.1:45459'],
  ])
})

test('a wrong key at the first name does not keep it from the host at the second', async () => {
  const { deps, dialled } = network({ names: both, at: { '10.88.0.1:45459': 'wrong_key' } })
  await reachBridge(deps, never)
  expect(dialled).toEqual(['10.88.0.1:45459', '10.99.0.1:45459'])
})

test('a mounted socket file is dialled, and no name is looked up', async () => {
  const { deps, dialled } = network({ socketFile: '/run/it/host.sock', gateway: '10.0.0.1' })
  await reachBridge(deps, never)
  expect(dialled).toEqual(['/run/it/host.sock'])
})

test('a call that was given up dials nobody else', async () => {
  const { deps, dialled } = network({ names: both, at: { '10.88.0.1:45459': 'aborted' } })
  await expect(reachBridge(deps, never)).rejects.toMatchObject({ problem: 'aborted' })
  expect(dialled).toEqual(['10.88.0.1:45459'])
})

test('the default gateway is read from the kernel’s table', () => {
  const head = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n'
  const local = 'eth0\t0000580A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n'
  const byDefault = 'eth0\t00000000\t0100580A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n'
  expect([defaultGateway(() => head + local + byDefault), defaultGateway(() => head + local)]).toEqual([
    '10.88.0.1',
    null,
  ])
})
