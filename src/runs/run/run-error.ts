import { toType } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { drawable } from '../../contract/tool/issues.ts'
import type { RunStatus } from './run-status.ts'
import type { RunView } from './run-view.ts'

/** A run that ended in a way the caller has to see as an error; null when its result speaks for itself. */
export function runError(view: RunView): TermError | null {
  const status = view.status()
  const { opened } = view

  switch (status.state) {
    case 'blocked':
      if (status.reason === 'too_many_questions')
        return new TermError('PM_TERM_INVALID_MODE', tooMany(status.why), {
          details: { reason: status.reason, session_id: opened.id },
        })
      return status.unshown ? unshown(status) : refused(view)

    case 'declined':
      return new TermError('PM_TERM_DECLINED', status.why ? `A person declined: ${status.why}` : 'A person declined.', {
        details: { reason: status.why },
      })

    case 'expired':
      return new TermError('PM_TERM_TIMEOUT', 'The question was shown and nobody answered in time. Nothing ran.', {
        details: { phase: 'approval', ...timeOut(view) },
      })
    case 'timed_out':
      return new TermError('PM_TERM_TIMEOUT', 'kill_after_ms ended the command. Its output so far is kept.', {
        details: { phase: 'execution', ...timeOut(view) },
      })

    case 'failed':
      if (status.reason === 'shell_busy')
        return new TermError('PM_TERM_INVALID_MODE', status.why ?? '', {
          details: { reason: status.reason, session_id: opened.id },
        })
      if (status.invalid)
        return new TermError('PM_TERM_INVALID_PAYLOAD', status.why ?? 'The request cannot be run.', {
          details: { session_id: opened.id },
        })
      return new TermError(
        'PM_TERM_INTERNAL',
        `The command could not be started: ${(status.why ?? 'nobody knows why').replace(/\.$/, '')}. A new try needs another id than ${opened.id}.`,
        { details: { trace_id: opened.trace_id, session_id: opened.id } },
      )

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

const tooMany = (why: string | null): string => `Not asked: ${why}. Nothing ran. Wait until some are answered.`

/** Names the directory as well: what may run depends on it, and it may not be the one the caller thinks of. */
function refused({ opened, status }: RunView): TermError {
  const { why, destructive, cwd = opened.cwd } = status()
  const code = destructive ? 'PM_TERM_BLOCKED_DESTRUCTIVE' : 'PM_TERM_APPROVAL_REQUIRED'
  const kind = !destructive && opened.lane === 'headless' ? 'Not allowlisted' : 'Refused'
  return new TermError(code, `${kind}: ${why}. Nothing ran in ${drawable(cwd)}.`, { details: { why, cwd } })
}

/** How long it had, and what the time was up for. */
function timeOut({ opened, status }: RunView): Record<string, unknown> {
  const { limit_ms } = status()
  const { id: session_id, terminal_id = null } = opened
  return { session_id, ...(limit_ms !== undefined && { timeout_ms: limit_ms }), target: { session_id, terminal_id } }
}

const FIX = toType('approve')

/** Whoever knows why there is no window says so in whole sentences, with a way to answer all the same. */
function unshown({ reason, why }: RunStatus): TermError {
  const known = reason === 'no_window' ? why : `To answer without a window: "${FIX}" in a terminal.`
  return new TermError('PM_TERM_GUI_UNAVAILABLE', `Nobody could be asked, so nothing ran. ${known}`, {
    details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app', fix: FIX },
  })
}
