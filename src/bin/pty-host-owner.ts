import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import type { ApproverRecord } from '../base/keys/approver-key.ts'
import type { Log } from '../base/log.ts'
import { LogBudget } from '../base/output/log-budget.ts'
import type { ProcessTable } from '../base/process/process-table.ts'
import type { PtyOwner } from '../base/process/pty.ts'
import { ownNodeEnv, ownNodeFlags } from '../base/process/small-node.ts'
import type { Configuration } from '../config/settings.ts'
import { PtyHostClient } from '../host/pty/client.ts'
import { type KeeperDeps, PtyHostKeeper } from '../host/pty/keeper.ts'
import { PtyHostLauncher } from '../host/pty/launcher.ts'
import { CarryPipes } from '../pty-host/carry-pipes.ts'
import { InProcessPtys } from '../pty-host/in-process-ptys.ts'
import { ownPtys } from '../pty-host/lossless-pty.ts'

const MB = 1024 * 1024

/** Who owns the terminals of a host, as its settings want it. `script`: this product, as it can be started again. */
export function ptyOwner(
  { settings, paths }: Configuration,
  deps: {
    readonly clock: Clock
    readonly ids: Ids
    readonly log: Log
    readonly table: ProcessTable
    readonly script: string
  },
): (host: {
  readonly id: string
  readonly record: KeeperDeps['record']
  readonly approver: () => ApproverRecord | null
}) => PtyOwner {
  const { clock, ids, log, table } = deps
  const { platform } = process
  const totalBytes = settings.PM_TERM_OUTPUT_TOTAL_MB * MB
  const heartbeatMs = settings.PM_TERM_HEARTBEAT_INTERVAL * 1000
  return host => {
    if (settings.PM_TERM_PTY_HOST === 'in_process') {
      const pipes = new CarryPipes(join(paths.stateDir, 'pipes'))
      const budget = new LogBudget(totalBytes)
      const start = ownPtys(clock)
      return new InProcessPtys({ clock, ids, killer: { table, platform, clock }, pipes, budget, start })
    }
    const launcher = new PtyHostLauncher({
      clock,
      ids,
      table,
      program: ownNode(deps.script),
      keyFile: paths.hostKeyFile,
      file: paths.ptyHostFile,
      logFile: paths.ptyHostLogFile,
      orders: {
        port: settings.PM_TERM_PTY_HOST_PORT,
        heartbeat_ms: heartbeatMs,
        orphan_grace_ms: settings.PM_TERM_ORPHAN_GRACE_MS,
        kill_grace_ms: settings.PM_TERM_KILL_GRACE_MS,
        total_bytes: totalBytes,
        spawner: settings.PM_TERM_SPAWNER,
      },
    })
    const client = new PtyHostClient({ clock, ids, log, hostId: host.id, heartbeatMs, approver: host.approver })
    return new PtyHostKeeper({ clock, log, launcher, client, record: host.record })
  }
}

/** How a process of ours is started from this product. */
export const ownNode = (script: string) => ({
  node: process.execPath,
  args: [...ownNodeFlags(), realpathSync(script)],
  env: ownNodeEnv(bareEnv()),
})

/** Nothing: commands bring their own. Windows itself does not work without knowing where it is. */
function bareEnv(): Record<string, string> {
  const { SYSTEMROOT } = process.env
  return process.platform === 'win32' && SYSTEMROOT !== undefined ? { SYSTEMROOT } : {}
}
