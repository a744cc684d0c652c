import { createHash } from 'node:crypto'
import { TermError } from '../../contract/tool/errors.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'

export const idTaken = (id: string): TermError =>
  new TermError('PM_TERM_INVALID_PAYLOAD', `The request id ${id} already stands for another command.`, {
    details: { issues: [{ field: 'correlation.request_id', problem: 'is already used with another payload' }] },
  })

/** The names of variables and a hash of all of them: their values are nobody's business later. */
export function receivedBody(
  frame: CommandRequest,
  known: {
    readonly cwd: string
    readonly payloadHash: string
    readonly client: string
    readonly workspaceId: string | null
  },
): Record<string, unknown> {
  const env = Object.entries(frame.env ?? {}).sort()
  return {
    payload_hash: known.payloadHash,
    trace_id: frame.trace_id,
    client: known.client,
    command: frame.command ?? '',
    args: frame.args ?? null,
    cwd: known.cwd,
    workspace_id: known.workspaceId,
    ...((frame.workspace_id ?? known.workspaceId) !== known.workspaceId && { workspace_claimed: frame.workspace_id }),
    context: frame.context ?? null,
    ...(frame.caller_surface !== undefined && { caller_surface: frame.caller_surface }),
    env_names: env.map(([name]) => name),
    env_hash: env.length === 0 ? null : createHash('sha256').update(JSON.stringify(env)).digest('hex'),
  }
}

/** What makes two requests the same one. How long somebody waits for it does not. */
export function payloadHashOf(frame: CommandRequest): string {
  const { intent, command, args, env, working_directory, terminal_id, session_id, terminal_profile } = frame
  const { workspace_id, venv_path, activate_venv, timeout_seconds } = frame
  const parts = [intent, command, args, Object.entries(env ?? {}).sort(), working_directory, terminal_id, session_id]
  const more = [terminal_profile, workspace_id, venv_path, activate_venv, timeout_seconds]
  return createHash('sha256')
    .update(JSON.stringify([...parts, ...more].map(part => part ?? null)))
    .digest('hex')
}
