import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { dirname } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import {
  type Address,
  addressText,
  DialError,
  dialPsk,
  type Inherited,
  listenPsk,
  type PskListener,
} from '../../base/link/psk-socket.ts'
import type { Log } from '../../base/log.ts'
import { toType } from '../../base/own-command.ts'
import type { Pairings } from './pairings.ts'
import { tooManyClients } from './too-many-connections.ts'

export interface BridgeDeps {
  readonly clock: Clock
  readonly log: Log
  readonly pairings: Pick<Pairings, 'list' | 'key'>
  /** auto: wherever containers have their gateway · off · one address. */
  readonly address: string
  readonly port: number
  /** Mounted into a container that has no network; null: this system has no socket files. */
  readonly socketFile: string | null
  /** A socket the system has opened for us: then that one, and nothing else. */
  readonly inheritedFd: number | null
  readonly interfaces: () => NodeJS.Dict<NetworkInterfaceInfo[]>
  readonly onLink: (link: Link) => void
  readonly onLook: () => void
}

const LOOK_EVERY_MS = 500
// As podman (netavark and CNI) and Docker name the bridges of their networks.
const GATEWAY = /^(podman\d+|cni-podman\d+|docker0|docker_gwbridge|br-[0-9a-f]{12})$/

/**
 * Where containers call. It listens beyond this machine only while somebody is paired, and it looks again twice a second:
 * the gateway of a container network is there only while a container runs, and a pairing may be made or revoked any time.
 */
export class BridgeListener {
  readonly #deps: BridgeDeps
  readonly #open = new Map<string, PskListener>()
  readonly #problems = new Map<string, string>()
  #timer: Disposable = { dispose() {} }
  #looking: Promise<void> = Promise.resolve()
  #ended = false

  constructor(deps: BridgeDeps) {
    this.#deps = deps
  }

  /** Resolves after the first look; what could not be had then is tried again. */
  async start(): Promise<void> {
    this.#looking = this.#look()
    await this.#looking
    if (this.#ended) return
    this.#timer = this.#deps.clock.after(LOOK_EVERY_MS, () => void this.start())
  }

  /** Where it listens now, and what stands in the way elsewhere. */
  get state(): { readonly listening: readonly string[]; readonly problems: readonly string[] } {
    const listening = [...this.#open].map(([at, { port }]) => (port === 0 ? at : at.replace(/:\d+$/, `:${port}`)))
    return { listening, problems: [...this.#problems].map(([at, problem]) => `${at}: ${problem}`) }
  }

  async close(): Promise<void> {
    this.#ended = true
    this.#timer.dispose()
    await this.#looking
    await Promise.all([...this.#open.values()].map(listener => listener.close()))
  }

  async #look(): Promise<void> {
    for (const listener of this.#open.values()) listener.recheck()
    this.#deps.onLook()
    const wanted = new Map(this.#wanted().map(at => [nameOf(at), at]))
    for (const [at, listener] of [...this.#open])
      if (!wanted.has(at)) {
        this.#open.delete(at)
        this.#deps.log.info('the bridge no longer listens', { at })
        await listener.close()
      }
    for (const at of [...this.#problems.keys()]) if (!wanted.has(at)) this.#problems.delete(at)
    for (const [at, address] of wanted) if (!this.#open.has(at) && !this.#ended) await this.#listen(address)
  }

  #wanted(): (Address | Inherited)[] {
    const { address, port, pairings, interfaces, socketFile, inheritedFd } = this.#deps
    if (inheritedFd !== null) return [{ fd: inheritedFd }]
    if (address === 'off') return []
    if (pairings.list().length === 0) return isLoopback(address) ? [{ host: address, port }] : []
    const hosts = address === 'auto' ? gatewaysOf(interfaces()) : [address]
    return [...hosts.map(host => ({ host, port })), ...(socketFile === null ? [] : [{ path: socketFile }])]
  }

  async #listen(address: Address | Inherited): Promise<void> {
    const { clock, log, pairings, onLink } = this.#deps
    const at = nameOf(address)
    const keyFor = (identity: string) => pairings.key(identity)
    try {
      if ('path' in address) await makeRoom(address.path, clock)
      const listener = await listenPsk({ ...address, clock, keyFor, onLink, refusal: tooManyClients })
      // Whoever holds a key may connect; the directory around it is closed to other users of this machine.
      if ('path' in address) chmodSync(address.path, 0o666)
      this.#open.set(at, listener)
      this.#problems.delete(at)
      log.info('the bridge listens', { at, port: listener.port })
    } catch (cause) {
      const problem = inWords(cause as NodeJS.ErrnoException)
      if (this.#problems.get(at) !== problem) log.warn('the bridge cannot listen yet', { at, problem })
      this.#problems.set(at, problem)
    }
  }
}

const nameOf = (at: Address | Inherited): string => ('fd' in at ? `inherited socket ${at.fd}` : addressText(at))

/** IPv4 addresses of this machine in container networks: what a container calls its gateway. */
export function gatewaysOf(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  return Object.entries(interfaces)
    .filter(([name]) => GATEWAY.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address)
}

export const isLoopback = (address: string): boolean => /^(127\.\d+\.\d+\.\d+|::1)$/.test(address)

/** A socket file that a dead process left is in the way; one where somebody answers is not ours to remove. */
async function makeRoom(path: string, clock: Clock): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  chmodSync(dirname(path), 0o711)
  const nobody = {
    identity: 'nobody',
    key: Buffer.alloc(32),
    timeoutMs: 500,
    clock,
    signal: new AbortController().signal,
  }
  try {
    ;(await dialPsk({ path, ...nobody })).close('it was only a question')
  } catch (cause) {
    if (cause instanceof DialError && cause.problem === 'refused') rmSync(path, { force: true })
  }
}

function inWords({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRNOTAVAIL':
      return 'this machine does not have the address now; it is tried again'
    case 'EADDRINUSE':
      return `somebody listens there already, perhaps "${toType('bridge')}"; it is tried again`
    default:
      return message
  }
}
