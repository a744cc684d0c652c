import type { Clock } from '../../base/clock.ts'
import { Disposables, onAbort } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import { DialError } from '../../base/link/psk-socket.ts'
import type { Log } from '../../base/log.ts'
import { HELD_EXIT_CODE, toType } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { type AdapterChoice, type BinaryPlaces, findHostBinary, type HostCandidate } from './find-host-binary.ts'
import { type HostConnection, LinkLost } from './host-connection.ts'
import { nobodyReached } from './lane.ts'
import type { LaunchedHost } from './launch-host.ts'

/** What is made of a link once it is there: a conversation, or for the bridge the link itself. */
export interface ReachDeps<Connection = HostConnection> {
  readonly clock: Clock
  readonly log: Log
  /** Where the host listens, for people. */
  readonly address: string
  readonly dial: (signal: AbortSignal) => Promise<Link>
  readonly greet: (link: Link) => Promise<Connection>
  readonly launch: (candidate: HostCandidate) => Promise<LaunchedHost>
  readonly places: BinaryPlaces
  /** Why no host can be started here; absent: one can. */
  readonly noneStartsHere?: () => TermError
  readonly spawnTimeoutMs: number
}

export interface ReachOptions {
  readonly choice: AdapterChoice
  readonly binaryPath: string | null
  /** never: only a host that already runs will do, as for reading and listing. */
  readonly launch: 'if_needed' | 'never'
}

export interface ReachedHost<Connection = HostConnection> {
  readonly connection: Connection
  /** The process this server started for it, or null when it was already there. */
  readonly launchedPid: number | null
}

interface SpawnError {
  readonly source: HostCandidate['source']
  readonly path: string
  readonly attempt: number
  readonly problem: string
  readonly last_words?: string
}

const LOOK_EVERY_MS = 60
const ATTEMPTS_PER_CANDIDATE = 2
const LAST_WORDS_WITHIN_MS = 1000

/** A host to talk to: the one that listens, or one that is started now (docs/spec.md §4.4). Everything tried is reported. */
export async function reachHost<C>(
  deps: ReachDeps<C>,
  options: ReachOptions,
  signal: AbortSignal,
): Promise<ReachedHost<C>> {
  // Checked before anything is dialled: a wrong path is the caller's mistake whether or not a host is there.
  const { candidates, rejected } = findHostBinary(deps.places, options)

  const there = await tryDial(deps, signal)
  if ('connection' in there) return { connection: there.connection, launchedPid: null }
  if (there.problem !== 'refused') throw cannotTalk(deps, there)
  if (options.launch === 'if_needed' && deps.noneStartsHere) throw deps.noneStartsHere()

  const spawnErrors: SpawnError[] = []
  if (options.launch === 'if_needed')
    for (const candidate of candidates) {
      const reached = await launchCandidate(deps, candidate, spawnErrors, signal)
      if (reached) return reached
    }

  throw nobodyReached(
    options.launch === 'never'
      ? `No host listens on ${deps.address}.`
      : `The host could not be started${whyOf(spawnErrors)}. A person can start it with "${toType()}"; "${toType('doctor')}" says what is wrong.`,
    {
      lane: 'host_bridge_local',
      attempted: [deps.address],
      attempted_candidates: [
        ...candidates.map(({ source, program, args }) => ({ source, path: args[0] ?? program })),
        ...rejected,
      ],
      spawn_errors: spawnErrors,
      recommended_action: `start the host: ${toType()}`,
    },
  )
}

/** The last fault in a few words: many clients show a model only the message. */
function whyOf(errors: readonly SpawnError[]): string {
  const last = errors.at(-1)
  if (!last) return ''
  const words = (last.last_words ?? '').split('\n').at(-1)?.slice(0, 300) ?? ''
  return ` (${last.path} ${last.problem}${words === '' ? '' : `: ${words}`})`
}

