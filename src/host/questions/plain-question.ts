import { createHash } from 'node:crypto'
import type { Requester } from './requester.ts'

interface QuestionFacts {
  readonly request_id: string
  readonly trace_id: string
  readonly plan_hash: string
  readonly patienceMs: number
}

/** What every question says that is about no command. */
export const plainQuestion = (
  { requester, client }: Requester,
  { request_id, trace_id, plan_hash, patienceMs }: QuestionFacts,
  ask_id: string,
  askedAt: number,
) =>
  ({
    type: 'question',
    ask_id,
    requester,
    client,
    request_id,
    trace_id,
    workspace_id: null,
    context: null,
    plan_hash,
    asked_at: new Date(askedAt).toISOString(),
    expires_in_ms: patienceMs,
  }) as const

/** What an answer has to name: it is for this question, and says what it was about. */
export const hashOf = (about: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(about)).digest('hex')
