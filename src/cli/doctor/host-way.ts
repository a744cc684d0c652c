import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { readKeyFile } from '../../base/keys/key-file.ts'
import type { Link } from '../../base/link/link.ts'
import { DialError, dialPsk } from '../../base/link/psk-socket.ts'
import { toType } from '../../base/own-command.ts'
import { peerAt } from '../../base/process/peer-process.ts'
import type { ProcessTable } from '../../base/process/process-table.ts'
import type { Configuration } from '../../config/settings.ts'
import type { StatusAnswered } from '../../contract/wire/host-status.ts'
import { readPtyHostFile } from '../../host/pty/launcher.ts'
import { type HostConnection, helloFrom, shakeHands } from '../../mcp/host-link/host-connection.ts'
import { LOCAL } from '../../mcp/host-link/local-dialer.ts'
import { brokenHostFile, type HostFile, livingHost, readHostFile } from '../reach/host-lock.ts'
import { type CheckFound, Fault } from './check.ts'
import { portIsFree } from './files.ts'

const WITHIN_MS = 3000
const NO_HOST = 'no host was reached'

/** The way that a request to the host takes, step by step; each step keeps what the next one needs. */
export class HostWay {
  readonly #configuration: Configuration
  readonly #version: string
  readonly #table: ProcessTable
  readonly #inContainer: boolean
  #file: HostFile | null = null
  #link: Link | null = null
  #connection: HostConnection | null = null
  #status: StatusAnswered | null = null

  constructor(
    configuration: Configuration,
    { version, table, inContainer }: { version: string; table: ProcessTable; inContainer: boolean },
  ) {
    this.#configuration = configuration
    this.#version = version
    this.#table = table
    this.#inContainer = inContainer
  }

  get status(): StatusAnswered | null {
    return this.#status
  }

  /** Finds the host and opens an authenticated link, or says whether one could start. */
  async dial(): Promise<CheckFound> {
    const { paths } = this.#configuration
    const broken = await brokenHostFile(paths.hostFile)
    if (broken)
      throw new Fault(
        broken.why,
        broken.runs ? `End that host, then start it again: ${toType()}` : `Start it: ${toType()} replaces the file.`,
      )
    this.#file = livingHost(paths.hostFile, this.#table)
    if (this.#file === null) return this.#noneRuns()

    const { port, pid, approver_port } = this.#file
    const where = `pid ${pid}, servers on 127.0.0.1:${port}, approvers on 127.0.0.1:${approver_port}`
    const restart = `End it with "${toType('stop --force')}", then start it again: ${toType()}`
    try {
      const key = readKeyFile(paths.localKeyFile)
      const address = { host: '127.0.0.1', port, identity: LOCAL, key, timeoutMs: WITHIN_MS, clock: systemClock }
      this.#link = await dialPsk({ ...address, signal: AbortSignal.timeout(2 * WITHIN_MS) })
      return where
    } catch (cause) {
      if (!(cause instanceof DialError)) throw new Fault((cause as Error).message, restart)
      throw this.#undialled(cause, where, restart)
    }
  }

  #undialled({ problem, message }: DialError, where: string, restart: string): Fault {
    const holder = peerAt(this.#file?.port ?? 0, process.platform, []).process
    const isOther = holder !== null && holder.pid !== this.#file?.pid
    if (isOther)
      return new Fault(
        `pid ${holder.pid} (${holder.program}) answers on 127.0.0.1:${this.#file?.port} instead of the host (${where})`,
        `End pid ${holder.pid}, then start the host again: ${toType()}`,
      )
    if (problem === 'wrong_key')
      return new Fault(
        `whoever answers there does not have the key of your servers (${where})`,
        `${this.#configuration.paths.localKeyFile} was replaced while the host ran. ${restart}`,
      )
    return new Fault(`it lives but does not answer: ${message} (${where})`, restart)
  }

  async #noneRuns(): Promise<CheckFound> {
    const { settings, paths } = this.#configuration
    if (this.#inContainer) return 'none runs in this container, and no command starts one'
    const ports = [
      ['PM_TERM_PORT', settings.PM_TERM_PORT, 'servers'],
      ['PM_TERM_APPROVER_PORT', settings.PM_TERM_APPROVER_PORT, 'the window'],
      ['PM_TERM_PTY_HOST_PORT', settings.PM_TERM_PTY_HOST_PORT, 'terminals'],
    ] as const
    for (const [name, port, whose] of ports) {
      if (port === 0 || (name === 'PM_TERM_PTY_HOST_PORT' && this.#ownPtyHost(port)) || (await portIsFree(port)))
        continue
      const holder = peerAt(port, process.platform, []).process
      const who = holder ? `pid ${holder.pid} (${holder.program})` : 'another program'
      throw new Fault(
        `none runs, and none can start: port ${port}, for ${whose}, is taken by ${who}`,
        `End that program, or choose another port: ${name} in ${paths.settingsFile}, which agents' servers read as well.`,
      )
    }
    const left =
      readHostFile(paths.hostFile) === null ? '' : `; ${paths.hostFile} was left by one that did not end in order`
    return `none runs; an interactive command starts one${left}`
  }

  /** One that an earlier host left runs on until the next one takes it back. */
  #ownPtyHost(port: number): boolean {
    const pty = readPtyHostFile(this.#configuration.paths.ptyHostFile)
    return pty !== null && pty.port === port && this.#table.row(pty.pid) !== null
  }

  /** Both sides say hello, and the host says how it is. */
  async hello(): Promise<CheckFound> {
    if (this.#link === null) return { skipped: NO_HOST }
    const ids = randomIds()
    const hello = helloFrom(ids, { name: 'doctor of interactive-terminal', version: this.#version, pid: process.pid })
    this.#connection = await shakeHands(this.#link, hello, { clock: systemClock, withinMs: WITHIN_MS })
    const { ack } = this.#connection
    this.#status = await this.#askStatus({ type: 'status', request_id: ids.make('req'), trace_id: hello.trace_id })
    const said = `version ${ack.host.version}, we are "${ack.identity}" there`
    if (ack.host.version === this.#version) return said
    return {
      detail: `${said}; this program is version ${this.#version}`,
      note: `Host and program are of two versions and understand each other. To have one: "${toType('stop')}", then ${toType()}`,
    }
  }

  #askStatus(frame: { type: 'status'; request_id: string; trace_id: string }): Promise<StatusAnswered | null> {
    const connection = this.#connection
    if (connection === null) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      systemClock.after(WITHIN_MS, () =>
        reject(new Fault(`it says hello and then nothing for ${WITHIN_MS} ms`, `"${toType('stop --force')}" ends it.`)),
      )
      connection.onLost(reason => reject(new Error(`it ended the connection: ${reason}`)))
      connection.onReply(frame.request_id, reply => resolve(reply.type === 'status_answered' ? reply : null))
      connection.send(frame)
    })
  }

  pty(): CheckFound {
    const { settings, paths } = this.#configuration
    if (settings.PM_TERM_PTY_HOST === 'in_process') return 'terminals are in the host itself'
    if (this.#status !== null) {
      const { health, detail } = this.#status.pty_host
      if (health !== 'gone') return detail
      throw new Fault(detail, `${paths.ptyHostLogFile} says what it did last. "${toType('stop')}", then ${toType()}`)
    }
    const pty = readPtyHostFile(paths.ptyHostFile)
    if (!pty || !this.#table.row(pty.pid)) return 'none runs; a host starts one'
    return `pid ${pty.pid} on 127.0.0.1:${pty.port}`
  }

  close(): void {
    this.#connection?.goodbye('only a question')
    this.#link?.close('only a question')
  }
}
