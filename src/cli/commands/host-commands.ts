import { createInterface } from 'node:readline/promises'
import { systemClock } from '../../base/clock.ts'
import type { Link } from '../../base/link/link.ts'
import { jsonLog } from '../../base/log.ts'
import { processTable } from '../../base/process/process-table.ts'
import { type Configuration, loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { localDialer } from '../../mcp/host-link/local-dialer.ts'
import { findContainer, refuseContainer } from '../machine/refuse-container.ts'
import { refuseInsideRun } from '../person/person-check.ts'
import { needPerson } from '../reach/approver-dial.ts'
import type { FoundHost } from '../reach/found-host.ts'
import { brokenHostFile, livingHost } from '../reach/host-lock.ts'
import { queryHost } from '../reach/query-host.ts'
import { showItsWindow } from './show-window.ts'
import { type CommandAnswer, statusCommand } from './status-command.ts'
import { stopCommand } from './stop-command.ts'

/** `open`, `status` and `stop`: what a person does with the host that runs. What they say is in `cli`. */
type Options = Readonly<Record<string, unknown>>

const STATUS_WITHIN_MS = 5000
/** An orderly end gives commands their time, and pty-host its own. */
const ENDS_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 50

export async function status(raw: RawSettings, version: string, { json }: Options): Promise<number> {
  const configuration = loadSettings(raw)
  const { inContainer } = await findContainer(configuration, raw)
  const found = await findHost(configuration, version)
  return print(statusCommand(found, { json: json === true, container: inContainer === 'yes' }))
}

/** Anybody of this user may end a process; this command is for the person, and says what would end with it. */
export async function stop(raw: RawSettings, version: string, { json, force }: Options): Promise<number> {
  const configuration = loadSettings(raw)
  refuseInsideRun(configuration.paths.stateDir, 'end the host')
  needPerson('end the host')
  const found = await findHost(configuration, version)
  const end = (pid: number) => endHost(configuration, pid)
  return print(await stopCommand({ found, force: force === true, json: json === true, confirm, end }))
}

export async function open(raw: RawSettings, version: string, { json }: Options): Promise<number> {
  const configuration = loadSettings(raw)
  if (livingHost(configuration.paths.hostFile, processTable(process.platform)) === null) {
    const broken = await brokenHostFile(configuration.paths.hostFile)
    if (broken?.runs) throw new TermError('PM_TERM_GUI_UNAVAILABLE', broken.why)
    await refuseContainer(configuration, raw)
    await startOne(configuration)
  }
  const { shown, message } = await showItsWindow(configuration, version)
  return print({ code: shown ? 0 : 1, text: json === true ? JSON.stringify({ shown, message }, null, 2) : message })
}

async function findHost({ paths }: Configuration, version: string): Promise<FoundHost> {
  const answer = await queryHost(paths, version, { type: 'status', withinMs: STATUS_WITHIN_MS })
  switch (answer.at) {
    case 'none': {
      const broken = await brokenHostFile(paths.hostFile)
      return broken ? { at: 'unreadable', ...broken } : answer
    }
    case 'silent':
      return { at: 'silent', pid: answer.host.pid, port: answer.host.port, why: answer.why }
    case 'answered': {
      const { host, reply } = answer
      if (reply.type === 'status_answered') return { at: 'up', status: reply }
      return { at: 'silent', pid: host.pid, port: host.port, why: 'it answered something else' }
    }
  }
}

/** As an MCP server starts it: detached, and with nothing of this terminal's environment. */
async function startOne(configuration: Configuration): Promise<void> {
  const log = jsonLog({ level: 'error', write: line => void process.stderr.write(line), now: systemClock.now })
  const greet = async (link: Link) => link
  const dialer = localDialer<Link>(configuration, { clock: systemClock, log, greet, workspace: null })
  const asked = { choice: 'local_or_bundled_auto', binaryPath: null, launch: 'if_needed' } as const
  // Nothing of ours keeps the process alive by itself; this does, until it is there.
  const awake = setInterval(() => {}, 1000)
  try {
    const { connection } = await dialer.reach(asked, new AbortController().signal)
    connection.close('it is there')
  } finally {
    clearInterval(awake)
  }
}

/** Only the very process that the host's file names, by its start time as well. */
async function endHost({ paths }: Configuration, pid: number): Promise<boolean> {
  const table = processTable(process.platform)
  const lives = () => livingHost(paths.hostFile, table)?.pid === pid || table.row(pid)?.start === start
  const start = table.row(pid)?.start ?? 'gone'
  if (livingHost(paths.hostFile, table)?.pid !== pid) return true
  process.kill(pid, 'SIGTERM')
  const until = systemClock.elapsed() + ENDS_WITHIN_MS
  while (lives() && systemClock.elapsed() < until) await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS))
  return !lives()
}

async function confirm(text: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(text)).trim())
  } finally {
    terminal.close()
  }
}

function print({ code, text }: CommandAnswer): number {
  process.stdout.write(`${text}\n`)
  return code
}
