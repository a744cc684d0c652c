import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import { ensureKeyFile, readKeyFile } from '../base/key-file.ts'
import type { Link } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import { isInsideRun } from '../base/peer-process.ts'
import { processTable } from '../base/process-table.ts'
import { listenPsk, type PskListener } from '../base/psk-socket.ts'
import type { PtyHealth, PtyOwner } from '../base/pty.ts'
import type { Configuration } from '../config/settings.ts'
import { WorkspaceId } from '../contract/field.ts'
import { RuleFiles } from '../policy/rule-files.ts'
import { openJournal } from '../runs/journal.ts'
import { ApprovalQueue } from './approval-queue.ts'
import { type Admission, ApproverConnection } from './approver-connection.ts'
import { ApproverRecordFile } from './approver-record.ts'
import { askPerson } from './ask-person.ts'
import { ClientConnection } from './client-connection.ts'
import { ClientRequests } from './client-requests.ts'
import { ClientSessions } from './client-sessions.ts'
import { FileAdditions } from './file-additions.ts'
import { idleWatch } from './idle-watch.ts'
import { type HostWorld, InteractiveGate } from './interactive-gate.ts'
import { InteractiveLane } from './interactive-lane.ts'
import { Presence } from './presence.ts'
import { endingOf, fateOf, takeBack } from './pty-take-back.ts'
import { LOCAL, PERSON, RequesterRuns } from './requester-runs.ts'
import { RunJournal } from './run-journal.ts'
import { ScopedRules } from './scoped-rules.ts'
import { Terminals } from './terminals.ts'
import { TerminalDesk } from './terminals-desk.ts'

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
  /** Told once when nothing has happened for the idle time; null: the host stays. */
  readonly onIdle: (() => void) | null
}

export interface Host {
  readonly instanceId: string
  readonly port: number
  readonly approverPort: number
  readonly ptyHealth: PtyHealth
  /** The terminal this host was started in becomes an approver. */
  attach(link: Link): void
  /** Ends every tree it started, then itself. */
  close(): Promise<void>
  closeAtOnce(): void
}

const MB = 1024 * 1024
const MOST_QUESTIONS = 16
const ARMING_MS = 400
const EVICT_EVERY_MS = 15 * 60_000
const LOOK_EVERY_MS = 5000
const LONGEST_FINAL_GRACE_MS = 1500
const LONGEST_KILL_MS = 3000

