import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { readPairingFile } from '../../base/keys/key-file.ts'
import type { Link } from '../../base/link/link.ts'
import { type Address, dialPsk } from '../../base/link/psk-socket.ts'
import { type BridgeDeps, BridgeListener, gatewaysOf } from './bridge-listener.ts'
import { Pairings } from './pairings.ts'

let root: string
let pairings: Pairings
const opened: BridgeListener[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'it-bridge-'))
  pairings = new Pairings(join(root, 'keys'))
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  rmSync(root, { recursive: true, force: true })
})

const v4 = (address: string) => ({
  address,
  family: 'IPv4' as const,
  netmask: '',
  mac: '',
  internal: false,
  cidr: null,
})
const never = new AbortController().signal

async function open(
  more: Partial<BridgeDeps> = {},
): Promise<{ bridge: BridgeListener; links: Link[]; said: string[] }> {
  const links: Link[] = []
  const said: string[] = []
  const tell = (message: string, fields?: object) => void said.push(`${message} ${JSON.stringify(fields)}`)
  const bridge = new BridgeListener({
    clock: systemClock,
    log: { debug: tell, info: tell, warn: tell, error: tell },
    pairings,
    address: 'auto',
    port: 0,
    socketFile: null,
    inheritedFd: null,
    interfaces: () => ({ lo: [v4('127.0.0.1')] }),
    onLink: link => void links.push(link),
    onLook: () => {},
    ...more,
  })
  opened.push(bridge)
  await bridge.start()
  return { bridge, links, said }
}

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (let i = 0; i < 400; i++) {
    if (isSo()) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`never: ${what}`)
}

const portOf = ({ state }: BridgeListener): number => Number(state.listening[0]?.split(':')[1])

function call(at: Address, name: string, key?: Buffer): Promise<Link> {
  const used = key ?? readPairingFile(pairings.fileOf(name)).key
  return dialPsk({ ...at, identity: name, key: used, timeoutMs: 2000, clock: systemClock, signal: never })
}

test('an address beyond this machine is not listened on before somebody is paired, nor after the last one was revoked', async () => {
  const { bridge } = await open({ address: '0.0.0.0' })
  expect(bridge.state.listening).toEqual([])
  pairings.add('box')
  await until('it listens', () => bridge.state.listening.length === 1)
  pairings.remove('box')
  await until('it stopped', () => bridge.state.listening.length === 0)
})

test('the gateway of a container network is taken when it comes, and left when it goes', async () => {
  pairings.add('box')
  let there = {}
  const { bridge } = await open({ interfaces: () => there })
  expect(bridge.state.listening).toEqual([])
  there = { podman0: [v4('127.0.0.1')] }
  await until('it listens', () => bridge.state.listening.length === 1)
  there = {}
  await until('it stopped', () => bridge.state.listening.length === 0)
})

test('an address this machine does not have yet is told, and tried again', async () => {
  pairings.add('box')
  const { bridge, said } = await open({ address: '192.0.2.1' })
  await bridge.start()
  expect(bridge.state).toEqual({
    listening: [],
    problems: ['192.0.2.1:0: this machine does not have the address now; it is tried again'],
  })
  expect(said.filter(line => line.includes('cannot listen yet'))).toHaveLength(1)
})

test('a port somebody else has is told, and taken once it is free', async () => {
  pairings.add('box')
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { bridge } = await open({ address: '127.0.0.1', port })
  expect(bridge.state.problems[0]).toContain('somebody listens there already')
  other.close()
  await until('it listens', () => bridge.state.listening[0] === `127.0.0.1:${port}`)
  expect(bridge.state.problems).toEqual([])
})

test('§5: only those who are paired come in: not this person’s own servers, not the bridge, not a stranger', async () => {
  pairings.add('box')
  const { bridge, links } = await open({ address: '127.0.0.1' })
  const at = { host: '127.0.0.1', port: portOf(bridge) }
  for (const name of ['local', 'approver', 'bridge', 'stranger', 'box'])
    await expect(call(at, name, randomBytes(32))).rejects.toMatchObject({ problem: 'wrong_key' })
  await call(at, 'box')
  await until('the link', () => links.length === 1)
  expect(links.map(({ identity }) => identity)).toEqual(['box'])
})

test('§5: revoking cuts what is connected at once and leaves the others alone', async () => {
  pairings.add('box')
  pairings.add('other')
  const { bridge } = await open({ address: '127.0.0.1' })
  const at = { host: '127.0.0.1', port: portOf(bridge) }
  const key = readPairingFile(pairings.fileOf('box')).key
  const [box, other] = [await call(at, 'box'), await call(at, 'other')]
  pairings.remove('box')
  await until('it is cut', () => !box.open)
  await expect(call(at, 'box', key)).rejects.toMatchObject({ problem: 'wrong_key' })
  expect(other.open).toBe(true)
})

test('a socket file is there for containers without a network, reachable for any user in there and none out here', async () => {
  pairings.add('box')
  const socketFile = join(root, 'bridge', 'host.sock')
  const { bridge, links } = await open({ socketFile })
  expect(bridge.state.listening).toEqual([socketFile])
  const mode = (path: string) => statSync(path).mode & 0o777
  expect([mode(dirname(socketFile)), mode(socketFile)]).toEqual([0o711, 0o666])
  await call({ path: socketFile }, 'box')
  await until('the link', () => links.length === 1)
})

test('a socket file that a dead host left is replaced, a live one is not', async () => {
  pairings.add('box')
  const socketFile = join(root, 'bridge', 'host.sock')
  const first = await open({ socketFile })
  const second = await open({ socketFile })
  expect(second.bridge.state.problems[0]).toContain('somebody listens there already')
  await call({ path: socketFile }, 'box')
  await until('the link', () => first.links.length === 1)
  await first.bridge.close()
  if (!existsSync(socketFile)) writeFileSync(socketFile, '')
  chmodSync(socketFile, 0o600)
  await until('the second one has it', () => second.bridge.state.listening.length === 1)
  await call({ path: socketFile }, 'box')
})

test('bridges of podman and Docker count as container networks, and nothing else does', () => {
  const names = ['podman0', 'cni-podman0', 'docker0', 'br-0123456789ab', 'eth0', 'wlan0', 'br-lan', 'virbr0', 'tun0']
  const interfaces = Object.fromEntries(names.map((name, i) => [name, [v4(`10.0.0.${i}`)]]))
  expect(gatewaysOf(interfaces)).toEqual(['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3'])
})
