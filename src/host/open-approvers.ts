import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Link } from '../base/link/link.ts'
import { pskDoor } from '../base/link/psk-socket.ts'
import type { Log } from '../base/log.ts'
import { toType } from '../base/own-command.ts'
import { holdersAt, isBelow, isInsideRun, peerAt } from '../base/process/peer-process.ts'
import type { FirstRun } from '../contract/window/window-frames.ts'
import type { Journal } from '../runs/journal/journal.ts'
import type { ApproverAdmissions } from './approvers/admissions.ts'
import type { AdmissionPath } from './approvers/connection.ts'
import { type ApproverDoor, openApproverDoor } from './approvers/door.ts'
import type { ApproverSession } from './approvers/session.ts'
import type { ScreenEnv, Shown } from './approvers/shown.ts'
import { tooManyApprovers } from './clients/too-many-connections.ts'
import type { OpenLink } from './pages/links.ts'
import type { Presence } from './questions/presence.ts'
import { WebCodeEntrance } from './window/code-entrance.ts'
import { WebConnection } from './window/connection.ts'
import { WindowFeed, type WindowFeedDeps } from './window/feed.ts'
import type { WebFiles } from './window/files.ts'
import { WebLink } from './window/link.ts'
import { type Browser, WindowOpener } from './window/opener.ts'
import { openPanel, Panels } from './window/panel.ts'
import { reopenWindow } from './window/reopen-window.ts'
import { type WebServer, webServer } from './window/server.ts'
import { WindowTickets } from './window/tickets.ts'
import { Windows } from './window/windows.ts'

/** What a window is made of; passed in, because only bin knows where the files and the browsers are. */
export interface WindowParts {
  readonly files: WebFiles
  readonly browser: Browser
  /** Opens an address in the person's own browser. */
  readonly openLink: OpenLink
  readonly entries: FirstRun['entries']
}

export interface ApproversDeps {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Journal
  readonly presence: Presence
  readonly key: Buffer
  readonly port: number
  readonly stateDir: string
  /** null: this host has no window, only approvers in terminals. */
  readonly window: WindowParts | null
  /** It is in a container: no browser is started, the page is forwarded and admitted by a code. */
  readonly forwarded: boolean
  readonly admissions: ApproverAdmissions
  readonly feed: Omit<WindowFeedDeps, 'windows' | 'firstRun'>
  readonly admit: (link: Link, admission: AdmissionPath) => void
  /** A page that has proved its ticket; null: it was refused. */
  readonly admitWindow: (link: Link) => ApproverSession | null
  /** Every approver hears it. */
  readonly alarm: (message: string) => void
}

export interface Approvers {
  readonly port: number
  /** Where the page is served; null: there is none. */
  readonly windowPort: number | null
  /** Windows that are open now. */
  readonly windows: number
  /** Opens the window, or says why there is none. `screen`: where, when a person said so. */
  showWindow(screen?: ScreenEnv): Promise<Shown>
  close(): Promise<void>
}

