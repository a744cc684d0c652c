import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { forkedChildren } from '../base/process/forked-children.ts'
import { SERVER_FINAL_GRACE_MS } from '../base/process/grace.ts'
import { processTable } from '../base/process/process-table.ts'
import { spawnedChildren } from '../base/process/spawner-keeper.ts'
import { Watchers } from '../base/watchers.ts'
import { jailsHere } from '../cli/machine/jails-here.ts'
import { worldOf } from '../cli/machine/world.ts'
import { believedHere } from '../cli/person/believed-here.ts'
import { secretFiles } from '../config/secret-files.ts'
import type { Configuration } from '../config/settings.ts'
import { HeadlessLane } from '../mcp/headless/headless-lane.ts'
import type { Whereabouts } from '../mcp/host-link/lane.ts'
import { openHostLane, type ServerSelf } from '../mcp/host-link/open-host-lane.ts'
import { RunResources } from '../mcp/resources/run-resources.ts'
import type { ToolAnswer, ToolCall } from '../mcp/server/mcp-server.ts'
import type { ResourceFront } from '../mcp/server/resource-front.ts'
import { RunLooks } from '../mcp/tools/run-looks.ts'
import { RunTools } from '../mcp/tools/run-tools.ts'
import { tools } from '../mcp/tools/tools.ts'
import { RuleFiles } from '../policy/files/rule-files.ts'
import { TryFirst } from '../runs/jail/try-first.ts'
import { sealKey } from '../runs/receipt/receipt-seal.ts'
import { RunRegistry } from '../runs/run/run-registry.ts'
import { ownSecrets } from '../runs/secrets/own-secrets.ts'
import { Redactor } from '../runs/secrets/redactor.ts'
import { startEviction } from '../runs/store/eviction.ts'
import { RunStore } from '../runs/store/run-store.ts'
import { ownSpawner } from './own-spawner.ts'

export { reportChangedBundle } from '../cli/machine/check-bundle.ts'
export { whereabouts } from '../cli/machine/whereabouts.ts'

/** Everything behind the protocol: loaded after the client has seen the tools, before it calls one. */
export interface Engine {
  call(call: ToolCall): Promise<ToolAnswer>
  readonly resources: ResourceFront
  /** The client of this MCP session is gone: its questions are withdrawn, and what it started headless ends. */
  askerGone(session: string): void
  /** Ends everything it started. */
  end(): Promise<void>
  endAtOnce(): void
}

const MB = 1024 * 1024
const OVER_BUDGET_SHARE = 1 / 8
const RECONCILE_AFTER_MS = 250

export function openEngine(configuration: Configuration, log: Log, self: ServerSelf, place: Whereabouts): Engine {
  const { settings, paths } = configuration
  const clock = systemClock
  const ids = randomIds()
  const { platform, pid } = process
  const table = processTable(platform)

  const believed = believedHere(configuration, { clock, ids, log, version: self.version })
  const { decisions } = believed
  const agreed = (program: string) => decisions.valueOf('programs', program)
  const opened = new Watchers<[id: string]>()
  const onOpened = (id: string) => opened.notify(id)
  const host = openHostLane(configuration, { clock, ids, log, self, place, agreed, onOpened })

  const killer = { table, platform, clock }
  const serverId = ids.make('srv')
  const store = new RunStore({
    stateDir: paths.stateDir,
    serverId,
    now: clock.now,
    filesPerRun: 2,
    marksAreSeen: platform === 'linux',
    onKept: () => eviction.grown(),
  })
  const registry = new RunRegistry({
    lane: 'headless',
    store,
    clock,
    log,
    killer,
    server: { id: serverId, pid, start: table.row(pid)?.start ?? null, version: self.version },
    quotaBytes: settings.PM_TERM_OUTPUT_QUOTA_MB * MB,
    graceMs: settings.PM_TERM_KILL_GRACE_MS,
  })
  const ruleFiles = new RuleFiles({ dataDir: paths.dataDir, now: clock.now, decisions })
  const world = worldOf(paths)
  const spawner = ownSpawner(settings.PM_TERM_SPAWNER, { clock, log })
  const starter = spawnedChildren(spawner, forkedChildren)
  const headless = new HeadlessLane({
    tries: new TryFirst(jailsHere(paths)),
    clock,
    log,
    settings,
    registry,
    store,
    ruleFiles,
    table,
    starter,
    world,
    onOpened,
  })

  const limits = { retentionDays: settings.PM_TERM_RETENTION_DAYS, totalBytes: settings.PM_TERM_OUTPUT_TOTAL_MB * MB }
  const eviction = startEviction(clock, {
    get overBudget() {
      return store.keptBytes > limits.totalBytes * OVER_BUDGET_SHARE
    },
    evict: () => store.evict(limits).catch((cause: unknown) => log.warn('old runs could not be let go', { cause })),
  })
  // What earlier servers left is read when nobody waits for it: every question about it looks by itself.
  clock.after(RECONCILE_AFTER_MS, () => void store.catchUp().then(() => registry.reconcile()))
  // A client may never run anything: then there is no second process. Its file is read while nobody waits.
  setImmediate(() => spawner.look())

  const redactor = new Redactor({ shapes: settings.PM_TERM_REDACT, own: ownSecrets(secretFiles(configuration), clock) })
  const runs = new RunTools({ clock, log, settings, registry, redactor, headless, host: host.hosts })
  // In a container two machines are spoken to, and a ~ may be meant for either.
  const home = place.container.inContainer === 'yes' ? null : (world.env.HOME ?? null)
  const parts = { clock, log, ids, settings, registry, redactor, headless, host: host.hosts, place, home }
  const answer = tools(parts, runs)
  const looks = new RunLooks({
    ...{ clock, registry, store, host: host.hosts, version: self.version },
    sealKey: () => sealKey(paths.receiptKeyFile),
  })
  return {
    // Nothing is judged by what a person may have decided meanwhile.
    call: call => believed.fresh()?.then(() => answer(call)) ?? answer(call),
    resources: new RunResources({ clock, ids, tools: runs, looks, opened }),
    askerGone(session) {
      host.hosts.askerGone(session)
      headless.stopAllOf(session, 'cancelled')
    },
    async end() {
      eviction.dispose()
      host.close()
      await registry.endAll(Math.min(settings.PM_TERM_KILL_GRACE_MS, SERVER_FINAL_GRACE_MS))
      spawner.dispose()
      store.close()
    },
    endAtOnce: () => registry.endAllAtOnce(),
  }
}
