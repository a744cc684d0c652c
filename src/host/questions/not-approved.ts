import { toType } from '../../base/own-command.ts'
import { type ErrorBody, errorBody, TermError } from '../../contract/tool/errors.ts'
import { type QuestionOutcome, tooManyQuestions } from './approval-queue.ts'

export interface NotApproved {
  readonly status: 'declined' | 'timeout' | 'error'
  readonly reason: string
  readonly error: ErrorBody
}

/** How a question that is no command ended without approval; null: a person approved it. `nothing`: what did not happen. */
export function notApproved(outcome: QuestionOutcome, nothing: string): NotApproved | null {
  const refused = (status: NotApproved['status'], error: TermError): NotApproved => ({
    status,
    reason: error.message,
    error: errorBody(error),
  })

  switch (outcome.kind) {
    case 'nobody':
      return refused(
        'error',
        new TermError(
          'PM_TERM_GUI_UNAVAILABLE',
          `Nobody could be asked. ${nothing} A person has to run "${toType('approve')}" in a terminal.`,
          { details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app' } },
        ),
      )
    case 'too_many':
      return refused('error', tooManyQuestions(outcome.waiting, nothing))
    case 'withdrawn':
      return refused('error', new TermError('PM_TERM_DISCONNECTED', `The question was withdrawn. ${nothing}`))
    case 'expired':
      return refused(
        'timeout',
        new TermError('PM_TERM_TIMEOUT', `Nobody answered in time. ${nothing}`, { details: { phase: 'approval' } }),
      )
    case 'answered': {
      const { decision } = outcome
      if (decision.kind !== 'decline') return null
      const said = decision.reason === null ? '' : `: ${decision.reason}`
      return refused('declined', new TermError('PM_TERM_DECLINED', `A person declined${said}.`))
    }
  }
}
