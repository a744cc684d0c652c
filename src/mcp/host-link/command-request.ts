import { isAbsolute, resolve } from 'node:path'
import type { CanonicalRequest } from '../../contract/tool/request.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import type { CallContext } from '../answers/present.ts'
import type { CallerDirectory } from '../server/client-root.ts'
import { wantedDirectory } from '../server/wanted-directory.ts'
import type { HostLaneName } from './lane.ts'

interface Around {
  /** Where this server was started. */
  readonly here: string
  readonly caller: CallerDirectory | undefined
  readonly adapter: HostLaneName
}

/** The canonical request as the host reads it. Paths are made absolute here: the host's own directory is another. */
export function commandRequest(
  context: CallContext,
  request: CanonicalRequest,
  { here, caller, adapter }: Around,
): CommandRequest {
  const { invocation, runtime, target, output } = request
  const { input: _, ...execution } = request.execution ?? {}
  const project = projectOf(request, { here, caller })
  return {
    type: 'command_request',
    request_id: context.requestId,
    trace_id: context.traceId,
    ...(context.clientRequestId !== null && { client_request_id: context.clientRequestId }),
    ...(context.asker && { asker: context.asker }),
    intent: invocation?.intent ?? 'execute_command',
    ...execution,
    ...target,
    ...(runtime?.cwd !== undefined && { working_directory: resolve(project ?? here, runtime.cwd) }),
    ...(project !== null && { workspace_path: project }),
    ...(runtime?.workspace_id !== undefined && { workspace_id: runtime.workspace_id }),
    ...(runtime?.terminal_profile !== undefined && { terminal_profile: runtime.terminal_profile }),
    ...(runtime?.venv_path !== undefined && { venv_path: venvIn(project, runtime.venv_path) }),
    ...(runtime?.activate_venv !== undefined && { activate_venv: runtime.activate_venv }),
    ...(runtime?.kill_after_ms !== undefined && { timeout_seconds: runtime.kill_after_ms / 1000 }),
    ...(runtime?.approval_timeout_ms !== undefined && { approval_timeout_ms: runtime.approval_timeout_ms }),
    ...(request.callerSurface && { caller_surface: request.callerSurface }),
    adapter,
    visibility: 'visible',
    ...(output && { output }),
  }
}

/** The project a request belongs to. Null only where it names a terminal or a run: that has a directory already. */
function projectOf(
  { runtime, target }: CanonicalRequest,
  { here, caller }: Pick<Around, 'here' | 'caller'>,
): string | null {
  if (caller === undefined) return here
  if ('path' in caller) return caller.path
  const cwd = runtime?.cwd ?? null
  if (cwd === null && (target?.terminal_id ?? target?.session_id) !== undefined) return null
  return wantedDirectory({ cwd, field: 'runtime.cwd', caller }, here)
}

/** Relative to the project; where that is not known the host looks from the directory of the terminal. */
const venvIn = (project: string | null, path: string): string =>
  project === null || isAbsolute(path) ? path : resolve(project, path)
