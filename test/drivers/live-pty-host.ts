import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/ids.ts'
import type { Link } from '../../src/base/link/link.ts'
import { jsonLog } from '../../src/base/log.ts'
import { readRange } from '../../src/base/output/output-segments.ts'
import { processTable } from '../../src/base/process/process-table.ts'
import type { FoundPty, PtyCommand, PtyEnd, PtyProcess } from '../../src/base/process/pty.ts'
import { PtyHostClient } from '../../src/host/pty/client.ts'
import { type LivePtyHost, PtyHostLauncher } from '../../src/host/pty/launcher.ts'
import { Place, PRODUCT } from './place.ts'

const ids = randomIds()
const log = jsonLog({ level: 'silent', write: () => {}, now: systemClock.now })

/** A pty-host as a process of its own, and hosts that speak with it. */
export class LivePtyHosts {
  readonly place = new Place()
  readonly launcher: PtyHostLauncher
  readonly #links: Link[] = []
  #started: LivePtyHost | null = null

  constructor(orders: { orphanGraceMs?: number; totalBytes?: number; node?: string } = {}) {
    const state = join(this.place.home, 'state')
    this.launcher = new PtyHostLauncher({
      clock: systemClock,
      ids,
      table: processTable(process.platform),
      program: { node: orders.node ?? process.execPath, args: [PRODUCT], env: {} },
      keyFile: join(state, 'host.key'),
      file: join(state, 'pty-host.json'),
      logFile: join(state, 'pty-host.log'),
      orders: {
        port: 0,
        heartbeat_ms: 5000,
        orphan_grace_ms: orders.orphanGraceMs ?? 60_000,
        kill_grace_ms: 300,
        total_bytes: orders.totalBytes ?? 2 ** 31,
        spawner: process.env.PM_TERM_SPAWNER === 'off' ? 'off' : 'auto',
      },
    })
  }

  get pty(): LivePtyHost {
    if (!this.#started) throw new Error('start it first')
    return this.#started
  }

  async start(): Promise<this> {
    this.#started = await this.launcher.launch()
    return this
  }

  async link(): Promise<Link> {
    const link = await this.launcher.dial(this.pty, AbortSignal.timeout(5000))
    this.#links.push(link)
    return link
  }

  /** A host that has said hello, and what it found. */
  async host(): Promise<{ client: PtyHostClient; link: Link; found: readonly FoundPty[] }> {
    const client = new PtyHostClient({
      clock: systemClock,
      ids,
      log,
      hostId: ids.make('host'),
      heartbeatMs: 5000,
      approver: () => null,
    })
    const link = await this.link()
    const found = await client.meet(link, () => client.lost())
    return { client, link, found }
  }

  command(line: string, more: Partial<PtyCommand> = {}): PtyCommand {
    return ptyCommand(this.place, line, more)
  }

  logOf(runId: string): string {
    return logIn(this.place, runId)
  }

  /** Everything that is in the log of a run. */
  printed(runId: string): Buffer {
    return Buffer.concat(readRange(this.logOf(runId), 0, 2 ** 30).pieces.map(piece => piece.bytes))
  }

  close(): void {
    for (const link of this.#links) link.close('the test ends')
    if (this.#started) this.launcher.terminate(this.#started)
    this.place.remove()
  }
}

export async function run(
  client: PtyHostClient,
  command: PtyCommand,
): Promise<{ readonly pty: PtyProcess; readonly end: PtyEnd }> {
  const pty = await client.start(command, () => {})
  return { pty, end: await pty.ended }
}

/** A line in a bash that reads no files of anybody, as a host would start it. */
export function ptyCommand(place: Place, line: string, more: Partial<PtyCommand> = {}): PtyCommand {
  const runId = more.runId ?? ids.make('req')
  const own = { INTERACTIVE_TERMINAL_RUN: runId, INTERACTIVE_TERMINAL_SERVER: place.root }
  return {
    requester: 'local',
    runId,
    terminalId: 'term_1',
    executable: '/bin/bash',
    args: ['--noprofile', '--norc', '-c', line],
    cwd: place.work,
    env: { PATH: '/usr/bin:/bin', ...own },
    marks: { run: `INTERACTIVE_TERMINAL_RUN=${runId}`, server: `INTERACTIVE_TERMINAL_SERVER=${place.root}` },
    cols: 80,
    rows: 24,
    log: { directory: logIn(place, runId), quotaBytes: 2 ** 28 },
    carry: false,
    ...more,
  }
}

const logIn = (place: Place, runId: string): string => join(place.root, 'logs', runId)
