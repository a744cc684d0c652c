import { join } from 'node:path'
import { ensureKeyFile } from '../base/keys/key-file.ts'
import type { Link } from '../base/link/link.ts'
import { listenPsk } from '../base/link/psk-socket.ts'
import { bootId, processTable } from '../base/process/process-table.ts'
import type { Decisions } from '../policy/files/decisions.ts'
import { RuleFiles } from '../policy/files/rule-files.ts'
import { openJournal } from '../runs/journal/journal.ts'
import { LedgerAnchors } from './anchor-ledgers.ts'
import { ApproverAdmissions } from './approvers/admissions.ts'
import { type Admission, ApproverConnection } from './approvers/connection.ts'
import { predecessorIn, succession } from './approvers/predecessor.ts'
import type { Screen } from './approvers/shown.ts'
import { ClientConnection } from './clients/connection.ts'
import { openBridge } from './clients/open-bridge.ts'
import { PairedClients } from './clients/paired-clients.ts'
import { Pairings } from './clients/pairings.ts'
import { ClientRequests } from './clients/requests.ts'
import { ClientSessions } from './clients/sessions.ts'
import { tooManyClients } from './clients/too-many-connections.ts'
import { TerminalActions } from './desk/terminal-actions.ts'
import { askPerson } from './gate/ask-person.ts'
import { InteractiveGate } from './gate/gate.ts'
import type { Host, HostDeps } from './host.ts'
import { COPY_CHANGED } from './host-decisions.ts'
import { idleWatch } from './idle-watch.ts'
import { BRIDGE, LOCAL } from './names.ts'
import { type Approvers, openApprovers } from './open-approvers.ts'
import { openDecisions } from './open-decisions.ts'
import { openRuns } from './open-runs.ts'
import { OutsideChanges } from './outside/outside-changes.ts'
import { ApprovalQueue, QUESTION_LIMITS } from './questions/approval-queue.ts'
import { Presence } from './questions/presence.ts'
import { FileAdditions } from './questions/rule-file-additions.ts'
import { ScopedRules } from './questions/scoped-rules.ts'
import { recordStart } from './record-start.ts'
import { BlockedCommandList } from './runs/blocked-commands.ts'
import { endRuns } from './runs/end-runs.ts'
import { evictNowAndThen } from './runs/eviction.ts'
import { InteractiveLane } from './runs/interactive-lane.ts'
import { LeftRuns } from './runs/left-runs.ts'
import { settleJournal } from './runs/settle-journal.ts'
import { takeBack } from './runs/take-back.ts'
import { Terminals } from './terminals/terminals.ts'
import { demoRequest } from './window/demo-request.ts'
import { DEMO_COMMAND } from './window/feed.ts'
import { RunScreens } from './window/screens.ts'

const ARMING_MS = 400
const PROVES: Admission = { kind: 'challenge', process: null }
const LONGEST_FINAL_GRACE_MS = 1500
/** Another program that writes to the journal is done in no time; one that holds it must not hold up everything else. */
const JOURNAL_PATIENCE_MS = 500

export type { Host } from './host.ts'

