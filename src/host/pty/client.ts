import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import type { ApproverRecord } from '../../base/keys/approver-key.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import { type FoundPty, type PtyCommand, type PtyProcess, PtyStartLost } from '../../base/process/pty.ts'
import { FromPtyHost, type KnownPty, PTY_PROTOCOL_VERSION, type ToPtyHost } from '../../contract/wire/pty-frames.ts'
import { RemotePty } from './remote-pty.ts'

export interface ClientDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly hostId: string
  readonly heartbeatMs: number
  /** The public half of the passphrase that counts. */
  readonly approver: () => ApproverRecord | null
}

interface PendingStart {
  readonly command: PtyCommand
  readonly onGrown: () => void
  readonly at: number
  readonly resolve: (pty: PtyProcess) => void
  readonly reject: (cause: Error) => void
}

const HELLO_WITHIN_MS = 5000
const FORGET_WITHIN_MS = 100

/** Speaks with one pty-host, over one connection after another. What runs there is known here until it has ended. */
export class PtyHostClient {
  readonly #deps: ClientDeps
  readonly #ptys = new Map<string, RemotePty>()
  readonly #starting = new Map<string, PendingStart>()
  /** Their ends are written down here, and pty-host does not know it yet. */
  readonly #forgotten = new Set<string>()
  /** Of this process alone: pty-host knows it again by it. */
  readonly #token = randomBytes(32).toString('hex')
  #locked = false
  #probes = false
  #countsInput = false
  #nonce: string | null = null
  #link: Link | null = null
  #owner: PtyProcess['owner'] = null

  constructor(deps: ClientDeps) {
    this.#deps = deps
  }

  get connected(): boolean {
    return this.#link?.open === true
  }

