import { join } from 'node:path'
import { Disposables } from '../base/disposable.ts'
import { ensureKeyFile } from '../base/keys/key-file.ts'
import type { Link } from '../base/link/link.ts'
import { HOST_FINAL_GRACE_MS } from '../base/process/grace.ts'
import type { PtyOwner } from '../base/process/pty.ts'
import { secretFiles } from '../config/secret-files.ts'
import type { Decisions } from '../policy/files/decisions.ts'
import { sealKey } from '../runs/receipt/receipt-seal.ts'
import { ownSecrets } from '../runs/secrets/own-secrets.ts'
import { Redactor } from '../runs/secrets/redactor.ts'
import { startEviction } from '../runs/store/eviction.ts'
import { LedgerAnchors } from './anchor-ledgers.ts'
import { type AdmissionPath, ApproverConnection } from './approvers/connection.ts'
import { type HostSuccession, succession } from './approvers/predecessor.ts'
import { ApproverSession } from './approvers/session.ts'
import type { ScreenEnv } from './approvers/shown.ts'
import { ClientConnection } from './clients/connection.ts'
import { openBridge } from './clients/open-bridge.ts'
import { PairedClients } from './clients/paired-clients.ts'
import { Pairings } from './clients/pairings.ts'
import { ClientRequests } from './clients/requests.ts'
import { ClientSessions } from './clients/sessions.ts'
import { closeIdleTerminals } from './desk/idle-terminals.ts'
import { RunScreens } from './desk/screens.ts'
import type { Host, HostDeps } from './host.ts'
import { COPY_CHANGED } from './host-decisions.ts'
import { HostTimes } from './host-times.ts'
import { idleWatch } from './idle-watch.ts'
import { keepJournal } from './keep-journal.ts'
import { listenForClients } from './listen-clients.ts'
import { type Approvers, openApprovers } from './open-approvers.ts'
import { ARMING_MS, type HostCommands, openCommands } from './open-commands.ts'
import { openPages } from './open-pages.ts'
import { type HostRecords, openRecords } from './open-records.ts'
import type { AskHost } from './pages/history-run.ts'
import { remindOfQuestions } from './questions/reminders.ts'
import { endRuns } from './runs/end-runs.ts'
import { LeftRuns } from './runs/left-runs.ts'
import { DEMO_COMMAND, DEMO_CONTEXT } from './window/feed.ts'
import { PreferencesFile } from './window/preferences-file.ts'

const PROVES: AdmissionPath = { kind: 'challenge', process: null }

export type { Host } from './host.ts'

/** What a host is made of. */
interface HostParts extends HostRecords, HostCommands {
  readonly instanceId: string
  readonly localKey: Buffer
  readonly clients: Awaited<ReturnType<typeof listenForClients>>
  readonly pairings: Pairings
  readonly pty: PtyOwner
  readonly screens: RunScreens
  readonly sessions: ClientSessions
  readonly left: LeftRuns
  readonly paired: PairedClients
  readonly preferences: PreferencesFile
}

interface Answering {
  readonly approvers: Approvers
  readonly admit: (link: Link, admission: AdmissionPath) => void
}

