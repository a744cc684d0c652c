import type { OpenedLine } from '../../contract/disk/run-record.ts'
import { DEFAULT_OUTPUT_BYTES, type OutputOptions } from '../../contract/tool/output-options.ts'
import type { ListItem, Result } from '../../contract/tool/response.ts'
import { textFrom, textOf } from '../output/output-text.ts'
import { searchOutput } from '../output/search-output.ts'
import type { RunStatus } from './run-status.ts'
import type { RunView } from './run-view.ts'

const KILLED_EXIT_CODE = -1

/** The status of a run, as every answer about it says it. */
export function runResult(view: RunView, options: OutputOptions): Result {
  const status = view.status()
  const verdict = view.verdict()
  const planHash = view.planHash()
  const ran = status.started_at !== null || status.state === 'lost'
  return {
    state: status.state,
    running: status.state === 'running',
    ...(ran && { ...ending(status), ...output(view, options) }),
    ...(status.state === 'running' && waiting(view)),
    ...inputOf(view),
    ...whoAllowed(view, ran),
    ...(verdict && { verdict }),
    ...(status.command_executed !== undefined && { command_executed: status.command_executed }),
    cwd: status.cwd ?? view.opened.cwd,
    ...(status.carried && { carried: status.carried }),
    ...(status.note !== undefined && { warning: status.note }),
    adapter: view.opened.adapter,
    visibility: visibilityOf(view),
    ...(planHash !== null && { plan_hash: planHash }),
  }
}

/** Headless only a rule can allow it. Of the host's runs the disk says who did. */
function whoAllowed(view: RunView, ran: boolean): Pick<Result, 'authorization' | 'approved_by'> {
  const { state, approved_by } = view.status()
  if (state === 'blocked' || state === 'declined' || state === 'expired') return { authorization: 'blocked' }
  if (view.opened.lane === 'headless') return { authorization: 'allowed', ...(ran && { approved_by: 'allowlist' }) }
  if (approved_by !== undefined)
    return { authorization: approved_by === 'person' ? 'allowed_with_warning' : 'allowed', approved_by }
  return state === 'withdrawn' || state === 'failed' ? { authorization: 'blocked' } : {}
}

function ending(status: RunStatus): Result {
  const killed = status.state === 'killed' || status.state === 'timed_out'
  return {
    exit_code: killed ? KILLED_EXIT_CODE : status.exit_code,
    signal: status.signal,
    ...(status.ended_by !== null && { ended_by: status.ended_by }),
    ...(status.took_ms !== null && { execution_time_ms: Math.round(status.took_ms) }),
    ...(!status.drained && { drained: false }),
    ...(status.survivors.length > 0 && { survivors: status.survivors }),
  }
}

function inputOf(view: RunView): Pick<Result, 'input'> {
  const input = view.input()
  return input ? { input } : {}
}

/** What was found says where it is known from: not every system shows it. */
function waiting(view: RunView): Pick<Result, 'wait_state' | 'wait_evidence'> {
  const waits = view.waits()
  if (waits === null) return {}
  if (waits.state === 'none') return { wait_state: 'none' }
  return { wait_state: waits.state, wait_evidence: `${waits.source}: ${waits.evidence}` }
}

function output(view: RunView, options: OutputOptions): Result {
  const source = view.source()
  const budget = options.max_bytes ?? DEFAULT_OUTPUT_BYTES
  const lost = view.status().lost_bytes

  if (options.search !== undefined) {
    const { matches, cursor } = searchOutput(source, options.search, { from: options.cursor ?? 0, budget })
    const left = source.size - cursor
    return {
      matches,
      cursor,
      output_bytes: source.size,
      ...(left > 0 && { omitted_bytes: left, omitted_from: cursor }),
      ...(lost > 0 && { lost_bytes: lost }),
    }
  }

  const text =
    options.cursor === undefined
      ? textOf(source, options.view ?? 'both', budget)
      : textFrom(source, options.cursor, budget)
  const gone = Math.max(text.lost, options.cursor === undefined ? lost : 0)

  return {
    stdout: text.stdout,
    stderr: text.stderr,
    ...(text.order.length > 0 && { order: [...text.order] }),
    cursor: text.cursor,
    output_bytes: source.size,
    ...(text.omitted > 0 && { omitted_bytes: text.omitted, omitted_from: text.omittedFrom }),
    ...(gone > 0 && { lost_bytes: gone }),
  }
}

/** The same for a model: a terminal ends each line with a carriage return that no program wrote. */
export function plainResult(view: RunView, options: OutputOptions): Result {
  const result = runResult(view, options)
  if (view.opened.lane === 'headless' || result.stdout === undefined) return result
  return { ...result, stdout: plainLines(result.stdout) }
}

export const plainLines = (output: string): string => output.replaceAll('\r\n', '\n')

/** docs/spec.md D11: what a person could watch, and what nobody could. */
const visibilityOf = ({ opened }: RunView): 'visible' | 'hidden' =>
  opened.lane === 'interactive' ? 'visible' : 'hidden'

export function listItem(view: RunView): ListItem {
  const status = view.status()
  const { opened } = view
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const over = status.state !== 'running' && status.state !== 'received' && status.state !== 'awaiting_approval'
  return {
    session_id: opened.id,
    terminal_id: opened.terminal_id ?? null,
    adapter: opened.adapter,
    owner: view.owner,
    visibility: visibilityOf(view),
    state: status.state,
    running: status.state === 'running',
    command: commandOf(opened),
    cwd: opened.cwd,
    workspace_id: opened.workspace_id,
    started_at: time(status.started_at),
    ended_at: over ? time(status.at) : null,
    exit_code: status.state === 'killed' || status.state === 'timed_out' ? KILLED_EXIT_CODE : status.exit_code,
    output_bytes: status.output_bytes,
    ...(status.survivors.length > 0 && { survivors: status.survivors }),
  }
}

/** The person's own shell was not asked for with a command. */
const commandOf = ({ command, args, terminal }: OpenedLine): string =>
  command === '' && terminal?.kind === 'shell'
    ? `(a shell: ${terminal.profile})`
    : [command, ...(args ?? [])].join(' ').slice(0, 500)
