import type { Alias, CanonicalAction } from '../contract/aliases.ts'
import { errorBody, fallbackFor, TermError } from '../contract/errors.ts'
import { DEFAULT_OUTPUT_BYTES, type OutputOptions } from '../contract/output-options.ts'
import type { Mode } from '../contract/request.ts'
import type { AnyResponse, ListItem, Result } from '../contract/response.ts'
import type { EndedLine } from '../contract/run-record.ts'
import type { Verdict } from '../policy/verdict.ts'
import { textFrom, textOf } from '../runs/output-text.ts'
import type { RunView } from '../runs/run-view.ts'
import { searchOutput } from '../runs/search-output.ts'

export type ToolName = 'memory_terminal' | 'memory_terminal_interactive'

/** What every answer to one call has in common. */
export interface Frame {
  readonly tool: ToolName
  readonly action: AnyResponse['action']
  readonly canonical: CanonicalAction | 'get_allowlist' | 'update_allowlist' | null
  readonly alias: Alias | null
  readonly warning: string | null
  readonly mode: Mode | null
  readonly requestId: string
  readonly requestIdIs: 'given' | 'made'
  readonly traceId: string
  readonly clientRequestId: string | null
}

const KILLED_EXIT_CODE = -1

/** The run, and the terminal it is in, that an answer is about. */
interface About {
  readonly sessionId?: string
  readonly terminalId?: string | null
}

export function respond(frame: Frame, result: Result, more: About & { running?: boolean } = {}): AnyResponse {
  const status = more.running ? 'accepted' : 'completed'
  return { success: true, action: frame.action, status, result, error: null, ...context(frame, more) }
}

export function refuse(frame: Frame, error: TermError, more: About & { result?: Result } = {}): AnyResponse {
  return {
    success: false,
    action: frame.action,
    status: 'failed',
    result: more.result ?? {},
    error: errorBody(error),
    fallback: fallbackFor(error.code),
    ...context(frame, more),
  }
}

/** What belongs to the call rather than to its outcome; last, because models read from the top. */
function context(frame: Frame, about: About) {
  const alias_applied = frame.alias !== null
  return {
    identity: { session_id: about.sessionId ?? null, terminal_id: about.terminalId ?? null },
    correlation: {
      request_id: frame.requestId,
      trace_id: frame.traceId,
      ...(frame.clientRequestId !== null && { client_request_id: frame.clientRequestId }),
    },
    resolved: { canonical_action: frame.canonical, alias_applied, legacy_action: frame.alias, mode: frame.mode },
    ...(alias_applied && { compat: { alias_applied, ...(frame.warning !== null && { warning: frame.warning }) } }),
  }
}

/** Where a run stands, as every answer about it says it. */
export function runResult(view: RunView, options: OutputOptions): Result {
  const now = view.now()
  const verdict = view.verdict()
  const planHash = view.planHash()
  const ran = now.started_at !== null || now.state === 'lost'
  const refused = now.state === 'blocked' || now.state === 'declined' || now.state === 'expired'
  return {
    state: now.state,
    running: now.state === 'running',
    ...(ran && { ...ending(now), ...output(view, options) }),
    ...(refused ? { authorization: 'blocked' as const } : whoAllowed(view, ran)),
    ...(verdict && { verdict: explained(verdict) }),
    cwd: view.opened.cwd,
    adapter: view.opened.adapter,
    visibility: visibilityOf(view),
    ...(planHash !== null && { plan_hash: planHash }),
  }
}

/** Headless only a rule can allow it. What the host left on disk tells who did, or nothing is said about it. */
function whoAllowed(view: RunView, ran: boolean): Pick<Result, 'authorization' | 'approved_by'> {
  if (view.opened.lane === 'headless') return { authorization: 'allowed', ...(ran && { approved_by: 'allowlist' }) }
  const { approved_by } = view.now()
  if (approved_by === undefined) return {}
  return { authorization: approved_by === 'person' ? 'allowed_with_warning' : 'allowed', approved_by }
}