/** Builds the host. The listener for clients is bound before anything else: of two hosts only one gets further. */
export async function openHost(deps: HostDeps): Promise<Host> {
  const { paths } = deps.configuration
  const localKey = ensureKeyFile(paths.localKeyFile)
  // Until it is known what a person decided, nobody is admitted by name.
  let known: Decisions | null = null
  const pairings = new Pairings(paths.keysDir, () => known)
  const clients = await listenForClients(deps, localKey, pairings)
  try {
    const instanceId = deps.ids.make('host')
    const records = await openRecords(deps, instanceId, () => pty.succession?.trust())
    const { journal, record, decided, admissions, alarm } = records
    known = decided.decisions
    const pty = deps.ownPtys({
      id: instanceId,
      approver: () => record.current,
      record: (kind, body) => journal.append({ kind, requester: null, runId: null, body }),
    })
    const found = await pty.takeBack()
    const succeeding = succession(records.before, { record, pty, left: found })

    const preferences = new PreferencesFile(join(paths.stateDir, 'window-preferences.v1.json'), deps.log)
    const times = new HostTimes(deps.configuration, preferences)
    const commands = openCommands(deps, records, { instanceId, pairings, pty, left: found, times })
    const { desk, runs } = commands
    const { clock } = deps
    const screens = new RunScreens(desk)
    const sessions = new ClientSessions(clock)
    const left = new LeftRuns({ clock, runs, journal })
    const paired = new PairedClients({ ...commands, pairings, sessions })
    const base = { ...records, ...commands, instanceId, localKey, clients, pairings, pty }
    const parts: HostParts = { ...base, screens, sessions, left, paired, preferences }

    const answering = await openAnswering(deps, parts)
    if (succeeding.alarm !== null) alarm(succeeding.alarm)
    decided.onForeign = () => admissions.notify({ type: 'alarm', message: COPY_CHANGED })

    const connect = connectClient(deps, parts, answering.approvers)
    clients.serve(connect)
    const upkeep = await openUpkeep(deps, parts, connect)
    return hostOf(deps, parts, { ...answering, ...upkeep, succeeding })
  } catch (cause) {
    await clients.close()
    throw cause
  }
}

const heartbeatOf = ({ configuration: { settings } }: HostDeps): number => settings.PM_TERM_HEARTBEAT_INTERVAL * 1000

/** Opens the port where people answer. */
async function openAnswering(deps: HostDeps, parts: HostParts): Promise<Answering> {
  const { clock, ids, log, version } = deps
  const { settings, paths } = deps.configuration
  const { record, pty, localKey, clients } = parts
  const inContainer = deps.here !== null
  const succession = pty.succession ?? null
  let approvers: Approvers | null = null
  // Somebody may be admitted before the window is there.
  const showWindow = async (screen?: ScreenEnv) =>
    approvers?.showWindow(screen) ?? { shown: false, message: 'The host is just starting.' }
  const ask: AskHost = (name, request) => deps.ask({ port: clients.port, name, request })
  const heartbeatMs = heartbeatOf(deps)
  const admitting = { ...parts, clock, ids, log, succession, showWindow, heartbeatMs, armingMs: ARMING_MS, inContainer }
  const admit = (link: Link, admission: AdmissionPath) => void new ApproverConnection(admitting, link, admission)

  approvers = await openApprovers({
    ...parts,
    clock,
    log,
    key: localKey,
    port: settings.PM_TERM_APPROVER_PORT,
    stateDir: paths.stateDir,
    window: deps.window,
    feed: {
      ...parts,
      pages: openPages(deps, parts, ask),
      terminals: { ...parts, clock },
      ptyHealth: pty.health,
      version,
      platform: process.platform,
      inContainer,
      passphrase: record,
      succession,
      demo: () => ask('Try it', { command: DEMO_COMMAND, context: DEMO_CONTEXT }),
    },
    admit,
    admitWindow: link => ApproverSession.admit(admitting, link, { name: 'window', surface: 'window', how: 'ticket' }),
    forwarded: inContainer,
  })
  return { approvers, admit }
}

/** What agents get no sight of: our keys, those that only hosts read too, the codes on screens, and what looks like a token. */
function redactorOf({ configuration, clock }: HostDeps, codes: () => readonly string[]): Redactor {
  const { files, directories } = secretFiles(configuration)
  const { settings, paths } = configuration
  const own = ownSecrets({ files: [...files, paths.hostKeyFile], directories, others: codes }, clock)
  return new Redactor({ shapes: settings.PM_TERM_REDACT, own })
}

/** What a client that calls may ask for, and its own link to do so. */
function connectClient(deps: HostDeps, parts: HostParts, approvers: Approvers): (link: Link) => void {
  const { clock, log, version } = deps
  const { pid } = process
  const { windowPort } = approvers
  const { instanceId, decided, clients } = parts
  const requests = new ClientRequests({
    ...parts,
    clock,
    redactor: redactorOf(deps, () => parts.admissions.codes),
    showWindow: () => approvers.showWindow(),
    sealKey: () => sealKey(deps.configuration.paths.receiptKeyFile),
    identity: { version, instance_id: instanceId, pid, port: clients.port },
    approvers: () => approvers,
    ptyHealth: parts.pty.health,
  })
  const host = { instanceId, version, pid, windowPort, inContainer: deps.here !== null, heartbeatMs: heartbeatOf(deps) }
  const connecting = { ...parts, ...host, clock, log, requests, decided: () => decided.digest() }
  return link => void new ClientConnection(connecting, link)
}

