import type { Clock } from '../../base/clock.ts'
import { Disposables, onAbort } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import { type Address, addressText, DialError, type DialProblem } from '../../base/link/psk-socket.ts'
import { toTypeElsewhere } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { type HostConnection, LinkLost } from './host-connection.ts'
import { nobodyReached } from './lane.ts'
import { pause, type ReachedHost } from './reach-host.ts'

export interface BridgeReachDeps {
  readonly clock: Clock
  /** Names of the host in the order they are tried; the default gateway comes after them. */
  readonly aliases: readonly string[]
  readonly port: number
  /** A mounted socket file: then there is nothing to look up, and nothing else is tried. */
  readonly socketFile: string | null
  readonly lookUp: (name: string) => Promise<readonly string[]>
  readonly gateway: () => string | null
  readonly dial: (at: Address, signal: AbortSignal) => Promise<Link>
  readonly greet: (link: Link) => Promise<HostConnection>
  /** How long a host that does not listen is called again: its address may have come with this very container. */
  readonly patienceMs: number
  /** Every step, for whoever wants to look. */
  readonly trace: (step: string, fields: Readonly<Record<string, unknown>>) => void
}

/** One try, as the caller gets to see it. */
export interface BridgeAttempt {
  readonly name: string
  readonly address: string | null
  readonly outcome: AttemptOutcome
  readonly message: string
  readonly ms: number
}

type AttemptOutcome = DialProblem | 'not_resolved' | 'lost' | 'no_hello'

interface NamedAddresses {
  readonly name: string
  readonly addresses: Promise<readonly Address[]>
}

const LOOK_UP_WITHIN_MS = 1000
const MOST_ADDRESSES = 3
const AGAIN_AFTER_MS = 300
const GATEWAY = 'default gateway'

/**
 * The host outside this container (docs/spec.md §5.2). An open port is not enough: whoever answers proves that it holds the key
 * before it is sent anything, so that a router behind the gateway learns nothing. Nothing is ever started or run here instead.
 */
export async function reachBridge(deps: BridgeReachDeps, signal: AbortSignal): Promise<ReachedHost> {
  const { clock, patienceMs } = deps
  const until = clock.elapsed() + patienceMs
  for (;;) {
    const attempts: BridgeAttempt[] = []
    const reached = await tryAll(deps, attempts, signal)
    if (reached) return reached
    if (clock.elapsed() >= until || !attempts.some(({ outcome }) => outcome === 'refused')) throw notReached(attempts)
    await pause(clock, AGAIN_AFTER_MS, signal)
  }
}

async function tryAll(
  deps: BridgeReachDeps,
  attempts: BridgeAttempt[],
  signal: AbortSignal,
): Promise<ReachedHost | null> {
  const tried = new Set<string>()
  for (const { name, addresses } of placesOf(deps, signal)) {
    const began = deps.clock.elapsed()
    const failed = (address: string | null, outcome: AttemptOutcome, message: string, since = began) => {
      const attempt = { name, address, outcome, message, ms: Math.round(deps.clock.elapsed() - since) }
      attempts.push(attempt)
      deps.trace('not reached', attempt)
    }

    const found = await addresses.catch((cause: Error) => {
      failed(null, 'not_resolved', cause.message)
      return []
    })

    for (const at of found) {
      const address = addressText(at)
      if (tried.has(address)) continue
      tried.add(address)

      const since = deps.clock.elapsed()
      deps.trace('dialling', { name, address })
      try {
        const connection = await deps.greet(await deps.dial(at, signal))
        deps.trace('reached', { name, address, instance_id: connection.ack.instance_id, as: connection.ack.identity })
        return { connection, launchedPid: null }
      } catch (error) {
        if (error instanceof DialError && error.problem === 'aborted') throw error
        if (error instanceof DialError) failed(address, error.problem, error.message, since)
        else if (error instanceof LinkLost) failed(address, 'lost', error.message, since)
        else if (error instanceof TermError && error.code === 'PM_TERM_TIMEOUT')
          failed(address, 'no_hello', error.message, since)
        // A host that holds the key and refuses has the last word: no other name will reach another one.
        else throw error instanceof TermError ? withAttempts(error, attempts) : error
      }
    }
  }
  return null
}

