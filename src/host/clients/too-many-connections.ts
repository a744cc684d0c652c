import { errorBody, TermError } from '../../contract/tool/errors.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import type { FromHost } from '../../contract/wire/host-frames.ts'

/** What one more MCP server of the same person, or of the same paired client, hears instead of a hello. */
export const tooManyClients = (most: number): FromHost => ({
  type: 'error',
  error: errorBody(
    new TermError(
      'PM_TERM_GUI_UNAVAILABLE',
      `${most} MCP servers of the same person are connected to the host, as many as it takes. End agents that are no longer used, then try again.`,
      { details: { most_connections: most } },
    ),
  ),
})

/** What one more approver in a terminal hears. */
export const tooManyApprovers = (most: number): ToApprover => ({
  type: 'refused',
  reason: `${most} terminals are connected to the host as approvers already, as many as it takes. Close one of them, then try again.`,
})
