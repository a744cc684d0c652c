import { type ErrorCode, TermError } from '../../contract/tool/errors.ts'
import { type Issue, invalidPayload } from '../../contract/tool/issues.ts'

export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Record<string, unknown>
}

/** What a caller of the tool calls the fields that have another name on the wire. */
const FIELDS: Readonly<Record<string, string>> = {
  working_directory: 'runtime.cwd',
  // Where the server was started: what counts when the caller names no directory.
  workspace_path: 'runtime.cwd',
  venv_path: 'runtime.venv_path',
  activate_venv: 'runtime.activate_venv',
  terminal_profile: 'runtime.terminal_profile',
  terminal_id: 'target.terminal_id',
  session_id: 'target.session_id',
  request_id: 'correlation.request_id',
}

/** An error of the host in the caller's words. */
export function hostError({ code, message, details }: WireError): TermError {
  const { issues } = details
  if (code !== 'PM_TERM_INVALID_PAYLOAD' || !Array.isArray(issues)) return new TermError(code, message, { details })
  return invalidPayload((issues as Issue[]).map(({ field, problem }) => ({ field: FIELDS[field] ?? field, problem })))
}
