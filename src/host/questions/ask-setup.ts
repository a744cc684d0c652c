import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { TermError } from '../../contract/tool/errors.ts'
import type { SetupAnswered, SetupRequest } from '../../contract/wire/setup-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { LOCAL } from '../names.ts'
import type { ApprovalQueue } from './approval-queue.ts'
import { notApproved } from './not-approved.ts'
import { plainQuestion } from './plain-question.ts'
import type { Requester } from './requester.ts'

type Asked = z.output<typeof SetupRequest>
type Answered = Omit<z.output<typeof SetupAnswered>, 'id' | 'request_id' | 'trace_id'>

export interface SetupDeps {
  readonly queue: ApprovalQueue
  readonly journal: Journal
  readonly patienceMs: number
}

/** While a host runs, changing a client's own files by `setup` is a question (docs/spec.md §2.10). Whoever asked writes them after the yes. */
export async function askForSetup(
  deps: SetupDeps,
  frame: Asked,
  by: Requester,
  signal: AbortSignal,
): Promise<Answered> {
  const { queue, journal } = deps
  const { target, files, request_id, trace_id } = frame
  if (by.requester !== LOCAL)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a program of this person may ask to set a client up.')
  const about = { requester: by.requester, runId: request_id }
  const plan_hash = createHash('sha256')
    .update(JSON.stringify(['setup', request_id, target, files]))
    .digest('hex')
  // Files of clients hold secrets: the journal knows which were changed, and by the hash how.
  const body = { setup: target, files: files.map(({ file }) => file), plan_hash }
  const patienceMs = frame.approval_timeout_ms ?? deps.patienceMs
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
      record: (decision, who) =>
        void journal.append({ kind: 'answered', ...about, body: { ...body, ...decision, by: who } }),
    },
    signal,
  )
  const refused = notApproved(outcome, 'Nothing was written.')
  return { type: 'setup_answered', ...(refused ?? { status: 'approved', reason: null, error: null }) }
}
