import type * as z from 'zod'
import { TermError } from '../../contract/tool/errors.ts'
import type { PairingAnswered, PairingRequest } from '../../contract/wire/host-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { HostTimes } from '../host-times.ts'
import { LOCAL } from '../names.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import { whyNot } from '../questions/ask-rules.ts'
import { notApproved } from '../questions/not-approved.ts'
import { hashOf, plainQuestion } from '../questions/plain-question.ts'
import type { Requester } from '../questions/requester.ts'
import type { Pairings } from './pairings.ts'

type PairingFrame = z.output<typeof PairingRequest>
type PairingReply = Omit<z.output<typeof PairingAnswered>, 'id' | 'request_id' | 'trace_id'>

export interface PairingDeps {
  readonly queue: ApprovalQueue
  readonly pairings: Pairings
  readonly journal: Journal
  readonly times: Pick<HostTimes, 'patienceMs'>
}

/** While a host runs, pairing somebody is a question like any other (docs/spec.md §2.10). The key is made after the approval. */
export async function askForPairing(
  deps: PairingDeps,
  frame: PairingFrame,
  by: Requester,
  signal: AbortSignal,
): Promise<PairingReply> {
  const { queue, pairings, journal } = deps
  const { name, request_id, trace_id } = frame
  if (by.requester !== LOCAL)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a program of this person may ask to pair a client.')
  pairings.refuse(name)

  const about = { requester: by.requester, runId: request_id }
  const plan_hash = hashOf(['pairing', request_id, name])

  const patienceMs = frame.approval_timeout_ms ?? deps.times.patienceMs
  const outcome = await queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (ask_id, askedAt) => {
        journal.append({ kind: 'asked', ...about, body: { pairing: name, plan_hash } })
        return {
          ...plainQuestion(by, { request_id, trace_id, plan_hash, patienceMs }, ask_id, askedAt),
          kind: 'pairing',
          name,
        }
      },
      judge: null,
      objection: decision => {
        if (decision.kind === 'decline') return null
        if (decision.kind === 'edit' || decision.scope.kind !== 'once')
          return 'A pairing is approved as it is, or declined.'
        return whyNot(() => pairings.refuse(name))
      },
      commit: (decision, who) => {
        journal.append({ kind: 'answered', ...about, body: { ...decision, by: who, plan_hash } })
        if (decision.kind !== 'approve') return
        journal.append({ kind: 'pairing_changed', ...about, body: { paired: name } })
        pairings.add(name)
      },
    },
    signal,
  )

  const refused = notApproved(outcome, 'Nobody was paired.')
  return { type: 'pairing_answered', ...(refused ?? { status: 'approved', reason: null, error: null }) }
}