/** Builds the host. The listener for clients is bound before anything else: of two hosts only one gets further. */
export async function openHost(deps: HostDeps): Promise<Host> {
  const { clock, ids, log, version } = deps
  const { settings, paths } = deps.configuration
  const { pid, platform } = process
  const inContainer = deps.here !== null
  const localKey = ensureKeyFile(paths.localKeyFile)
  const bridgeKey = ensureKeyFile(paths.bridgeKeyFile)
  // Until it is known what a person decided, nobody is let in by name.
  let known: Decisions | null = null
  const pairings = new Pairings(paths.keysDir, () => known)
  const waiting: Link[] = []
  let take = (link: Link): void => void waiting.push(link)
  const clients = await listenPsk({
    host: '127.0.0.1',
    port: settings.PM_TERM_PORT,
    clock,
    keyFor: identity => (identity === LOCAL ? localKey : identity === BRIDGE ? bridgeKey : pairings.key(identity)),
    onLink: link => take(link),
    refusal: tooManyClients,
  })
  try {
    const instanceId = ids.make('host')
    const table = processTable(platform)
    const killer = { table, platform, clock }
    const journal = await openJournal(
      paths.journalFile,
      clock.now,
      cause => log.error('the journal cannot be written', { cause }),
      JOURNAL_PATIENCE_MS,
    )
    const about = { requester: null, runId: null }
    const boot = bootId(platform)
    const before = predecessorIn(journal, boot)
    const sound = recordStart({ journal, log }, { instance_id: instanceId, pid, version, boot }, deps.here)
    const admissions = new ApproverAdmissions({ clock, ids })
    const alarm = (message: string) => admissions.alarm(message)
    const onPassphrase = () => pty.succession?.trust()
    const { record, decided, seal } = openDecisions({ paths, journal, log, sound, alarm, onPassphrase })
    const { decisions } = decided
    known = decisions
    const pty = deps.ownPtys({
      id: instanceId,
      approver: () => record.current,
      record: (kind, body) => journal.append({ kind, ...about, body }),
    })
    const left = await pty.takeBack()
    const succeeding = succession(before, { record, pty, left })
    const runs = openRuns({
      configuration: deps.configuration,
      clock,
      log,
      killer,
      journal,
      health: pty.health,
      instanceId,
      pid,
    })
    const presence = new Presence(clock)
    const { PM_TERM_APPROVER_WAIT_MS: approverWaitMs, PM_TERM_APPROVAL_TIMEOUT_MS: patienceMs } = settings
    const waits = { approverWaitMs, armingMs: ARMING_MS }
    const queue = new ApprovalQueue({ clock, ids, ...QUESTION_LIMITS, ...waits })
    presence.watch(() => queue.approversAre(presence.count))
    const terminals = new Terminals(ids)
    const scoped = new ScopedRules(clock, ids)
    const ruleFiles = new RuleFiles({ dataDir: paths.dataDir, now: clock.now, decisions })
    const gate = new InteractiveGate({
      world: deps.world,
      settings,
      ruleFiles,
      scoped,
      shellFiles: join(paths.stateDir, 'shell'),
    })
    const { ground } = deps.world
    const ruling = { queue, presence, ruleFiles, journal, patienceMs, ground, terminals }
    const asker = askPerson({ ...ruling, clock, gate, scoped, approverWaitMs, person: deps.world })
    const additions = new FileAdditions({ ...ruling, ids, log })
    const found = { decisions, ruleFiles, pairings, ground, settingsFile: paths.settingsFile }
    const outside = new OutsideChanges({ ...ruling, ...found, ids, log, additions })
    const blocked = new BlockedCommandList(clock)
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
      blocked,
    })
    const desk = new TerminalActions({ clock, ids, terminals, lane, runs, scoped, journal })
    takeBack({ journal, log, runs }, left, (run, pty) => lane.takeBack(run, pty))
    settleJournal(journal, runs, log)
    const screens = new RunScreens(desk)
    const sessions = new ClientSessions(clock)
    const leftRuns = new LeftRuns({ clock, runs, journal })
    const paired = new PairedClients({ pairings, sessions, lane, queue, scoped, journal })
    let approvers: Approvers | null = null
    const showWindow = async (screen?: Screen) =>
      approvers?.showWindow(screen) ?? { shown: false, message: 'The host is just starting.' }
    const requests = new ClientRequests({
      ...ruling,
      clock,
      lane,
      runs,
      sessions,
      desk,
      left: leftRuns,
      pairings,
      showWindow,
      identity: { version, instance_id: instanceId, pid, port: clients.port },
      approvers: () => approvers ?? { port: 0, windows: 0 },
      ptyHealth: pty.health,
    })
    const heartbeatMs = settings.PM_TERM_HEARTBEAT_INTERVAL * 1000
    const answerable = {
      queue,
      presence,
      journal,
      record,
      seal,
      succession: pty.succession ?? null,
      admissions,
      lane,
      desk,
      left: leftRuns,
      blocked,
      showWindow,
    }
    const admitting = { clock, ids, log, ...answerable, heartbeatMs, armingMs: ARMING_MS, instanceId, inContainer }
    const admit = (link: Link, admission: Admission) => void new ApproverConnection(admitting, link, admission)
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
        inContainer,
        passphrase: record,
        seal,
        succession: pty.succession ?? null,
        demo: () => demoRequest({ clock, ids, key: localKey, version }, { port: clients.port, command: DEMO_COMMAND }),
      },
      admit,
      forwarded: inContainer,
      admissions,
      alarm,
    })
    approvers = answering
    if (succeeding.alarm !== null) alarm(succeeding.alarm)
    decided.onForeign = () => admissions.tell({ type: 'alarm', message: COPY_CHANGED })
    const connecting = { clock, log, decided: () => decided.digest() }
    take = link =>
      void new ClientConnection(
        { ...connecting, requests, sessions, presence, pairings, heartbeatMs, instanceId, version, pid, inContainer },
        link,
      )
    for (const link of waiting.splice(0)) take(link)
    const bridge = await openBridge(
      { clock, log, pairings, configuration: deps.configuration },
      link => take(link),
      () => {
        clients.recheck() // paired clients may call that listener as well
        paired.look()
        decided.digest()
        if (presence.count > 0) additions.noticeAll('fresh')
        outside.look()
      },
    )
    const evicting = evictNowAndThen(clock, runs)
    const anchors = new LedgerAnchors({ clock, log, journal, stateDir: paths.stateDir, sessions })
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
      anchors.dispose()
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
      attach: link => admit(link, succeeding.needsProof === 'passphrase' ? PROVES : { kind: 'own_terminal' }),
      get needsProof() {
        return succeeding.needsProof
      },
      endLeftTerminals: succeeding.endLeftTerminals,
      alarm,
      passphrase: record,
      showWindow,
      ptyHealth: pty.health,
      decisions,
      async close(by) {
        const closing = stopTaking()
        const finalGraceMs = Math.min(settings.PM_TERM_KILL_GRACE_MS, LONGEST_FINAL_GRACE_MS)
        await endRuns({ runs, lane, clock }, finalGraceMs)
        await pty.end(finalGraceMs)
        await runs.endStrays(finalGraceMs)
        await closing
        anchors.anchor()
        decided.end({ instance_id: instanceId, by })
        journal.close()
      },
      closeAtOnce: () => runs.endAllAtOnce(),
    }
  } catch (cause) {
    await clients.close()
    throw cause
  }
}
