import type { RunReport } from '../../contract/wire/host-frames.ts'

/**
 * A client whose own clock ran out has not asked for an end: the run lives on and can be read later. MCP has no code for it:
 * `notifications/cancelled` carries only a text of the client, so that text is all there is to go by.
 */
export function wantsItStopped(signal: AbortSignal): boolean {
  return signal.aborted && !/time[d ]?\s?-?out/i.test(String(signal.reason))
}

/** Whether the cancellation withdrew a question, ended a wait, or came too late. */
export function cancelledHow({ state }: RunReport): string {
  switch (state) {
    case 'withdrawn':
      return 'Cancelled: the question was withdrawn, nothing ran.'
    case 'received':
    case 'awaiting_approval':
    case 'running':
      return 'Cancelled: this call stopped waiting. The command had started and runs on; terminate ends it.'
    default:
      return 'Cancelled too late: it was already over.'
  }
}