/** All names are looked up at once, so that two unknown ones cost one wait. */
function placesOf(deps: BridgeReachDeps, signal: AbortSignal): NamedAddresses[] {
  const { socketFile, port, clock } = deps
  if (socketFile !== null) return [{ name: socketFile, addresses: Promise.resolve([{ path: socketFile }]) }]
  const named = [...new Set(deps.aliases)].map(name => {
    const hosts = within(LOOK_UP_WITHIN_MS, deps.lookUp(name), { clock, signal })
    const addresses = hosts.then(all => [...new Set(all)].slice(0, MOST_ADDRESSES).map(host => ({ host, port })))
    // Reported when it is its turn; until then nobody listens for the failure.
    addresses.catch(() => {})
    return { name, addresses }
  })
  const gateway = deps.gateway()
  const last = gateway === null ? [] : [{ name: GATEWAY, addresses: Promise.resolve([{ host: gateway, port }]) }]
  return [...named, ...last]
}

function within<T>(ms: number, promise: Promise<T>, { clock, signal }: { clock: Clock; signal: AbortSignal }) {
  const life = new Disposables()
  return new Promise<T>((resolve, reject) => {
    life.add(clock.after(ms, () => reject(new Error(`The name was not resolved within ${ms} ms.`))))
    life.add(onAbort(signal, () => reject(new DialError('aborted', 'The call was given up.'))))
    promise.then(resolve, reject)
  }).finally(() => life.dispose())
}

/** What the gateway did counts only where no name led anywhere: often it is not the host at all. */
function notReached(attempts: readonly BridgeAttempt[]): TermError {
  const named = attempts.filter(({ name, address }) => name !== GATEWAY && address !== null)
  const relevant = named.length > 0 ? named : attempts
  const had = (...outcomes: AttemptOutcome[]) => relevant.find(({ outcome }) => outcomes.includes(outcome))

  const wrong = had('wrong_key')
  const broken = had('cut', 'lost')
  const silent = had('timeout', 'no_hello')
  const details = { ...attemptDetails(attempts), adapter: 'container_bridge' }

  if (wrong)
    return new TermError(
      'PM_TERM_DISCONNECTED',
      `The host at ${wrong.address} does not know the key of this container: not paired, or revoked. Nothing ran. On the host, in interactive-terminal's folder: ${toTypeElsewhere('pair <name>')}, and mount the key it makes.`,
      { details: { ...details, reason: 'not_paired', recommended_action: toTypeElsewhere('pair <name>') } },
    )
  if (broken)
    return new TermError(
      'PM_TERM_DISCONNECTED',
      `The connection to ${broken.address} ended during the handshake. Nothing ran.`,
      { details: { ...details, reason: 'handshake_failed' } },
    )
  if (silent)
    return new TermError('PM_TERM_TIMEOUT', `${silent.address} took the call and did not answer. Nothing ran.`, {
      details: { ...details, phase: 'handshake' },
    })

  return nobodyReached(
    `The host cannot be reached from this container (${attempts.map(inWords).join('; ') || 'there was nothing to try'}). A person can start it there with "npm start" in interactive-terminal's folder; docs/containers.md explains the network of each engine.`,
    { ...details, recommended_action: "on the host, in interactive-terminal's folder: npm start" },
  )
}

const inWords = ({ name, address, outcome }: BridgeAttempt): string =>
  address === null
    ? `${name}: ${outcome}`
    : address.startsWith(name)
      ? `${address}: ${outcome}`
      : `${name} ${address}: ${outcome}`

const attemptDetails = (attempts: readonly BridgeAttempt[]) => ({
  lane: 'container_bridge_to_host',
  attempted: attempts.map(({ name, address }) => address ?? name),
  attempts,
})

const withAttempts = (error: TermError, attempts: readonly BridgeAttempt[]): TermError =>
  new TermError(error.code, error.message, {
    details: { ...attemptDetails(attempts), ...error.details },
    cause: error,
  })
