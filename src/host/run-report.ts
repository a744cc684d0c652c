import { errorBody, TermError } from '../contract/errors.ts'
import type { RunReport } from '../contract/host-frames.ts'
import { DEFAULT_OUTPUT_BYTES, type OutputOptions } from '../contract/output-options.ts'
import type { ListItem, Result } from '../contract/response.ts'
import type { EndedLine, OpenedLine } from '../contract/run-record.ts'
import type { Verdict } from '../policy/verdict.ts'
import { textFrom, textOf } from '../runs/output-text.ts'
import type { RunView } from '../runs/run-view.ts'
import { searchOutput } from '../runs/search-output.ts'
import type { Terminal } from './terminals.ts'

const KILLED_EXIT_CODE = -1

/** Where a run stands, as every frame about it says it. */
export function reportOf(view: RunView, options: OutputOptions): RunReport {
  const now = view.now()
  const { opened } = view
  const verdict = view.verdict()
  const planHash = view.planHash()
  const error = errorOf(view, now)
  const ran = now.started_at !== null || now.state === 'lost'
  const waiting = now.state === 'received' || now.state === 'awaiting_approval' || now.state === 'running'
  return {
    session_id: opened.id,
    terminal_id: opened.terminal_id ?? null,
    client_request_id: opened.client_request_id,
    status: statusOf(now),
    approved: ran,
    reason: error === null ? null : (now.why ?? error.message),
    command: opened.command,
    args: opened.args,
    workspace_id: opened.workspace_id,
    output: '',
    error: error && errorBody(error),
    started_at: time(now.started_at),
    ended_at: waiting ? null : time(now.at),
    // Of a run whose host died nobody wrote down by whose leave it ran.
    ...((now.approved_by || error) && { authorization: authorizationOf(now) }),
    ...(now.approved_by && { approved_by: now.approved_by }),
    ...(verdict && { verdict: explained(verdict) }),
    state: now.state,
    running: now.state === 'running',
    ...(ran && { ...endingOf(now), ...outputOf(view, options) }),
    ...(now.command_executed !== undefined && { command_executed: now.command_executed }),
    cwd: now.cwd ?? opened.cwd,
    ...(now.carried && { carried: now.carried }),
    ...(now.note !== undefined && { warning: now.note }),
    ...(planHash !== null && { plan_hash: planHash }),
    adapter: opened.adapter === 'container_bridge_to_host' ? 'container_bridge_to_host' : 'host_bridge_local',
    visibility: 'visible',
  }
}

/** A terminal in which nothing runs, told in the same words. */
export function reportOfTerminal(terminal: Terminal, requestId: string, warning: string): RunReport {
  return {
    session_id: requestId,
    terminal_id: terminal.id,
    client_request_id: null,
    status: 'approved',
    approved: true,
    reason: null,
    command: '',
    args: null,
    workspace_id: terminal.workspaceId,
    output: '',
    error: null,
    started_at: null,
    ended_at: null,
    authorization: 'allowed',
    warning,
    state: 'exited',
    running: false,
    exit_code: null,
    cwd: terminal.cwd,
    adapter: 'host_bridge_local',
    visibility: 'visible',
  }
}

function statusOf({ state }: EndedLine): RunReport['status'] {
  switch (state) {
    case 'received':
    case 'awaiting_approval':
    case 'running':
      return 'accepted'
    case 'exited':
    case 'killed':
      return 'approved'
    case 'declined':
      return 'declined'
    case 'expired':
    case 'timed_out':
      return 'timeout'
    case 'lost':
    case 'blocked':
    case 'withdrawn':
    case 'failed':
      return 'error'
  }
}

const authorizationOf = (now: EndedLine): NonNullable<Result['authorization']> =>
  now.approved_by === undefined ? 'blocked' : now.approved_by === 'person' ? 'allowed_with_warning' : 'allowed'

