import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { ptyHostSeal } from '../base/keys/pty-host-seal.ts'
import type { Link } from '../base/link/link.ts'
import { listenPsk } from '../base/link/psk-socket.ts'
import type { Log } from '../base/log.ts'
import { LogBudget } from '../base/output/log-budget.ts'
import type { TreeKillerDeps } from '../base/process/kill-tree.ts'
import { isInsideRun } from '../base/process/peer-process.ts'
import type { PtyHostFile, PtyHostOrders } from '../contract/wire/pty-frames.ts'
import { CarryPipes } from './carry-pipes.ts'
import { HostSession } from './host-session.ts'
import type { StartPty } from './lossless-pty.ts'
import { leaveEnds } from './orphan-results.ts'
import { PtyTable } from './pty-table.ts'
import { Succession } from './succession.ts'

export interface PtyHostDeps {
  readonly orders: PtyHostOrders
  readonly clock: Clock
  readonly log: Log
  readonly killer: TreeKillerDeps
  readonly start: StartPty
  readonly self: {
    readonly pid: number
    readonly start: string | null
    readonly boot: string | null
    readonly version: string
  }
  /** Nothing is left to do, and nothing of what was started is left. */
  readonly onOver: (why: string) => void
}

export interface PtyHost {
  readonly port: number
  /** Ends every tree, then it is over. */
  end(why: string, graceMs: number): Promise<void>
  /** Whoever started it has died: without a host it never was of use to anybody. */
  abandoned(): void
  /** Nobody will see how its commands end: what is left of them is ended at once, and it is for the host to say that they are lost. */
  blind(): void
}

/** Who connects is a host, and holds the key. Frames come as fast as a hundred terminals need them. */
const LIMITS = { linksPerIdentity: 8, burst: 20_000, framesPerSecond: 10_000 }
/** Nobody needs an owner of no terminals: a host starts another one in no time. */
const LONGEST_IDLE_ORPHAN_MS = 5000

/**
 * Owns terminals for one host at a time, and outlives it: while no host is connected, commands run on and their output is
 * written down. When none has come back in time, every tree ends, and pty-host with them.
 */
export async function openPtyHost(deps: PtyHostDeps): Promise<PtyHost> {
  const { orders, clock, log, killer, self, start } = deps
  const key = Buffer.from(orders.key, 'hex')
  const instanceId = orders.instance_id
  let session: HostSession | null = null
  let orphaned: Disposable = { dispose() {} }
  let ending: Promise<void> | null = null
  let met = false
  const succession = new Succession()
  const pipes = new CarryPipes(join(dirname(orders.file), 'pipes'))
  const table = new PtyTable({
    clock,
    killer,
    start,
    budget: new LogBudget(orders.total_bytes),
    pipes,
    onGrown: pty => session?.grown(pty),
    onEnded: (pty, exit) => session?.ended(pty, exit),
    onTaken: (pty, bytes) => session?.taken(pty, bytes),
  })
  const listener = await listenPsk({
    host: '127.0.0.1',
    port: orders.port,
    clock,
    keyFor: identity => (identity === 'host' ? key : null),
    onLink: (link, peer) => admit(link, peer.port),
    refusal: most => ({ type: 'refused', reason: `${most} hosts are connected already.` }),
    limits: LIMITS,
  })
  alone()
  return { port: listener.port, end, abandoned, blind: () => table.endAllAtOnce() }

  function admit(link: Link, peerPort: number): void {
    const reason = whyNot(peerPort)
    if (reason !== null) {
      log.warn('a host was refused', { reason })
      link.send({ type: 'refused', reason })
      link.close(reason)
      return
    }
    orphaned.dispose()
    const onEnd = (graceMs: number) => void end('the host ended it', graceMs)
    const onHello = () => {
      // Before anything is started here: from now on the next host must find this one, and no other.
      const said = { instance_id: instanceId, ...self, port: listener.port }
      const file: PtyHostFile = { ...said, seal: ptyHostSeal(key, said) }
      if (!met) writeAtomically(orders.file, `${JSON.stringify(file, null, 2)}\n`)
      met = true
    }
    const here = { instanceId, ...self }
    const heartbeatMs = orders.heartbeat_ms
    session = new HostSession({ table, succession, clock, log, heartbeatMs, self: here, onHello, onEnd }, link)
    log.info('a host is connected', { terminals: table.running.length })
    link.onClose(why => {
      log.info('the host is gone', { why, terminals: table.running.length })
      alone()
    })
  }

  function whyNot(peerPort: number): string | null {
    if (ending) return 'This pty-host ends.'
    if (session?.open) return 'Another host is connected.'
    // A command could read the key of whoever it runs for: it gets no say over other terminals all the same.
    return isInsideRun(peerPort, process.platform) ? 'A command that runs here is no host.' : null
  }

  function abandoned(): void {
    if (!met) void end('the host that started it is gone', 0)
  }

  function alone(): void {
    const idle = table.all.length === 0
    const waitMs = idle ? Math.min(LONGEST_IDLE_ORPHAN_MS, orders.orphan_grace_ms) : orders.orphan_grace_ms
    orphaned = clock.after(waitMs, () => void end('no host came back', orders.kill_grace_ms))
  }

  function end(why: string, graceMs: number): Promise<void> {
    ending ??= (async () => {
      log.info('pty-host ends', { why, terminals: table.running.length })
      orphaned.dispose()
      const killed = new Set(table.running)
      try {
        await table.endAll(graceMs)
        await Promise.all([...killed].map(pty => pty.ended))
      } catch (cause) {
        log.error('ending what was started failed', { cause })
        table.endAllAtOnce()
      }
      if (!session?.open) leaveEnds(table.all, killed, log)
      pipes.dispose()
      if (met) rmSync(orders.file, { force: true })
      await listener.close()
      deps.onOver(why)
    })()
    return ending
  }
}
