import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import { PTY_HOST_GONE_WITHIN_MS } from '../../base/process/grace.ts'
import type { FoundPty, PtyCommand, PtyOwner, PtyProcess, PtyState, PtySuccession } from '../../base/process/pty.ts'
import { Watchers } from '../../base/watchers.ts'
import type { PtyHostClient } from './client.ts'
import type { LivePtyHost, PtyHostLauncher } from './launcher.ts'

export interface KeeperDeps {
  readonly clock: Clock
  readonly log: Log
  readonly launcher: Pick<PtyHostLauncher, 'find' | 'launch' | 'dial' | 'terminate' | 'isAlive'>
  readonly client: PtyHostClient
  /** Called for every pty-host that begins or ends. */
  readonly record: (what: 'pty_host_started' | 'pty_host_lost', body: Readonly<Record<string, unknown>>) => void
}

const MOST_RESTARTS = 5
const RESTARTS_WITHIN_MS = 60_000
const RECONNECT_EVERY_MS = 50
const RECONNECT_WITHIN_MS = 5000

/**
 * Keeps a pty-host there for this host: takes the one an earlier host left, or starts one; connects again when the
 * connection breaks; when it died says so to everybody whose command it ran, and starts another, though not for ever.
 */
export class PtyHostKeeper implements PtyOwner {
  readonly health = { now: () => this.#state, watch: (watcher: (state: PtyState) => void) => this.#watch(watcher) }
  readonly succession: PtySuccession
  readonly #deps: KeeperDeps
  readonly #watchers = new Watchers<[state: PtyState]>()
  readonly #restartedAt: number[] = []
  #state: PtyState = { at: 'starting', restarts: 0 }
  #restarts = 0
  #ready: Promise<void> | null = null
  #found: FoundPty[] = []
  #pty: LivePtyHost | null = null
  #over = false

  constructor(deps: KeeperDeps) {
    this.#deps = deps
    this.succession = deps.client
  }

  async takeBack(): Promise<readonly FoundPty[]> {
    const left = this.#deps.launcher.find()
    this.#begin(left)
    // Only what an earlier host left is waited for: a new one has nothing to report.
    if (left) await this.#ready?.catch(() => {})
    return this.#found.splice(0)
  }

  async ready(): Promise<void> {
    if (this.#state.at === 'down') this.#begin(this.#deps.launcher.find())
    await this.#ready
  }

  async start(command: PtyCommand, onGrown: () => void): Promise<PtyProcess> {
    await this.ready()
    return this.#deps.client.start(command, onGrown)
  }

  async end(graceMs: number): Promise<void> {
    this.#over = true
    const { client, clock, launcher } = this.#deps
    const late = new Promise<void>(resolve => void clock.after(graceMs + PTY_HOST_GONE_WITHIN_MS, resolve))
    await Promise.race([this.#ready?.catch(() => {}), late])
    await Promise.race([client.end(graceMs), late])
    if (!client.connected || !this.#pty) return
    launcher.terminate(this.#pty)
    client.lost()
  }

  #begin(left: LivePtyHost | null): void {
    this.#ready = left ? this.#meetAgain(left) : this.#launch()
    this.#ready.catch(() => {}) // whoever starts something hears it
  }

  async #launch(): Promise<void> {
    const { launcher, clock, log, record } = this.#deps
    const soon = this.#restartedAt.filter(at => clock.elapsed() - at < RESTARTS_WITHIN_MS)
    this.#restartedAt.splice(0, Number.POSITIVE_INFINITY, ...soon)
    try {
      if (soon.length > MOST_RESTARTS)
        throw new Error(`pty-host ended ${soon.length} times within a minute. See pty-host.log.`)
      this.#restartedAt.push(clock.elapsed())
      this.#notify({ at: 'starting', restarts: this.#restarts })
      const pty = await launcher.launch()
      // Before anything is started there: a later host reads from it who could have been sent a command.
      record('pty_host_started', { instance_id: pty.instance_id, pid: pty.pid })
      const link = await launcher.dial(pty, AbortSignal.timeout(RECONNECT_WITHIN_MS))
      await this.#meet(pty, link)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      log.error('there is no pty-host', { why })
      this.#notify({ at: 'down', why, restarts: this.#restarts })
      throw new Error(`The process that owns the terminals cannot be started: ${why}`)
    }
  }

  /** It was there before: the connection broke, or an earlier host left it. */
  async #meetAgain(pty: LivePtyHost): Promise<void> {
    const { launcher, clock, log } = this.#deps
    const until = clock.elapsed() + RECONNECT_WITHIN_MS
    this.#notify({ at: 'starting', restarts: this.#restarts })
    while (launcher.isAlive(pty) && clock.elapsed() < until) {
      try {
        const link = await launcher.dial(pty, AbortSignal.timeout(RECONNECT_WITHIN_MS))
        await this.#meet(pty, link)
        return
      } catch (cause) {
        log.warn('pty-host was not reached', { cause })
        await pause(clock)
      }
    }
    await this.#replace(pty)
  }

  async #meet(pty: LivePtyHost, link: Link): Promise<void> {
    this.#pty = pty
    this.#found.push(...(await this.#deps.client.meet(link, reason => this.#linkEnded(pty, reason))))
    this.#notify({ at: 'up', pid: pty.pid, restarts: this.#restarts })
  }

  #linkEnded(pty: LivePtyHost, reason: string): void {
    if (this.#over) return
    this.#deps.log.warn('the connection to pty-host ended', { reason })
    this.#begin(pty)
  }

  /** It died, or does not answer: what it ran is lost, and another one is started. */
  async #replace(pty: LivePtyHost): Promise<void> {
    const { launcher, client, log, record, clock } = this.#deps
    launcher.terminate(pty)
    const until = clock.elapsed() + PTY_HOST_GONE_WITHIN_MS
    // Its port is free only when it is gone.
    while (launcher.isAlive(pty) && clock.elapsed() < until) await pause(clock)
    log.error('pty-host is lost, and what ran in it', { pid: pty.pid })
    this.#restarts += 1
    client.lost()
    record('pty_host_lost', { instance_id: pty.instance_id, pid: pty.pid })
    await this.#launch()
  }

  #notify(state: PtyState): void {
    this.#state = state
    this.#watchers.notify(state)
  }

  #watch(watcher: (state: PtyState) => void): Disposable {
    return this.#watchers.add(watcher)
  }
}

const pause = (clock: Clock): Promise<void> => new Promise(resolve => void clock.after(RECONNECT_EVERY_MS, resolve))