function explained({ verdict, why, parts, flags }: Verdict): Result['verdict'] {
  const [only] = parts
  if (verdict === 'auto' && parts.length === 1 && only?.rule) return { verdict, why, rule: only.rule }
  const shown = parts.map(({ argv: _, ...part }) => part)
  return { verdict, why, parts: shown, ...(flags.length > 0 && { flags: [...flags] }) }
}

function ending(now: EndedLine): Result {
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

function output(view: RunView, options: OutputOptions): Result {
  const source = view.source()
  const budget = options.max_bytes ?? DEFAULT_OUTPUT_BYTES
  const lost = view.now().lost_bytes
  if (options.search !== undefined) {
    const { matches, cursor } = searchOutput(source, options.search, { from: options.cursor ?? 0, budget })
    const left = source.size - cursor
    return {
      matches,
      cursor,
      output_bytes: source.size,
      ...(left > 0 && { omitted_bytes: left }),
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
    ...(text.omitted > 0 && { omitted_bytes: text.omitted }),
    ...(gone > 0 && { lost_bytes: gone }),
  }
}

/** SPEC D11: what a person could watch, and what nobody could. */
const visibilityOf = ({ opened }: RunView): 'visible' | 'hidden' =>
  opened.lane === 'interactive' ? 'visible' : 'hidden'

/** A run that ended in a way the caller has to hear of as an error; null when its result speaks for itself. */
export function runError(view: RunView): TermError | null {
  const now = view.now()
  const { opened } = view
  switch (now.state) {
    case 'blocked':
      return now.destructive
        ? new TermError('PM_TERM_BLOCKED_DESTRUCTIVE', `Refused: ${now.why}. Nothing ran.`, {
            details: { why: now.why },
          })
        : new TermError('PM_TERM_APPROVAL_REQUIRED', `Not allowlisted: ${now.why}. Nothing ran.`, {
            details: { why: now.why },
          })
    case 'declined':
      return new TermError('PM_TERM_DECLINED', now.why ? `A person declined: ${now.why}` : 'A person declined.', {
        details: { reason: now.why },
      })
    case 'expired':
      return new TermError('PM_TERM_TIMEOUT', 'Nobody answered in time. Nothing ran.', {
        details: { phase: 'approval' },
      })
    case 'timed_out':
      return new TermError('PM_TERM_TIMEOUT', 'kill_after_ms ended the command. Its output so far is kept.', {
        details: { phase: 'execution', session_id: opened.id },
      })
    case 'failed':
      return new TermError('PM_TERM_INTERNAL', `The command could not be started: ${now.why}`, {
        details: { trace_id: opened.trace_id, session_id: opened.id },
      })
    case 'received':
    case 'awaiting_approval':
    case 'running':
    case 'exited':
    case 'killed':
    case 'lost':
    case 'withdrawn':
      return null
  }
}

export function listItem(view: RunView): ListItem {
  const now = view.now()
  const { opened } = view
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const over = now.state !== 'running' && now.state !== 'received' && now.state !== 'awaiting_approval'
  return {
    session_id: opened.id,
    terminal_id: opened.terminal_id ?? null,
    adapter: opened.adapter,
    owner: view.owner,
    visibility: visibilityOf(view),
    state: now.state,
    running: now.state === 'running',
    command: [opened.command, ...(opened.args ?? [])].join(' ').slice(0, 500),
    cwd: opened.cwd,
    workspace_id: opened.workspace_id,
    started_at: time(now.started_at),
    ended_at: over ? time(now.at) : null,
    exit_code: now.state === 'killed' || now.state === 'timed_out' ? KILLED_EXIT_CODE : now.exit_code,
    output_bytes: now.output_bytes,
    ...(now.survivors.length > 0 && { survivors: now.survivors }),
  }
}