/** The bridge to containers, and what is looked after for as long as the host runs. */
async function openUpkeep(deps: HostDeps, parts: HostParts, connect: (link: Link) => void) {
  const { clock, log, configuration, onIdle } = deps
  const { settings, paths } = configuration
  const { pairings, clients, paired, decided, presence, additions, outside, journal, sessions, lane, queue, times } =
    parts
  const bridge = await openBridge({ clock, log, pairings, configuration }, connect, () => {
    clients.recheck() // paired clients may call that listener as well
    paired.look()
    decided.digest()
    if (presence.count > 0) additions.noticeAll('fresh')
    outside.look()
  })

  const life = new Disposables()
  const eviction = life.add(startEviction(clock, parts.runs))
  parts.runs.onKept = () => eviction.grown()
  const anchors = life.add(new LedgerAnchors({ clock, log, journal, stateDir: paths.stateDir, sessions }))
  life.add(keepJournal({ clock, log, journal, configuration, queue, scoped: parts.scoped }))
  const showsCommand = settings.PM_TERM_NOTIFY_SHOWS_COMMAND
  life.defer(() => parts.previews.close())
  life.add(remindOfQuestions({ clock, queue, notify: deps.notify, showsCommand }))
  life.add(closeIdleTabs(deps, parts))
  const busy = () => lane.count + sessions.connected + presence.count + queue.pending.length > 0
  const onChange = (changed: () => void) => times.watch(changed)
  if (onIdle) life.add(idleWatch({ clock, idleMs: () => times.idleHostMs, onChange, busy, onIdle }))
  return { bridge, anchors, life }
}

/** A tab that a person looks at, has named, is asked about or gave an approval for stays. */
function closeIdleTabs({ clock }: HostDeps, { desk, queue, times }: HostParts) {
  const isAsked = (id: string) => queue.pending.some(each => 'terminal_id' in each && each.terminal_id === id)
  return closeIdleTerminals({
    clock,
    idleMs: () => times.idleTabsMs,
    onChange: changed => times.watch(changed),
    all: () => desk.all,
    isKept: ({ id, givenName }) => givenName !== null || desk.isLookedAt(id) || isAsked(id) || desk.holdsApproval(id),
    close: terminal => desk.putAway(terminal, 'host'),
  })
}

/** The running host, as its caller sees it. */
function hostOf(
  { clock, configuration: { settings } }: HostDeps,
  { instanceId, clients, alarm, record, pty, decided, runs, lane, journal, screens }: HostParts,
  more: Answering & Awaited<ReturnType<typeof openUpkeep>> & { readonly succeeding: HostSuccession },
): Host {
  const { approvers, admit, bridge, anchors, life, succeeding } = more
  const stopTaking = async () => {
    screens.dispose()
    life.dispose()
    lane.withdrawAll()
    await Promise.all([clients.close(), approvers.close(), bridge.close()])
  }

  return {
    instanceId,
    port: clients.port,
    approverPort: approvers.port,
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
    showWindow: approvers.showWindow,
    ptyHealth: pty.health,
    decisions: decided.decisions,

    async close(by) {
      const closing = stopTaking()
      const finalGraceMs = Math.min(settings.PM_TERM_KILL_GRACE_MS, HOST_FINAL_GRACE_MS)
      await endRuns({ runs, lane, clock }, finalGraceMs)
      await pty.end(finalGraceMs)
      await runs.endStrays(finalGraceMs)
      await closing
      anchors.anchor()
      decided.end({ instance_id: instanceId, by, unended: journal.unended().length })
      journal.close()
    },
    closeAtOnce: () => runs.endAllAtOnce(),
  }
}
