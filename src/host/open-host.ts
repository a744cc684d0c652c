import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import { ensureKeyFile } from '../base/key-file.ts'
import type { Link } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import { processTable } from '../base/process-table.ts'
import { listenPsk } from '../base/psk-socket.ts'
import type { PtyHealth, PtyOwner } from '../base/pty.ts'
import type { Configuration } from '../config/settings.ts'
import { RuleFiles } from '../policy/rule-files.ts'
import { openJournal } from '../runs/journal.ts'
import { ApprovalQueue } from './approval-queue.ts'
import { ApproverAdmissions } from './approver-admissions.ts'
import { type Admission, ApproverConnection } from './approver-connection.ts'
import { ApproverRecordFile } from './approver-record.ts'
import { askPerson } from './ask-person.ts'
import type { BridgeListener } from './bridge-listener.ts'
import { ClientConnection } from './client-connection.ts'
import { ClientRequests } from './client-requests.ts'
import { ClientSessions } from './client-sessions.ts'
import { demoRequest } from './demo-request.ts'
import { endRuns } from './end-runs.ts'
import { evictNowAndThen } from './evict-now-and-then.ts'
import { FileAdditions } from './file-additions.ts'
import { idleWatch } from './idle-watch.ts'
import { type HostWorld, InteractiveGate } from './interactive-gate.ts'
import { InteractiveLane } from './interactive-lane.ts'
import { type Approvers, openApprovers, type WindowParts } from './open-approvers.ts'
import { openBridge } from './open-bridge.ts'
import { PairedClients } from './paired-clients.ts'
import { BRIDGE, Pairings } from './pairings.ts'
import { Presence } from './presence.ts'
import { endingOf, fateOf, takeBack } from './pty-take-back.ts'
import { LOCAL, RequesterRuns } from './requester-runs.ts'
import { RunJournal } from './run-journal.ts'
import { ScopedRules } from './scoped-rules.ts'
import { settleJournal } from './settle-journal.ts'
import { Terminals } from './terminals.ts'
import { TerminalDesk } from './terminals-desk.ts'
import { DEMO_COMMAND } from './web-feed.ts'
import type { Shown } from './web-opener.ts'
import { RunScreens } from './web-screens.ts'

export interface HostDeps {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Who owns the terminals of this host. */
  readonly ownPtys: (host: {
    readonly id: string
    readonly record: (kind: 'pty_host_started' | 'pty_host_lost', body: Readonly<Record<string, unknown>>) => void
  }) => PtyOwner
  readonly world: HostWorld
  readonly version: string
  /** null: no window; those who answer do it in a terminal. */
  readonly window: WindowParts | null
  /** Told once when nothing has happened for the idle time; null: the host stays. */
  readonly onIdle: (() => void) | null
}

export interface Host {
  readonly instanceId: string
  readonly port: number
  readonly approverPort: number
  /** Where containers reach it now. */
  readonly bridge: BridgeListener['state']
  readonly ptyHealth: PtyHealth
  /** The terminal this host was started in becomes an approver. */
  attach(link: Link): void
  /** Opens the window, or says why there is none. */
  showWindow(): Promise<Shown>
  /** Ends every tree it started, then itself. */
  close(): Promise<void>
  closeAtOnce(): void
}

const MB = 1024 * 1024
const MOST_QUESTIONS = 16
const ARMING_MS = 400
const LONGEST_FINAL_GRACE_MS = 1500

