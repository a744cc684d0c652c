import type { Clock } from '../../base/clock.ts'
import type { OpenedLine } from '../../contract/disk/run-record.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import type { Result } from '../../contract/tool/response.ts'
import type { ListItem } from '../../contract/tool/run-lists.ts'
import { SHELLS, type Shell } from '../../policy/model/reading.ts'
import { type EndedCommand, exitMeaning } from '../ending/exit-meaning.ts'
import { readOutput } from '../output/read-output.ts'
import type { ScreenSize } from '../output/screen-text.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { outcomeOf } from './ended-line.ts'
import { isOver, type RunState, startedAt } from './run-state.ts'
import type { RunStatus } from './run-status.ts'
import type { RunView } from './run-view.ts'

const KILLED_EXIT_CODE = -1
const USUAL_SIZE: ScreenSize = { cols: 120, rows: 30 }

/** What an answer about a run needs beside the run. */
export interface Reading {
  readonly clock: Clock
  /** Of the terminal that it is in. */
  readonly size?: ScreenSize
  /** Every answer is for an agent. */
  readonly redactor: Redactor
}

/** The status of a run, as every answer about it says it. */
export async function runResult(view: RunView, options: OutputOptions, reading: Reading): Promise<Result> {
  const { clock, size, redactor } = reading
  // Looked at first: an answer that calls it over has all of its output.
  const status = view.status()
  const { state, lost_bytes: lost } = status
  const ran = hasRun(state)
  const terminal = view.opened.lane === 'interactive' ? (size ?? USUAL_SIZE) : null
  const output = ran ? await readOutput({ source: view.source(), lost, size: terminal, clock, redactor }, options) : {}

  const verdict = view.verdict()
  const planHash = view.planHash()
  return {
    state: state.at,
    running: state.at === 'running',
    ...(ran && { ...ending(view, status), ...output }),
    ...(state.at === 'running' && waiting(view)),
    ...inputOf(view),
    ...whoAllowed(view, ran),
    ...(verdict && { verdict }),
    ...(status.command_executed !== undefined && { command_executed: status.command_executed }),
    cwd: status.cwd ?? view.opened.cwd,
    ...(status.sandbox && { sandbox: status.sandbox }),
    ...(status.carried && { carried: status.carried }),
    ...(status.note !== undefined && { warning: status.note }),
    adapter: view.opened.adapter,
    visibility: visibilityOf(view),
    ...(planHash !== null && { plan_hash: planHash }),
  }
}

/** Of one that is lost nobody knows. */
const hasRun = (state: RunState): boolean => startedAt(state) !== null || state.at === 'lost'

const exitCodeOf = (state: RunState): number | null => {
  if (state.at === 'killed' || state.at === 'timed_out') return KILLED_EXIT_CODE
  return state.at === 'exited' ? state.exitCode : null
}

/** The line that ran, and the shell between, if there was one. */
function endedCommand({ opened }: RunView, { command_executed: instead, cwd }: RunStatus): EndedCommand {
  const { command, args, terminal, lane } = opened
  const profile = terminal?.profile ?? 'sh'
  return {
    command: instead ?? command,
    args: instead === undefined ? args : null,
    cwd: cwd ?? opened.cwd,
    shell: lane === 'headless' || (args !== null && instead === undefined) ? null : shellNamed(profile),
  }
}

const shellNamed = (profile: string): Shell =>
  profile === 'pwsh' ? 'powershell' : (SHELLS.find(name => name === profile) ?? 'sh')

/** Headless only a rule can allow it. Of the host's runs the disk says who did. */
function whoAllowed(view: RunView, ran: boolean): Pick<Result, 'authorization' | 'approved_by'> {
  const { state, approved_by } = view.status()
  const { at } = state
  if (at === 'blocked' || at === 'declined' || at === 'expired') return { authorization: 'blocked' }
  if (view.opened.lane === 'headless') return { authorization: 'allowed', ...(ran && { approved_by: 'allowlist' }) }
  if (approved_by !== undefined)
    return { authorization: approved_by === 'person' ? 'allowed_with_warning' : 'allowed', approved_by }
  return at === 'withdrawn' || at === 'failed' ? { authorization: 'blocked' } : {}
}

function ending(view: RunView, status: RunStatus): Result {
  const { state, drained, survivors } = status
  const { signal, ended_by } = outcomeOf(status)
  const meaning =
    state.at === 'exited' && state.exitCode ? exitMeaning(endedCommand(view, status), state.exitCode) : null
  return {
    exit_code: exitCodeOf(state),
    ...(meaning !== null && { exit_meaning: meaning }),
    ...(status.pipestatus && { pipestatus: status.pipestatus }),
    signal,
    ...(ended_by !== null && { ended_by }),
    ...('tookMs' in state && { execution_time_ms: Math.round(state.tookMs) }),
    ...(!drained && { drained: false }),
    ...(survivors.length > 0 && { survivors }),
  }
}

function inputOf(view: RunView): Pick<Result, 'input'> {
  const input = view.input()
  return input ? { input } : {}
}

/** What was found says where it is known from: not every system shows it. */
function waiting(view: RunView): Pick<Result, 'wait_state' | 'wait_evidence'> {
  const waits = view.waits()
  if (waits === null || waits.state === 'none') return {}
  return { wait_state: waits.state, wait_evidence: `${waits.source}: ${waits.evidence}` }
}

/** The same for a model: a terminal ends each line with a carriage return that no program wrote. */
export async function plainResult(view: RunView, options: OutputOptions, reading: Reading): Promise<Result> {
  const result = await runResult(view, options, reading)
  if (view.opened.lane === 'headless' || result.stdout === undefined) return result
  return { ...result, stdout: plainLines(result.stdout) }
}

export const plainLines = (output: string): string => output.replaceAll('\r\n', '\n')

/** docs/spec.md D11: what a person could watch, and what nobody could. */
const visibilityOf = ({ opened }: RunView): 'visible' | 'hidden' =>
  opened.lane === 'interactive' ? 'visible' : 'hidden'

/** As answers and frames write it. */
export const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export function listItem(view: RunView): ListItem {
  const status = view.status()
  const { opened } = view
  const { state } = status
  return {
    session_id: opened.id,
    terminal_id: opened.terminal_id ?? null,
    adapter: opened.adapter,
    owner: view.owner,
    visibility: visibilityOf(view),
    state: state.at,
    running: state.at === 'running',
    command: commandOf(opened),
    cwd: opened.cwd,
    workspace_id: opened.workspace_id,
    started_at: time(startedAt(state)),
    ended_at: isOver(state) ? time(state.endedAt) : null,
    exit_code: exitCodeOf(state),
    output_bytes: status.output_bytes,
    ...(status.survivors.length > 0 && { survivors: status.survivors }),
  }
}

/** The person's own shell was not asked for with a command. */
const commandOf = ({ command, args, terminal }: OpenedLine): string =>
  command === '' && terminal?.kind === 'shell'
    ? `(a shell: ${terminal.profile})`
    : [command, ...(args ?? [])].join(' ').slice(0, 500)
