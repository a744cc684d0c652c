import { toType } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { drawable } from '../../contract/tool/issues.ts'
import type { RunState } from './run-state.ts'
import type { RunView } from './run-view.ts'

const keptWords = (since: string | undefined, until: string | undefined): string =>
  `That was at ${since}, for this command in any spelling until ${until}: they were not asked again. Do something else, or ask them to take it back in their window, under Rules.`

/** A run that ended in a way the caller has to see as an error; null when its result speaks for itself. */
export function runError(view: RunView): TermError | null {
  const { state } = view.status()
  const { opened } = view

  switch (state.at) {
    case 'blocked':
      return blocked(view, state)

    case 'declined': {
      const { reason, kept } = state
      const said = reason ? `A person declined: ${reason}` : 'A person declined.'
      if (!kept) return new TermError('PM_TERM_DECLINED', said, { details: { reason } })
      const [since, until] = [kept.since, kept.until].map(at => new Date(at).toISOString())
      return new TermError('PM_TERM_DECLINED', `${said} ${keptWords(since, until)}`, {
        details: { reason, kept_decline: { since, until } },
      })
    }

    case 'expired':
      return new TermError('PM_TERM_TIMEOUT', 'The question was shown and nobody answered in time. Nothing ran.', {
        details: { phase: 'approval', ...timeOut(view, state) },
      })
    case 'timed_out':
      return new TermError('PM_TERM_TIMEOUT', 'kill_after_ms ended the command. Its output so far is kept.', {
        details: { phase: 'execution', ...timeOut(view, state) },
      })

    case 'failed':
      if (state.reason === 'shell_busy')
        return new TermError('PM_TERM_INVALID_MODE', state.problem, {
          details: { reason: state.reason, session_id: opened.id },
        })
      if (state.fault === 'request')
        return new TermError('PM_TERM_INVALID_PAYLOAD', state.problem, { details: { session_id: opened.id } })
      return new TermError(
        'PM_TERM_INTERNAL',
        `The command could not be started: ${state.problem.replace(/\.$/, '')}. A new try needs another id than ${opened.id}.`,
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

const FIX = toType('approve')

function blocked({ opened, status }: RunView, { because, why }: Extract<RunState, { at: 'blocked' }>): TermError {
  switch (because) {
    case 'too_many':
      return new TermError('PM_TERM_INVALID_MODE', `Not asked: ${why}. Nothing ran. Wait until some are answered.`, {
        details: { reason: 'too_many_questions', session_id: opened.id },
      })

    // Whoever knows why there is no window says so in whole sentences, with a way to answer all the same.
    case 'no_window':
    case 'nobody': {
      const known = because === 'no_window' ? why : `To answer without a window: "${FIX}" in a terminal.`
      return new TermError('PM_TERM_GUI_UNAVAILABLE', `Nobody could be asked, so nothing ran. ${known}`, {
        details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app', fix: FIX },
      })
    }

    // Names the directory as well: what may run depends on it, and it may not be the one the caller thinks of.
    case 'policy':
    case 'destructive': {
      const code = because === 'destructive' ? 'PM_TERM_BLOCKED_DESTRUCTIVE' : 'PM_TERM_APPROVAL_REQUIRED'
      const kind = because === 'policy' && opened.lane === 'headless' ? 'Not allowlisted' : 'Refused'
      const cwd = status().cwd ?? opened.cwd
      return new TermError(code, `${kind}: ${why}. Nothing ran in ${drawable(cwd)}.`, { details: { why, cwd } })
    }
  }
}

/** How long it had, and what the time was up for. */
function timeOut({ opened }: RunView, { limitMs }: { readonly limitMs?: number }): Record<string, unknown> {
  const { id: session_id, terminal_id = null } = opened
  return { session_id, ...(limitMs !== undefined && { timeout_ms: limitMs }), target: { session_id, terminal_id } }
}
