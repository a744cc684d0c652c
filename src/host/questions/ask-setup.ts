import type * as z from 'zod'
import { TermError } from '../../contract/tool/errors.ts'
import type { SetupAnswered, SetupRequest } from '../../contract/wire/setup-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { HostTimes } from '../host-times.ts'
import { LOCAL } from '../names.ts'
import type { ApprovalQueue } from './approval-queue.ts'
import { notApproved } from './not-approved.ts'
import { hashOf, plainQuestion } from './plain-question.ts'
import type { Requester } from './requester.ts'

type SetupFrame = z.output<typeof SetupRequest>
type SetupReply = Omit<z.output<typeof SetupAnswered>, 'id' | 'request_id' | 'trace_id'>

export interface SetupDeps {
  readonly queue: ApprovalQueue
  readonly journal: Journal
  readonly times: Pick<HostTimes, 'patienceMs'>
}

/** While a host runs, changing a client's own files by `setup` is a question (docs/spec.md §2.10). Whoever asked writes them after the approval. */
export async function askForSetup(
  deps: SetupDeps,
  frame: SetupFrame,
  by: Requester,
  signal: AbortSignal,
): Promise<SetupReply> {
  const { queue, journal } = deps
  const { target, files, request_id, trace_id } = frame
  if (by.requester !== LOCAL)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a program of this person may ask to set a client up.')

  const about = { requester: by.requester, runId: request_id }
  const plan_hash = hashOf(['setup', request_id, target, files])
  // Files of clients hold secrets: the journal knows which were changed, and by the hash how.
  const body = { setup: target, files: files.map(({ file }) => file), plan_hash }

  const patienceMs = frame.approval_timeout_ms ?? deps.times.patienceMs
  const outcome = await queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (ask_id, askedAt) => {
        journal.append({ kind: 'asked', ...about, body })
        return {
          ...plainQuestion(by, { request_id, trace_id, plan_hash, patienceMs }, ask_id, askedAt),
          kind: 'setup',
          target,
          files,
        }
      },
      judge: null,
      objection: decision =>
        decision.kind === 'edit' || (decision.kind === 'approve' && decision.scope.kind !== 'once')
          ? 'A setup is approved as it is, or declined.'
          : null,
      commit: (decision, who) =>
        void journal.append({ kind: 'answered', ...about, body: { ...body, ...decision, by: who } }),
    },
    signal,
  )

  const refused = notApproved(outcome, 'Nothing was written.')
  return { type: 'setup_answered', ...(refused ?? { status: 'approved', reason: null, error: null }) }
}
