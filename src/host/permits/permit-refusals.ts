import { toType } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Issue } from '../../contract/tool/issues.ts'
import type { PermitRequest } from '../../contract/wire/input-frames.ts'
import type { Answer } from '../../runs/run/approver.ts'

const NOTHING = 'Nothing was typed.'

export const onlyOwnPrograms = (): TermError =>
  new TermError('PM_TERM_APPROVAL_REQUIRED', `Only a program of this person may ask for their editor. ${NOTHING}`)

export const usedBefore = (id: string): TermError =>
  new TermError('PM_TERM_INVALID_PAYLOAD', `The request id ${id} was used before. ${NOTHING}`, {
    details: { issues: [{ field: 'request_id', problem: 'was used before' }] },
  })

export const tooMany = (most: number): TermError =>
  new TermError('PM_TERM_INVALID_MODE', `${most} permits wait to be used already. ${NOTHING}`, {
    details: { reason: 'too_many_open', most },
  })

export const refusedLine = (why: string): TermError =>
  new TermError('PM_TERM_BLOCKED_DESTRUCTIVE', `Refused: ${why}. ${NOTHING}`, { details: { why } })

/** What does not go together in a request. */
export function permitIssues({ intent, command, opens, env }: PermitRequest): Issue[] {
  const given = Object.keys(env ?? {}).length > 0
  return [
    ...(intent === 'execute_command' && command === undefined ? [{ field: 'command', problem: 'is required' }] : []),
    ...(intent === 'open_only' && command !== undefined
      ? [{ field: 'command', problem: 'must be left out with open_only' }]
      : []),
    ...(intent === 'open_only' && !opens ? [{ field: 'opens', problem: 'must be true with open_only' }] : []),
    ...(given && !opens ? [{ field: 'env', problem: 'is only for a terminal that opens' }] : []),
  ]
}

/** A permit is for one line, one terminal, one holder, once, and not for long. Which of these failed helps nobody but a thief. */
export const notGood = (): TermError =>
  new TermError('PM_TERM_APPROVAL_REQUIRED', `This permit is not good, or no longer. Ask anew. ${NOTHING}`, {
    details: { reason: 'permit_not_good' },
  })

export const changedSince = (): TermError =>
  new TermError(
    'PM_TERM_APPROVAL_REQUIRED',
    `A file that this line runs is not as it was when it was approved. ${NOTHING} Ask anew.`,
    { details: { reason: 'changed_since' } },
  )

/** Why the person's answer is no permit; null: it is one. */
export function whyNoPermit(answer: Answer, absence: string | null): TermError | null {
  switch (answer.kind) {
    case 'approved':
      return null
    case 'declined': {
      const { reason, kept } = answer
      const said = reason ? `A person declined: ${reason}` : 'A person declined.'
      const until = kept && ` They want this for the rest of the day, until ${new Date(kept.until).toISOString()}.`
      return new TermError('PM_TERM_DECLINED', `${said}${until ?? ''}`, { details: { reason } })
    }
    case 'expired':
      return new TermError('PM_TERM_TIMEOUT', `The question was shown and nobody answered in time. ${NOTHING}`, {
        details: { phase: 'approval' },
      })
    case 'withdrawn':
      return new TermError('PM_TERM_DISCONNECTED', `The question was withdrawn. ${NOTHING}`, {
        details: { reason: 'withdrawn' },
      })
    case 'too_many':
      return new TermError('PM_TERM_INVALID_MODE', `Not asked: ${answer.why}. ${NOTHING}`, {
        details: { reason: 'too_many_questions' },
      })
    case 'nobody':
      return nobodyThere(answer.why ?? absence)
  }
}

export const nobodyThere = (why: string | null): TermError =>
  new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    `Nobody could be asked. ${NOTHING} ${why ?? `To answer without a window: "${toType('approve')}" in a terminal.`}`,
    { details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app' } },
  )
