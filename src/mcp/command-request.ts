import { resolve } from 'node:path'
import type { CanonicalRequest } from '../contract/canonicalise.ts'
import type { CommandRequest } from '../contract/host-frames.ts'
import type { Frame } from './present.ts'

/** The canonical request as the host reads it. Paths are made absolute here: the host's own directory is another. */
export function commandRequest(frame: Frame, request: CanonicalRequest, cwd: string): CommandRequest {
  const { invocation, runtime, execution, target, output } = request
  return {
    type: 'command_request',
    request_id: frame.requestId,
    trace_id: frame.traceId,
    ...(frame.clientRequestId !== null && { client_request_id: frame.clientRequestId }),
    intent: invocation?.intent ?? 'execute_command',
    ...execution,
    ...target,
    ...(runtime?.cwd !== undefined && { working_directory: resolve(cwd, runtime.cwd) }),
    workspace_path: cwd,
    ...(runtime?.workspace_id !== undefined && { workspace_id: runtime.workspace_id }),
    ...(runtime?.terminal_profile !== undefined && { terminal_profile: runtime.terminal_profile }),
    ...(runtime?.venv_path !== undefined && { venv_path: resolve(cwd, runtime.venv_path) }),
    ...(runtime?.activate_venv !== undefined && { activate_venv: runtime.activate_venv }),
    ...(runtime?.kill_after_ms !== undefined && { timeout_seconds: runtime.kill_after_ms / 1000 }),
    ...(runtime?.approval_timeout_ms !== undefined && { approval_timeout_ms: runtime.approval_timeout_ms }),
    adapter: 'host_bridge_local',
    visibility: 'visible',
    ...(output && { output }),
  }
}
