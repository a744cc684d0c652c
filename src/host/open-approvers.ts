import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Link } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import { isInsideRun, peerAt } from '../base/peer-process.ts'
import { pskDoor } from '../base/psk-socket.ts'
import type { FirstRun } from '../contract/window-frames.ts'
import type { Journal } from '../runs/journal.ts'
import type { Admission } from './approver-connection.ts'
import { type ApproverDoor, openApproverDoor } from './approver-door.ts'
import type { Presence } from './presence.ts'
import { WebConnection } from './web-connection.ts'
import { type FeedDeps, WindowFeed } from './web-feed.ts'
import type { WebFiles } from './web-files.ts'
import { WebLink } from './web-link.ts'
import { type Browser, type Shown, WindowOpener } from './web-opener.ts'
import { type WebServer, webServer } from './web-server.ts'
import { WindowTickets } from './web-tickets.ts'
import { Windows } from './windows.ts'

/** What a window is made of; passed in, because only bin knows where the files and the browsers are. */
export interface WindowParts {
  readonly files: WebFiles
  readonly browser: Browser
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
  readonly feed: Omit<FeedDeps, 'windows' | 'firstRun'>
  readonly admit: (link: Link, admission: Admission) => void
  /** Every approver hears it. */
  readonly alarm: (message: string) => void
}

export interface Approvers {
  readonly port: number
  /** Opens the window, or says why there is none. */
  showWindow(): Promise<Shown>
  close(): Promise<void>
}

/** Everybody who may answer, on one port: approvers in terminals over TLS, windows over HTTP. What a run has started is not let in. */
export async function openApprovers(deps: ApproversDeps): Promise<Approvers> {
  const { clock, log, admit } = deps
  const { platform } = process
  const refuseRun = () => log.warn('a command that runs here tried to become an approver')
  const terminals = pskDoor({
    clock,
    keyFor: identity => (identity === 'approver' ? deps.key : null),
    onLink: (link, { port }) => {
      const peer = peerAt(port, platform, [process.pid, ...startersOf(deps)])
      if (peer.insideRun) {
        refuseRun()
        link.send({ type: 'refused', reason: 'A command that runs here cannot answer.' })
        link.close('inside a run')
      } else admit(link, { kind: 'challenge', process: peer.process })
    },
  })
  let web: WebServer | null = null
  const door = await openApproverDoor({
    port: deps.port,
    clock,
    onTls: terminals.take,
    onHttp: socket => (web ? web.take(socket) : socket.destroy()),
  })
  const opened = deps.window && door.squatter === null ? openWindows(deps, deps.window, door) : null
  web = opened?.web ?? null
  const noWindow = deps.window === null ? 'this host was started without a window' : door.squatter
  const showWindow = async (): Promise<Shown> =>
    opened?.opener.show() ?? {
      shown: false,
      message: `There is no window: ${noWindow}. Answer with "interactive-terminal approve" in a terminal.`,
    }
  deps.presence.onMissed(() => {
    void showWindow().then(({ shown, message }) => {
      deps.presence.problem = shown ? null : message
    })
  })
  return {
    port: door.port,
    showWindow,
    async close() {
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

function openWindows(deps: ApproversDeps, parts: WindowParts, door: ApproverDoor) {
  const { clock, log, journal, admit } = deps
  const tickets = new WindowTickets(clock)
  const windows = new Windows()
  const feed = new WindowFeed({ ...deps.feed, windows, firstRun: { entries: parts.entries } })
  const web = webServer({
    port: door.port,
    clock,
    files: parts.files,
    isInsideRun: port => isInsideRun(port, process.platform, startersOf(deps)),
    onFeed: socket =>
      void new WebConnection(
        {
          clock,
          log,
          journal,
          tickets,
          windows,
          feed,
          origin: web.origin,
          alarm: deps.alarm,
          admit: link => admit(link, { kind: 'ticket' }),
        },
        new WebLink(socket, clock),
      ),
  })
  const directory = join(deps.stateDir, 'window')
  const { browser } = parts
  const opener = new WindowOpener({ clock, log, tickets, windows, browser, origin: web.origin, directory })
  return { web, opener }
}