function errorOf(view: RunView, now: EndedLine): TermError | null {
  const session_id = view.opened.id
  switch (now.state) {
    case 'blocked':
      if (now.unshown)
        return new TermError(
          'PM_TERM_GUI_UNAVAILABLE',
          `Nothing ran: ${now.why}. A person has to run "interactive-terminal approve" in a terminal.`,
          {
            details: {
              reason: 'bridge_required_no_fallback',
              hint: 'start_gui_app',
              fix: 'interactive-terminal approve',
            },
          },
        )
      return now.destructive
        ? new TermError('PM_TERM_BLOCKED_DESTRUCTIVE', `Refused: ${now.why}. Nothing ran.`, {
            details: { why: now.why },
          })
        : new TermError('PM_TERM_APPROVAL_REQUIRED', `Refused: ${now.why}. Nothing ran.`, { details: { why: now.why } })
    case 'declined':
      return new TermError('PM_TERM_DECLINED', now.why ? `A person declined: ${now.why}` : 'A person declined.', {
        details: { reason: now.why },
      })
    case 'expired':
      return new TermError('PM_TERM_TIMEOUT', 'The question was shown and nobody answered in time. Nothing ran.', {
        details: { phase: 'approval', session_id },
      })
    case 'timed_out':
      return new TermError('PM_TERM_TIMEOUT', 'kill_after_ms ended the command. Its output so far is kept.', {
        details: { phase: 'execution', session_id },
      })
    case 'failed':
      if (now.reason === 'shell_busy')
        return new TermError('PM_TERM_INVALID_MODE', now.why ?? '', { details: { reason: now.reason, session_id } })
      return new TermError('PM_TERM_INTERNAL', `The command could not be started: ${now.why}`, {
        details: { trace_id: view.opened.trace_id, session_id },
      })
    case 'withdrawn':
      return new TermError('PM_TERM_DISCONNECTED', 'The question was withdrawn. Nothing ran.', {
        details: { session_id, reason: 'withdrawn' },
      })
    case 'received':
    case 'awaiting_approval':
    case 'running':
    case 'exited':
    case 'killed':
    case 'lost':
      return null
  }
}

export function explained({ verdict, why, parts, flags }: Verdict): NonNullable<Result['verdict']> {
  const shown = parts.map(({ text, start, end, covered, rule, why: reason }) => ({
    text,
    start,
    end,
    covered,
    rule,
    why: reason,
  }))
  const [only] = shown
  return {
    verdict,
    why,
    ...(verdict === 'auto' && shown.length === 1 && only?.rule ? { rule: only.rule } : { parts: shown }),
    ...(flags.length > 0 && { flags: [...flags] }),
  }
}

function endingOf(now: EndedLine): Partial<RunReport> {
  const killed = now.state === 'killed' || now.state === 'timed_out'
  return {
    exit_code: killed ? KILLED_EXIT_CODE : now.exit_code,
    signal: now.signal,
    ...(now.ended_by !== null && { ended_by: now.ended_by }),
    ...(now.took_ms !== null && { execution_time_ms: Math.round(now.took_ms) }),
    ...(!now.drained && { drained: false }),
    ...(now.survivors.length > 0 && { survivors: now.survivors }),
  }
}

function outputOf(view: RunView, options: OutputOptions): Partial<RunReport> {
  const source = view.source()
  const budget = options.max_bytes ?? DEFAULT_OUTPUT_BYTES
  const lost = view.now().lost_bytes
  if (options.search !== undefined) {
    const { matches, cursor } = searchOutput(source, options.search, { from: options.cursor ?? 0, budget })
    return { matches, cursor, output_bytes: source.size, ...beyond(source.size - cursor, lost) }
  }
  const text =
    options.cursor === undefined
      ? textOf(source, options.view ?? 'both', budget)
      : textFrom(source, options.cursor, budget)
  const gone = Math.max(text.lost, options.cursor === undefined ? lost : 0)
  return { output: text.stdout, cursor: text.cursor, output_bytes: source.size, ...beyond(text.omitted, gone) }
}

const beyond = (omitted: number, lost: number): Partial<RunReport> => ({
  ...(omitted > 0 && { omitted_bytes: omitted }),
  ...(lost > 0 && { lost_bytes: lost }),
})

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export function listItemOf(view: RunView): ListItem {
  const report = reportOf(view, { max_bytes: 256 })
  const { opened } = view
  return {
    session_id: opened.id,
    terminal_id: report.terminal_id,
    adapter: report.adapter,
    owner: view.owner,
    visibility: report.visibility,
    state: report.state,
    running: report.running === true,
    command: commandOf(opened),
    cwd: opened.cwd,
    workspace_id: opened.workspace_id,
    started_at: report.started_at,
    ended_at: report.ended_at,
    exit_code: report.exit_code ?? null,
    output_bytes: view.now().output_bytes,
    ...(report.survivors && { survivors: report.survivors }),
  }
}

/** The person's own shell was not asked for with a command. */
const commandOf = ({ command, args, terminal }: OpenedLine): string =>
  command === '' && terminal?.kind === 'shell'
    ? `(a shell: ${terminal.profile})`
    : [command, ...(args ?? [])].join(' ').slice(0, 500)
