import { systemClock } from '../base/clock.ts'
import { jsonLog } from '../base/log.ts'
import { onDebuggerAsked } from '../base/process/no-debugger.ts'
import { bootId, processTable } from '../base/process/process-table.ts'
import { collectWhenSettled, forgetOwnNodeEnv } from '../base/process/small-node.ts'
import { PtyHostOrders } from '../contract/wire/pty-frames.ts'
import { ownPtys } from '../pty-host/lossless-pty.ts'
import { openPtyHost } from '../pty-host/pty-host-server.ts'
import { spawnedPtys } from '../pty-host/spawned-pty.ts'
import { toStderr } from './log-place.ts'
import { ownSpawner } from './own-spawner.ts'

declare const __VERSION__: string

const ORDERS_WITHIN_MS = 10_000
const LONGEST_ORDERS = 64 * 1024

/** `interactive-terminal pty-host`: a bundle of its own, because a small process starts others faster. */
async function main(): Promise<void> {
  forgetOwnNodeEnv(process.env)
  const { pid, platform } = process
  const log = jsonLog({ level: 'info', write: toStderr, now: systemClock.now })
  const table = processTable(platform)

  const orders = PtyHostOrders.parse(JSON.parse(await firstLine()))
  const spawner = ownSpawner(orders.spawner, { clock: systemClock, log, onLost: running => blind(running) })
  const host = await openPtyHost({
    orders,
    clock: systemClock,
    log,
    start: spawnedPtys(spawner, ownPtys(systemClock), log),
    killer: { table, platform, clock: systemClock },
    self: { pid, start: table.row(pid)?.start ?? null, boot: bootId(platform), version: __VERSION__ },
    onOver: () => process.exit(0),
  })

  setImmediate(() => spawner.look())
  collectWhenSettled(systemClock)
  // How they ended nobody saw. The host says so of everything whose owner has died, so this one dies.
  const blind = (running: number) => {
    if (running === 0) return
    host.blind()
    process.exit(3)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void host.end(signal, orders.kill_grace_ms))
  // Its terminal, if it ever had one, is none of its business.
  process.on('SIGHUP', () => {})
  onDebuggerAsked(systemClock.elapsed, message => log.warn(message))
  // Whatever fails here, it fails for one terminal: the others are not ended for it.
  process.on('uncaughtException', cause => log.error('uncaught', { cause }))
  process.on('unhandledRejection', cause => log.error('unhandled', { cause }))
  // Timers do not keep the process alive by themselves.
  setInterval(() => {}, 60_000)
  process.stdout.on('error', () => host.abandoned())
  process.stdout.write(`${JSON.stringify({ port: host.port })}\n`)
  log.info('pty-host is ready', { instance_id: orders.instance_id, port: host.port, pid })
}

/** What the host that started us wants. Without it there is nothing to do: nobody starts this by hand. */
function firstLine(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const give = (problem: string) => reject(new Error(problem))
    const late = setTimeout(give, ORDERS_WITHIN_MS, 'pty-host is started by the host, which tells it what to do.')
    process.stdin.setEncoding('utf8')
    process.stdin.on('data', chunk => {
      text += chunk
      const end = text.indexOf('\n')
      if (end < 0 && text.length < LONGEST_ORDERS) return
      clearTimeout(late)
      process.stdin.destroy()
      if (end < 0) give('that is no order')
      else resolve(text.slice(0, end))
    })
    process.stdin.once('end', () => give('pty-host is started by the host, which tells it what to do.'))
  })
}

main().catch((cause: unknown) => {
  const { code, message } = cause as NodeJS.ErrnoException
  process.stderr.write(`${code === undefined ? '' : `${code} `}${message}\n`)
  process.exit(2)
})
