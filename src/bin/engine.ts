import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { processTable } from '../base/process/process-table.ts'
import { worldOf } from '../cli/machine/world.ts'
import { believedHere } from '../cli/person/believed-here.ts'
import type { Configuration } from '../config/settings.ts'
import { HeadlessLane } from '../mcp/headless/headless-lane.ts'
import type { Whereabouts } from '../mcp/host-link/lane.ts'
import type { ToolAnswer, ToolCall } from '../mcp/server/mcp-server.ts'
import { tools } from '../mcp/tools/tools.ts'
import { RuleFiles } from '../policy/files/rule-files.ts'
import { RunRegistry } from '../runs/run/run-registry.ts'
import { RunStore } from '../runs/store/run-store.ts'
import { openHostLane, type ServerSelf } from './open-host-lane.ts'

export { tellChangedBundle } from '../cli/machine/check-bundle.ts'
export { whereabouts } from '../cli/machine/whereabouts.ts'

/** Everything behind the protocol: loaded after the client has seen the tools, before it calls one. */
export interface Engine {
  call(call: ToolCall): Promise<ToolAnswer>
  /** The client of this MCP session is gone: its questions are withdrawn, and what it started headless ends. */
  askerGone(session: string): void
  /** Ends everything it started. */
  end(): Promise<void>
  endAtOnce(): void
}

const MB = 1024 * 1024
const EVICT_FIRST_MS = 5000
const EVICT_EVERY_MS = 15 * 60_000
// Clients that close stdin force the server's end 2 s later: the children must be gone by then.
const LONGEST_FINAL_GRACE_MS = 500

export function openEngine(configuration: Configuration, log: Log, self: ServerSelf, place: Whereabouts): Engine {
  const { settings, paths } = configuration
  const clock = systemClock
  const ids = randomIds()
  const { platform, pid } = process
  const table = processTable(platform)

  const believed = believedHere(configuration, { clock, ids, log, version: self.version })
  const { decisions } = believed
  const agreed = (program: string) => decisions.valueOf('programs', program)
  const host = openHostLane(configuration, { clock, ids, log, self, place, agreed })

  const killer = { table, platform, clock }
  const serverId = ids.make('srv')
  const store = new RunStore({ stateDir: paths.stateDir, serverId, now: clock.now, filesPerRun: 2 })
  const registry = new RunRegistry({
    lane: 'headless',
    store,
    clock,
    log,
    killer,
    server: { id: serverId, pid, start: table.row(pid)?.start ?? null },
    quotaBytes: settings.PM_TERM_OUTPUT_QUOTA_MB * MB,
    graceMs: settings.PM_TERM_KILL_GRACE_MS,
  })
  const ruleFiles = new RuleFiles({ dataDir: paths.dataDir, now: clock.now, decisions })
  const world = worldOf(paths)
  const headless = new HeadlessLane({ clock, log, settings, registry, store, ruleFiles, table, world })

  registry.reconcile()
  const limits = { retentionDays: settings.PM_TERM_RETENTION_DAYS, totalBytes: settings.PM_TERM_OUTPUT_TOTAL_MB * MB }
  const evict = async () => {
    await store.evict(limits).catch((cause: unknown) => log.warn('old runs could not be let go', { cause }))
    clock.after(EVICT_EVERY_MS, () => void evict())
  }
  clock.after(EVICT_FIRST_MS, () => void evict())

  const answer = tools({ clock, log, ids, settings, registry, headless, host: host.hosts, place })
  return {
    // Nothing is judged by what a person may have decided meanwhile.
    call: call => believed.fresh()?.then(() => answer(call)) ?? answer(call),
    askerGone(session) {
      host.hosts.askerGone(session)
      headless.stopAllOf(session, 'cancelled')
    },
    async end() {
      host.close()
      await registry.endAll(Math.min(settings.PM_TERM_KILL_GRACE_MS, LONGEST_FINAL_GRACE_MS))
      store.close()
    },
    endAtOnce: () => registry.endAllAtOnce(),
  }
}