  /** Says hello and hears of everything that is there. Resolves with what this host did not know of. Rejects when refused. */
  async meet(link: Link, onClose: (reason: string) => void): Promise<readonly FoundPty[]> {
    const known: KnownPty[] = []
    const life = new Disposables()
    const alive = keepAlive(link, { clock: this.#deps.clock, intervalMs: this.#deps.heartbeatMs })

    const ack = await new Promise<Extract<FromPtyHost, { type: 'hello_ack' }>>((resolve, reject) => {
      let greeted = false
      life.add(this.#deps.clock.after(HELLO_WITHIN_MS, () => link.close('pty-host did not answer the hello')))
      link.onClose(reason => {
        alive.dispose()
        if (greeted) onClose(reason)
        else reject(new Error(reason))
      })

      link.onFrame(raw => {
        alive.received()
        const frame = FromPtyHost.safeParse(raw).data
        if (frame === undefined) link.close('pty-host sent a frame we do not know')
        else if (greeted) this.#receive(frame)
        else if (frame.type === 'pty') known.push(frame)
        else if (frame.type === 'refused') link.close(frame.reason)
        else if (frame.type === 'hello_ack') {
          greeted = true
          resolve(frame)
        }
      })

      const { hostId: host_id } = this.#deps
      const self = { host_id, host_pid: process.pid, token: this.#token, approver: this.#deps.approver() }
      link.send({ type: 'hello', protocol_version: PTY_PROTOCOL_VERSION, ...self })
    }).finally(() => life.dispose())

    this.#link = link
    this.#owner = { pid: ack.pid, start: ack.start }
    this.#locked = ack.locked
    this.#nonce = ack.nonce
    this.#probes = ack.probes
    this.#countsInput = ack.counts_input
    return this.#settle(known)
  }

  /** What a challenge has to begin with, so that its answer proves the person to pty-host as well; null: it needs no proof. */
  get locked(): { readonly nonce: string } | null {
    return this.#locked && this.#nonce !== null ? { nonce: this.#nonce } : null
  }

  /** A person has signed it. pty-host looks for itself. */
  unlock(proof: { readonly nonce: string; readonly binding: string; readonly signature: string }): void {
    if (this.#link?.send({ type: 'unlock', ...proof })) this.#locked = false
  }

  /** Another passphrase counts now. */
  trust(): void {
    this.#link?.send({ type: 'trust', approver: this.#deps.approver() })
  }

  start(command: PtyCommand, onGrown: () => void): Promise<PtyProcess> {
    const ptyId = this.#deps.ids.make('pty')
    const { runId: run_id, terminalId: terminal_id, args, env, log, ...same } = command
    const frame: ToPtyHost = {
      type: 'create',
      pty_id: ptyId,
      ...same,
      run_id,
      terminal_id,
      args: [...args],
      env: { ...env },
      log: { directory: log.directory, quota_bytes: log.quotaBytes },
    }

    return new Promise((resolve, reject) => {
      // Not sent, or too long to be sent: nothing ran.
      if (!this.#link?.send(frame)) return reject(new Error('pty-host is not connected.'))
      this.#starting.set(ptyId, { command, onGrown, at: this.#deps.clock.now(), resolve, reject })
    })
  }

  /** pty-host is gone for good, and everything it owned with it. */
  lost(): void {
    this.#link = null
    for (const pty of this.#ptys.values()) pty.lost()
    this.#ptys.clear()
    this.#forgotten.clear()
    for (const { reject } of this.#starting.values())
      reject(new PtyStartLost('pty-host died while it was starting the command.'))
    this.#starting.clear()
  }

  /** Resolves when the connection has ended. */
  end(graceMs: number): Promise<void> {
    const link = this.#link
    if (!link?.open) return Promise.resolve()
    return new Promise(resolve => {
      link.onClose(() => resolve())
      link.send({ type: 'end', grace_ms: graceMs })
    })
  }

  /** Whatever was true while nobody was connected is true now. */
  #settle(known: readonly KnownPty[]): readonly FoundPty[] {
    const there = new Map(known.map(each => [each.pty_id, each]))
    for (const [ptyId, pty] of this.#ptys) {
      const now = there.get(ptyId)
      if (now) pty.reconnected(now)
      else {
        this.#ptys.delete(ptyId)
        pty.lost()
      }
    }
    for (const [ptyId, starting] of this.#starting) {
      const now = there.get(ptyId)
      if (now) this.#started(ptyId, starting, now)
      else {
        this.#starting.delete(ptyId)
        starting.reject(new Error('pty-host was not reached. Nothing ran.'))
      }
    }
    const found = known.filter(({ pty_id }) => !this.#ptys.has(pty_id) && !this.#forgotten.has(pty_id))
    this.#reportForgotten()
    return found.map(each => {
      const pty = this.#add(each, true)
      if (each.ended) pty.reconnected(each)
      return pty
    })
  }

  #receive(frame: FromPtyHost): void {
    switch (frame.type) {
      case 'created':
      case 'not_created': {
        const starting = this.#starting.get(frame.pty_id)
        this.#starting.delete(frame.pty_id)
        if (frame.type === 'not_created') starting?.reject(new Error(frame.problem))
        else if (starting) this.#started(frame.pty_id, starting, frame)
        break
      }

      case 'grown':
        for (const each of frame.ptys) this.#ptys.get(each.pty_id)?.grown(each)
        break
      case 'ended':
      case 'killed':
      case 'input_taken':
      case 'probed':
        this.#ptys.get(frame.pty_id)?.receive(frame)
        break

      case 'unlocked':
        this.#locked = !frame.right
        if (!frame.right) this.#deps.log.warn('pty-host did not take a passphrase for that of the person')
        break

      case 'pty':
      case 'hello_ack':
      case 'refused':
      case 'heartbeat':
        break
    }
  }

  #started(ptyId: string, starting: PendingStart, there: { pid: number; start: string | null } | KnownPty): void {
    this.#starting.delete(ptyId)
    const { requester, runId: run_id, terminalId: terminal_id } = starting.command
    const fresh = { type: 'pty', size: 0, lost: 0, ended: null, started_at: starting.at } as const
    const known: KnownPty = { ...fresh, ...there, pty_id: ptyId, requester, run_id, terminal_id, type: 'pty' }
    const pty = this.#add(known)
    // What comes at once with it is reported when whoever started it knows that it runs.
    let early = false
    pty.onGrown(() => {
      early = true
    })
    setImmediate(() => {
      pty.onGrown(starting.onGrown)
      if (early) starting.onGrown()
    })
    starting.resolve(pty)
    if (known.ended) pty.reconnected(known)
  }

  /** Nobody waits for it: those of a while are sent together. */
  #forget(ptyId: string): void {
    this.#ptys.delete(ptyId)
    this.#forgotten.add(ptyId)
    if (this.#forgotten.size === 1) this.#deps.clock.after(FORGET_WITHIN_MS, () => this.#reportForgotten())
  }

  /** What was not sent on this connection is sent on the next. */
  #reportForgotten(): void {
    if (this.#forgotten.size === 0) return
    if (this.#link?.send({ type: 'forget', pty_ids: [...this.#forgotten] })) this.#forgotten.clear()
  }

  #add(known: KnownPty, older = false): RemotePty {
    const pty = new RemotePty(known, {
      owner: this.#owner,
      locked: () => older && this.#locked,
      probes: () => this.#probes,
      countsInput: () => this.#countsInput,
      send: frame => void this.#link?.send(frame),
      onForget: () => this.#forget(known.pty_id),
    })
    this.#ptys.set(known.pty_id, pty)
    return pty
  }
}
