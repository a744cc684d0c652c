import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { errorBody, TermError } from '../contract/errors.ts'
import type { PairingAnswered, PairingRequest } from '../contract/host-frames.ts'
import type { Journal } from '../runs/journal.ts'
import type { ApprovalQueue } from './approval-queue.ts'
import { whyNot } from './ask-rules.ts'
import type { AskedBy } from './interactive-lane.ts'
import type { Pairings } from './pairings.ts'
import { LOCAL } from './requester-runs.ts'

type Asked = z.output<typeof PairingRequest>
type Answered = Omit<z.output<typeof PairingAnswered>, 'id' | 'request_id' | 'trace_id'>

export interface PairingDeps {
  readonly queue: ApprovalQueue
  readonly pairings: Pairings
  readonly journal: Journal
  readonly patienceMs: number
}

/** While a host runs, letting somebody in is a question like any other (SPEC §2.10). The key is made after the yes. */
export async function askForPairing(
  deps: PairingDeps,
  frame: Asked,
  by: AskedBy,
  signal: AbortSignal,
): Promise<Answered> {
  const { queue, pairings, journal } = deps
  const { name, request_id, trace_id } = frame
  if (by.requester !== LOCAL)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a program of this person may ask to let somebody in.')
  pairings.refuse(name)
  const refused = (status: Answered['status'], error: TermError, reason = error.message): Answered => ({
    type: 'pairing_answered',
    status,
    reason,
    error: errorBody(error),
  })
  const about = { requester: by.requester, runId: request_id }
  const plan_hash = createHash('sha256')
    .update(JSON.stringify(['pairing', request_id, name]))
    .digest('hex')
  const patienceMs = frame.approval_timeout_ms ?? deps.patienceMs
  journal.append({ kind: 'asked', ...about, body: { pairing: name, plan_hash } })
  const outcome = await queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (ask_id, askedAt) => ({
        type: 'question',
        kind: 'pairing',
        ask_id,
        requester: by.requester,
        client: by.client,
        request_id,
        trace_id,
        workspace_id: null,
        context: null,
        plan_hash,
        asked_at: new Date(askedAt).toISOString(),
        expires_in_ms: patienceMs,
        name,
      }),
      judge: null,
      objection: decision => {
        if (decision.kind === 'decline') return null
        if (decision.kind === 'edit' || decision.scope.kind !== 'once')
          return 'A pairing is approved as it is, or declined.'
        return whyNot(() => pairings.refuse(name))
      },
      record: (decision, who) => {
        journal.append({ kind: 'answered', ...about, body: { ...decision, by: who, plan_hash } })
        if (decision.kind !== 'approve') return
        journal.append({ kind: 'pairing_changed', ...about, body: { paired: name } })
        pairings.add(name)
      },
    },
    signal,
  )
  switch (outcome.kind) {
    case 'nobody':
      return refused(
        'error',
        new TermError('PM_TERM_GUI_UNAVAILABLE', 'Nobody could be asked, so nobody was let in.', {
          details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app' },
        }),
      )
    case 'withdrawn':
      return refused('error', new TermError('PM_TERM_DISCONNECTED', 'The question was withdrawn. Nobody was let in.'))
    case 'expired':
      return refused(
        'timeout',
        new TermError('PM_TERM_TIMEOUT', 'Nobody answered in time. Nobody was let in.', {
          details: { phase: 'approval' },
        }),
      )
    case 'answered': {
      const { decision } = outcome
      if (decision.kind === 'decline') {
        const said = decision.reason === null ? '' : `: ${decision.reason}`
        return refused('declined', new TermError('PM_TERM_DECLINED', `A person declined${said}.`))
      }
      return { type: 'pairing_answered', status: 'approved', reason: null, error: null }
    }
  }
}