/** Everybody who may answer, on one port: approvers in terminals over TLS, windows over HTTP. What a run has started is not admitted. */
export async function openApprovers(deps: ApproversDeps): Promise<Approvers> {
  const { clock, log, admit } = deps
  const { platform } = process
  const fed = openFeed(deps)
  const panels = new Panels()
  const openPanelHere = (to: Link, session: ApproverSession) => openPanel({ feed: fed.feed, panels }, to, session)
  const refuseRun = () => log.warn('a command that runs here tried to become an approver')

  const terminals = pskDoor({
    clock,
    keyFor: identity => (identity === 'approver' ? deps.key : null),
    refusal: tooManyApprovers,
    onLink: (link, { port }) => {
      const peer = peerAt(port, platform, [process.pid, ...startersOf(deps)])
      if (peer.insideRun) {
        refuseRun()
        link.send({ type: 'refused', reason: 'A command that runs here cannot answer.' })
        link.close('inside a run')
      } else admit(link, { kind: 'challenge', process: peer.process, openPanel: openPanelHere })
    },
  })

  let web: WebServer | null = null
  const door = await openApproverDoor({
    port: deps.port,
    clock,
    onTls: terminals.take,
    onHttp: socket => (web ? web.take(socket) : socket.destroy()),
  })
  const opened = deps.window && door.squatter === null ? openWindows(deps, deps.window, { door, ...fed }) : null
  web = opened?.web ?? null

  const noWindow = deps.window === null ? 'this host was started without one' : door.squatter
  const showWindow = async (screen?: ScreenEnv): Promise<Shown> => {
    if (opened && deps.forwarded)
      return fed.windows.someVisible ? OPEN : { shown: false, message: howToForward(door.port) }
    return (
      opened?.opener.show(screen) ?? {
        shown: false,
        message: `There is no window, because ${noWindow}. To answer without a window: "${toType('approve')}" in a terminal.`,
      }
    )
  }

  deps.presence.onUnattended(() => {
    void showWindow().then(({ shown, message }) => {
      deps.presence.problem = shown ? null : message
    })
  })

  const reopening = opened
    ? reopenWindow({
        clock,
        queue: deps.feed.terminals.queue,
        presence: deps.presence,
        windows: {
          get count() {
            return fed.windows.count + panels.count
          },
          onArrival: listener => fed.windows.onArrival(listener),
        },
        show: () => void showWindow(),
      })
    : null

  return {
    port: door.port,
    windowPort: opened ? door.port : null,
    get windows() {
      return fed.windows.count
    },
    showWindow,
    async close() {
      reopening?.dispose()
      opened?.opener.close()
      terminals.close()
      web?.close()
      await door.close()
    },
  }
}

/**
 * Who starts runs, if that is not this process: what descends from there is a run, whatever it has done to its environment. The
 * browser is started by this process, so only what pty-host started counts for it.
 */
function startersOf({ feed }: ApproversDeps): number[] {
  const owner = feed.ptyHealth.now()
  return owner.at === 'up' && owner.pid !== null ? [owner.pid] : []
}

/** What windows and the panels of editors are sent; a host without windows may have panels. */
function openFeed(deps: ApproversDeps) {
  const windows = new Windows()
  const firstRun = { entries: deps.window?.entries ?? [] }
  return { windows, feed: new WindowFeed({ ...deps.feed, windows, firstRun }) }
}

function openWindows(
  deps: ApproversDeps,
  parts: WindowParts,
  { door, windows, feed }: ReturnType<typeof openFeed> & { readonly door: ApproverDoor },
) {
  const { clock, log, journal, admissions, forwarded, presence } = deps
  const tickets = new WindowTickets(clock)

  const web = webServer({
    port: door.port,
    clock,
    files: parts.files,
    isInsideRun: port => isInsideRun(port, process.platform, startersOf(deps)),
    served: forwarded ? 'forwarded' : 'own_port',
    onFeed: (socket, { origin, peerPort }) =>
      void new WebConnection(
        {
          clock,
          log,
          journal,
          tickets,
          windows,
          feed,
          origin,
          peerPort,
          byCode:
            forwarded || opener.byCode
              ? link =>
                  new WebCodeEntrance({ clock, log, journal, tickets, presence, admissions }, link, {
                    origin,
                    process: peerAt(peerPort, process.platform, startersOf(deps)).process,
                  })
              : null,
          alarm: deps.alarm,
          admit: deps.admitWindow,
        },
        new WebLink(socket, clock),
      ),
  })

  const directory = join(deps.stateDir, 'window')
  const sight = {
    at: (peerPort: number) => holdersAt({ peerPort, ownPort: door.port }, process.platform),
    isBelow,
  }
  const { browser } = parts
  const opener = new WindowOpener({
    clock,
    log,
    tickets,
    windows,
    browser,
    sight,
    origin: web.origin,
    directory,
    theme: () => deps.feed.preferences.now.theme,
  })
  return { web, opener }
}

const OPEN: Shown = { shown: true, message: 'The window is open.' }

const howToForward = (port: number): string =>
  `The host is in a container, so no browser is started. Forward port ${port}, open http://localhost:${port} and type the code that the host's terminal shows.`