/** Builds the host. The listener for clients is bound before anything else: of two hosts only one gets further. */
export async function openHost(deps: HostDeps): Promise<Host> {
  const { clock, ids, log, version } = deps
  const { settings, paths } = deps.configuration
  const { pid, platform } = process
  const localKey = ensureKeyFile(paths.localKeyFile)
  const waiting: Link[] = []
  let take = (link: Link): void => void waiting.push(link)
  const clients = await listenPsk({
    host: '127.0.0.1',
    port: settings.PM_TERM_PORT,
    clock,
    keyFor: identity => (identity === LOCAL ? localKey : pairedKey(paths.keysDir, identity)),
    onLink: link => take(link),
  })
  try {
    const instanceId = ids.make('host')
    const table = processTable(platform)
    const killer = { table, platform, clock }
    const journal = await openJournal(paths.journalFile, clock.now)
    const about = { requester: null, runId: null }
    journal.append({ kind: 'host_started', ...about, body: { instance_id: instanceId, pid, version } })
    const pty = deps.ownPtys({ id: instanceId, record: (kind, body) => journal.append({ kind, ...about, body }) })
    const found = await pty.takeBack()
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
    const approverWaitMs = settings.PM_TERM_APPROVER_WAIT_MS
    const patienceMs = settings.PM_TERM_APPROVAL_TIMEOUT_MS
    const queue = new ApprovalQueue({
      clock,
      ids,
      mostPerRequester: MOST_QUESTIONS,
      approverWaitMs,
      armingMs: ARMING_MS,
    })
    presence.watch(() => queue.approversAre(presence.count))
    const terminals = new Terminals(ids)
    const scoped = new ScopedRules(clock)
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
    const { home } = deps.world
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
      home,
      asker,
      additions,
    })
    const desk = new TerminalDesk({ clock, ids, terminals, lane, runs, scoped, journal })
    takeBack({ journal, log, runs }, found, (run, left) => lane.takeBack(run, left))
    const sessions = new ClientSessions(clock)
    const showWindow = () => ({
      shown: false,
      message: 'There is no window yet. Run "interactive-terminal approve" in a terminal.',
    })
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
      journal,
      patienceMs,
      showWindow,
    })
    const heartbeatMs = settings.PM_TERM_HEARTBEAT_INTERVAL * 1000
    const record = new ApproverRecordFile(paths.approverFile, log)
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
          lane,
          desk,
          heartbeatMs,
          armingMs: ARMING_MS,
          instanceId,
        },
        link,
        admission,
      )
    // Who starts runs: what descends from there is a run, whatever it has done to its environment.
    const starters = () => {
      const owner = pty.health.now()
      return owner.at === 'up' ? [owner.pid ?? pid] : []
    }
    const approvers = await listenApprovers(deps, localKey, { admit: link => admit(link, 'challenge'), starters })
    take = link =>
      void new ClientConnection(
        { clock, log, requests, sessions, presence, heartbeatMs, instanceId, version, pid },
        link,
      )
    for (const link of waiting.splice(0)) take(link)
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
      idle.dispose()
      evicting.dispose()
      lane.withdrawAll()
      await Promise.all([clients.close(), approvers.close()])
    }
    return {
      instanceId,
      port: clients.port,
      approverPort: approvers.port,
      ptyHealth: pty.health,
      attach: link => admit(link, 'own_terminal'),
      async close() {
        const closing = stopTaking()
        const finalGraceMs = Math.min(settings.PM_TERM_KILL_GRACE_MS, LONGEST_FINAL_GRACE_MS)
        // Whoever owns the terminals ends them. If he does not answer, ending him does.
        const late = new Promise<void>(resolve => void clock.after(finalGraceMs + LONGEST_KILL_MS, resolve))
        await Promise.race([runs.endAll(finalGraceMs), late])
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

/** The listener for those who may answer. What a run has started is not let in. */
function listenApprovers(
  deps: HostDeps,
  key: Buffer,
  { admit, starters }: { readonly admit: (link: Link) => void; readonly starters: () => readonly number[] },
): Promise<PskListener> {
  return listenPsk({
    host: '127.0.0.1',
    port: deps.configuration.settings.PM_TERM_APPROVER_PORT,
    clock: deps.clock,
    keyFor: identity => (identity === 'approver' ? key : null),
    onLink: (link, peer) => {
      if (isInsideRun(peer.port, process.platform, starters())) {
        deps.log.warn('a command that runs here tried to become an approver')
        link.send({ type: 'refused', reason: 'A command that runs here cannot answer.' })
        link.close('inside a run')
      } else admit(link)
    },
  })
}

/** A client paired by name has a key file of that name; without it, or with a bad one, nobody gets in under that name. */
function pairedKey(keysDir: string, identity: string): Buffer | null {
  if (identity === LOCAL || identity === PERSON || identity === 'approver' || !WorkspaceId.safeParse(identity).success)
    return null
  const file = join(keysDir, `${identity}.key`)
  try {
    return readKeyFile(file)
  } catch {
    return null // not paired, or a file others could have read
  }
}

/** At fixed times, and before that when much was printed. */
function evictNowAndThen(clock: Clock, runs: RequesterRuns): { dispose(): void } {
  let evictedAt = clock.elapsed()
  let timer = clock.after(LOOK_EVERY_MS, function again() {
    if (runs.brimming || clock.elapsed() - evictedAt >= EVICT_EVERY_MS) {
      runs.evict()
      evictedAt = clock.elapsed()
    }
    timer = clock.after(LOOK_EVERY_MS, again)
  })
  return { dispose: () => timer.dispose() }
}