/** Builds the host. The listener for clients is bound before anything else: of two hosts only one gets further. */
export async function openHost(deps: HostDeps): Promise<Host> {
  const { clock, ids, log, version } = deps
  const { settings, paths } = deps.configuration
  const { pid, platform } = process
  const localKey = ensureKeyFile(paths.localKeyFile)
  const bridgeKey = ensureKeyFile(paths.bridgeKeyFile)
  const pairings = new Pairings(paths.keysDir)
  const waiting: Link[] = []
  let take = (link: Link): void => void waiting.push(link)
  const clients = await listenPsk({
    host: '127.0.0.1',
    port: settings.PM_TERM_PORT,
    clock,
    keyFor: identity => (identity === LOCAL ? localKey : identity === BRIDGE ? bridgeKey : pairings.key(identity)),
    onLink: link => take(link),
  })
  try {
    const instanceId = ids.make('host')
    const table = processTable(platform)
    const killer = { table, platform, clock }
    const journal = await openJournal(paths.journalFile, clock.now, cause =>
      log.error('the journal cannot be written', { cause }),
    )
    const about = { requester: null, runId: null }
    // Written down before the next row would hide it.
    const found = journal.headFinding()
    if (found.journal_problem ?? found.journal_gap) log.error('the journal is not what it was', { ...found })
    journal.append({ kind: 'host_started', ...about, body: { instance_id: instanceId, pid, version, ...found } })
    const pty = deps.ownPtys({ id: instanceId, record: (kind, body) => journal.append({ kind, ...about, body }) })
    const left = await pty.takeBack()
    const runs = new RequesterRuns({
      stateDir: paths.stateDir,
      hostId: instanceId,
      clock,
      log,
      killer,
      host: { pid, start: table.row(pid)?.start ?? null },
      quotaBytes: settings.PM_TERM_OUTPUT_QUOTA_MB * MB,
      totalBytes: settings.PM_TERM_OUTPUT_TOTAL_MB * MB,
      retentionDays: settings.PM_TERM_RETENTION_DAYS,
      graceMs: settings.PM_TERM_KILL_GRACE_MS,
      fateOf: (requester, run) => fateOf({ journal, health: pty.health, now: clock.now }, requester, run),
      onSettled: (requester, { opened, ended }) =>
        ended && new RunJournal({ journal, log }).after('ended', { requester, runId: opened.id }, endingOf(ended)),
    })
    const presence = new Presence(clock)
    const { PM_TERM_APPROVER_WAIT_MS: approverWaitMs, PM_TERM_APPROVAL_TIMEOUT_MS: patienceMs } = settings
    const waits = { approverWaitMs, armingMs: ARMING_MS }
    const queue = new ApprovalQueue({ clock, ids, mostPerRequester: MOST_QUESTIONS, ...waits })
    presence.watch(() => queue.approversAre(presence.count))
    const terminals = new Terminals(ids)
    const scoped = new ScopedRules(clock, ids)
    const ruleFiles = new RuleFiles({ dataDir: paths.dataDir, now: clock.now })
    const gate = new InteractiveGate({
      world: deps.world,
      settings,
      ruleFiles,
      scoped,
      shellFiles: join(paths.stateDir, 'shell'),
    })
    const asker = askPerson({
      clock,
      queue,
      presence,
      journal,
      gate,
      scoped,
      ruleFiles,
      patienceMs,
      approverWaitMs,
      person: deps.world,
    })
    const additions = new FileAdditions({ queue, ruleFiles, journal, patienceMs, ids, log })
    const lane = new InteractiveLane({
      clock,
      log,
      runs,
      journal,
      terminals,
      gate,
      pty,
      killer,
      home: deps.world.home,
      asker,
      additions,
    })
    const desk = new TerminalDesk({ clock, ids, terminals, lane, runs, scoped, journal })
    takeBack({ journal, log, runs }, left, (run, pty) => lane.takeBack(run, pty))
    settleJournal(journal, runs, log)
    const screens = new RunScreens(desk)
    const sessions = new ClientSessions(clock)
    const paired = new PairedClients({ pairings, sessions, lane, queue, scoped, journal })
    let approvers: Approvers | null = null
    const showWindow = async () => approvers?.showWindow() ?? { shown: false, message: 'The host is just starting.' }
    const requests = new ClientRequests({
      clock,
      lane,
      runs,
      terminals,
      sessions,
      presence,
      desk,
      queue,
      ruleFiles,
      pairings,
      journal,
      patienceMs,
      showWindow,
    })
    const heartbeatMs = settings.PM_TERM_HEARTBEAT_INTERVAL * 1000
    const record = new ApproverRecordFile(paths.approverFile, log)
    const admissions = new ApproverAdmissions({ clock, ids })
    const admit = (link: Link, admission: Admission) =>
      void new ApproverConnection(
        {
          clock,
          ids,
          log,
          queue,
          presence,
          journal,
          record,
          admissions,
          lane,
          desk,
          heartbeatMs,
          armingMs: ARMING_MS,
          instanceId,
        },
        link,
        admission,
      )
    const answering = await openApprovers({
      clock,
      log,
      journal,
      presence,
      key: localKey,
      port: settings.PM_TERM_APPROVER_PORT,
      stateDir: paths.stateDir,
      window: deps.window,
      feed: {
        terminals: { clock, desk, screens, queue, runs },
        ptyHealth: pty.health,
        scoped,
        sessions,
        paired,
        version,
        instanceId,
        platform,
        demo: () => demoRequest({ clock, ids, key: localKey, version }, { port: clients.port, command: DEMO_COMMAND }),
      },
      admit,
      alarm: message => admissions.tell({ type: 'alarm', message }),
    })
    approvers = answering
    take = link =>
      void new ClientConnection(
        { clock, log, requests, sessions, presence, pairings, heartbeatMs, instanceId, version, pid },
        link,
      )
    for (const link of waiting.splice(0)) take(link)
    const bridge = await openBridge(
      { clock, log, pairings, configuration: deps.configuration },
      link => take(link),
      () => {
        clients.recheck() // paired clients may call that listener as well
        paired.look()
      },
    )
    const evicting = evictNowAndThen(clock, runs)
    const idle = deps.onIdle
      ? idleWatch({
          clock,
          idleMs: settings.PM_TERM_IDLE_TIMEOUT * 1000,
          busy: () => lane.count + sessions.connected + presence.count + queue.pending.length > 0,
          onIdle: deps.onIdle,
        })
      : { dispose() {} }
    const stopTaking = async () => {
      screens.dispose()
      idle.dispose()
      evicting.dispose()
      lane.withdrawAll()
      await Promise.all([clients.close(), answering.close(), bridge.close()])
    }
    return {
      instanceId,
      port: clients.port,
      approverPort: answering.port,
      get bridge() {
        return bridge.state
      },
      attach: link => admit(link, { kind: 'own_terminal' }),
      showWindow,
      ptyHealth: pty.health,
      async close() {
        const closing = stopTaking()
        const finalGraceMs = Math.min(settings.PM_TERM_KILL_GRACE_MS, LONGEST_FINAL_GRACE_MS)
        await endRuns({ runs, lane, clock }, finalGraceMs)
        await pty.end(finalGraceMs)
        await closing
        journal.append({ kind: 'host_ended', ...about, body: { instance_id: instanceId } })
        journal.close()
      },
      closeAtOnce: () => runs.endAllAtOnce(),
    }
  } catch (cause) {
    await clients.close()
    throw cause
  }
}
