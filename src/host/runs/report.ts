import { errorBody } from '../../contract/tool/errors.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import type { RunReport } from '../../contract/wire/host-frames.ts'
import { outcomeOf } from '../../runs/run/ended-line.ts'
import { runError } from '../../runs/run/run-error.ts'
import { type Reading, runResult, time } from '../../runs/run/run-result.ts'
import { isOver, type StateName, startedAt } from '../../runs/run/run-state.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { withoutSecrets } from '../../runs/secrets/without-secrets.ts'
import { adapterOf } from '../names.ts'
import type { Terminal } from '../terminals/terminal.ts'

/** Where a run stands, as every frame about it says it. `looksOn`: not for whoever asked for the run. */
export async function reportOf(
  view: RunView,
  options: OutputOptions,
  reading: Reading,
  looksOn = false,
): Promise<RunReport> {
  // Looked at first: what it prints while it is read is no reason to call it over.
  const status = view.status()
  const error = runError(view)
  const { state } = status
  const { opened } = view

  // A terminal has one stream: what it printed is `output`.
  const whole = withoutSecrets(await runResult(view, options, reading), reading.redactor)
  const { stdout, stderr: _, order: __, adapter: ___, visibility: ____, ...result } = whole
  if (result.wait_state !== undefined && !looksOn) view.markWaitReported()

  return {
    session_id: opened.id,
    terminal_id: opened.terminal_id ?? null,
    client_request_id: opened.client_request_id,
    status: statusOf(state.at),
    approved: status.approved_by !== undefined || startedAt(state) !== null,
    reason: error === null ? null : (outcomeOf(status).why ?? error.message),
    command: opened.command,
    args: opened.args,
    workspace_id: opened.workspace_id,
    error: error && errorBody(error),
    started_at: time(startedAt(state)),
    ended_at: isOver(state) ? time(state.endedAt) : null,
    ...result,
    state: state.at,
    output: stdout ?? '',
    adapter: opened.adapter === 'container_bridge_to_host' ? 'container_bridge_to_host' : 'host_bridge_local',
    visibility: 'visible',
  }
}

/** A terminal in which nothing runs, reported in the same words. */
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
    cwd: terminal.cwd,
    adapter: adapterOf(terminal.requester),
    visibility: 'visible',
  }
}

function statusOf(state: StateName): RunReport['status'] {
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
