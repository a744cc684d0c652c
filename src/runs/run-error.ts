import { TermError } from '../contract/errors.ts'
import type { RunView } from './run-view.ts'

/** A run that ended in a way the caller has to hear of as an error; null when its result speaks for itself. */
export function runError(view: RunView): TermError | null {
  const now = view.now()
  const { opened } = view
  switch (now.state) {
    case 'blocked':
      if (now.unshown) return unshown(now.why)
      return now.destructive
        ? new TermError('PM_TERM_BLOCKED_DESTRUCTIVE', `Refused: ${now.why}. Nothing ran.`, {
            details: { why: now.why },
          })
        : new TermError(
            'PM_TERM_APPROVAL_REQUIRED',
            `${opened.lane === 'headless' ? 'Not allowlisted' : 'Refused'}: ${now.why}. Nothing ran.`,
            { details: { why: now.why } },
          )
    case 'declined':
      return new TermError('PM_TERM_DECLINED', now.why ? `A person declined: ${now.why}` : 'A person declined.', {
        details: { reason: now.why },
      })
    case 'expired':
      return new TermError('PM_TERM_TIMEOUT', 'The question was shown and nobody answered in time. Nothing ran.', {
        details: { phase: 'approval', session_id: opened.id },
      })
    case 'timed_out':
      return new TermError('PM_TERM_TIMEOUT', 'kill_after_ms ended the command. Its output so far is kept.', {
        details: { phase: 'execution', session_id: opened.id },
      })
    case 'failed':
      if (now.reason === 'shell_busy')
        return new TermError('PM_TERM_INVALID_MODE', now.why ?? '', {
          details: { reason: now.reason, session_id: opened.id },
        })
      if (now.invalid)
        return new TermError('PM_TERM_INVALID_PAYLOAD', now.why ?? 'The request cannot be run.', {
          details: { session_id: opened.id },
        })
      return new TermError('PM_TERM_INTERNAL', `The command could not be started: ${now.why}`, {
        details: { trace_id: opened.trace_id, session_id: opened.id },
      })
    case 'withdrawn':
      // Headless there is no question: it was the caller who gave it up.
      if (opened.lane === 'headless') return null
      return new TermError('PM_TERM_DISCONNECTED', 'The question was withdrawn. Nothing ran.', {
        details: { session_id: opened.id, reason: 'withdrawn' },
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

const FIX = 'interactive-terminal approve'

function unshown(why: string | null): TermError {
  const what = why?.includes(FIX) ? why : `${why}. A person has to run "${FIX}" in a terminal.`
  return new TermError('PM_TERM_GUI_UNAVAILABLE', `Nothing ran: ${what}`, {
    details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app', fix: FIX },
  })
}