/** Two tries at most, the second only after a fault that may pass. One that never gets ready is ended before the next. */
async function launchCandidate<C>(
  deps: ReachDeps<C>,
  candidate: HostCandidate,
  errors: SpawnError[],
  signal: AbortSignal,
): Promise<ReachedHost<C> | null> {
  const path = candidate.args[0] ?? candidate.program

  for (let attempt = 1; attempt <= ATTEMPTS_PER_CANDIDATE; attempt += 1) {
    const failed = (problem: string, lastWords?: string) =>
      errors.push({
        source: candidate.source,
        path,
        attempt,
        problem,
        ...(lastWords && { last_words: lastWords.slice(-500) }),
      })

    let host: LaunchedHost
    try {
      host = await deps.launch(candidate)
    } catch (cause) {
      failed(cause instanceof Error ? cause.message : String(cause))
      return null
    }

    deps.log.info('started a host', { pid: host.pid, path })
    const outcome = await untilReady(deps, host, signal)

    switch (outcome.at) {
      case 'ready':
        return { connection: outcome.connection, launchedPid: outcome.endedBefore ? null : host.pid }
      case 'ended':
        failed(`ended with ${outcome.code ?? outcome.signal} before it was ready`, outcome.lastWords)
        // Held by one that is just ending, or two started at once: that may pass.
        if (outcome.code !== HELD_EXIT_CODE) return null
        break
      case 'late':
        await host.terminate()
        failed(`was not ready within ${deps.spawnTimeoutMs} ms and was ended`)
        return null
      case 'wrong':
        await host.terminate()
        failed(outcome.problem)
        return null
      case 'aborted':
        // Whoever asked has gone; a host that starts all the same harms nobody and ends when idle.
        throw new DialError('aborted', 'The call was given up.')
    }
  }
  return null
}

type HostReadiness<C> =
  | { at: 'ready'; connection: C; endedBefore: boolean }
  | { at: 'ended'; code: number | null; signal: string | null; lastWords: string }
  | { at: 'late' }
  | { at: 'wrong'; problem: string }
  | { at: 'aborted' }

/** Dials until the host has answered our hello, has ended, or its time is up. */
async function untilReady<C>(deps: ReachDeps<C>, host: LaunchedHost, signal: AbortSignal): Promise<HostReadiness<C>> {
  const until = deps.clock.elapsed() + deps.spawnTimeoutMs
  let ended: Awaited<LaunchedHost['ended']> | null = null
  void host.ended.then(end => {
    ended = end
  })

  for (;;) {
    // Read before dialling: of two hosts started at once the loser ends, and the winner is there to be found.
    const over = ended as Awaited<LaunchedHost['ended']> | null
    const there = await tryDial(deps, signal)
    if ('connection' in there) return { at: 'ready', connection: there.connection, endedBefore: over !== null }
    if (there.problem === 'aborted') return { at: 'aborted' }

    // One that cannot start hangs up on us first and says why right after.
    if (there.problem === 'cut' && ended === null)
      await Promise.race([host.ended, pause(deps.clock, LAST_WORDS_WITHIN_MS, signal)])
    const gone = ended as Awaited<LaunchedHost['ended']> | null
    if (there.problem === 'cut' && gone) return { at: 'ended', ...gone }
    if (there.problem === 'wrong_key' || there.problem === 'cut' || there.problem === 'version')
      return { at: 'wrong', problem: there.error.message }

    if (over) return { at: 'ended', ...over }
    if (deps.clock.elapsed() >= until) return { at: 'late' }
    await pause(deps.clock, LOOK_EVERY_MS, signal)
  }
}

interface NotDialled {
  readonly problem: DialError['problem'] | 'lost' | 'version'
  readonly error: Error
}

async function tryDial<C>(deps: ReachDeps<C>, signal: AbortSignal): Promise<{ connection: C } | NotDialled> {
  try {
    return { connection: await deps.greet(await deps.dial(signal)) }
  } catch (error) {
    if (error instanceof DialError) return { problem: error.problem, error }
    if (error instanceof LinkLost) return { problem: 'lost', error }
    if (error instanceof TermError) return { problem: error.code === 'PM_TERM_TIMEOUT' ? 'timeout' : 'version', error }
    throw error
  }
}

/** Somebody is there, but it is not a host we can talk to. Starting another one would not change that. */
function cannotTalk<C>(deps: ReachDeps<C>, { problem, error }: NotDialled): Error {
  if (error instanceof TermError || problem === 'aborted') return error
  const details = { lane: 'host_bridge_local', attempted: [deps.address], problem }
  if (problem === 'timeout' || problem === 'late')
    return new TermError('PM_TERM_TIMEOUT', `${error.message} Nothing ran.`, {
      details: { ...details, phase: 'handshake' },
      cause: error,
    })
  return nobodyReached(
    problem === 'wrong_key' || problem === 'cut'
      ? `What listens on ${deps.address} does not hold this person's key: another program, or a host with another PM_TERM_HOME. End it, or choose another port.`
      : error.message,
    details,
  )
}

export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const life = new Disposables()
    const done = () => {
      life.dispose()
      resolve()
    }
    life.add(clock.after(ms, done))
    life.add(onAbort(signal, done))
  })
}
