import type * as z from 'zod'
import { TermError } from '../../contract/tool/errors.ts'
import type { AllowlistUpdate, AllowlistUpdated } from '../../contract/wire/host-frames.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import type { RuleLayer } from '../../policy/files/workspace-files.ts'
import type { HostTimes } from '../host-times.ts'
import { LOCAL } from '../names.ts'
import type { ApprovalQueue, QuestionOutcome } from './approval-queue.ts'
import {
  type Binding,
  type ChangeRulesDeps,
  checkChange,
  makeChange,
  mayBind,
  type RuleChange,
  rowOf,
} from './change-rules.ts'
import { notApproved } from './not-approved.ts'
import { hashOf, plainQuestion } from './plain-question.ts'
import type { Requester } from './requester.ts'

type Update = z.output<typeof AllowlistUpdate>
type Updated = Omit<z.output<typeof AllowlistUpdated>, 'id' | 'request_id' | 'trace_id'>

export interface RulesDeps extends ChangeRulesDeps {
  readonly queue: ApprovalQueue
  readonly times: Pick<HostTimes, 'patienceMs'>
}

/** Rules that are to come and go, and who wants it. */
export interface RuleChangeRequest extends RuleChange {
  readonly by: Requester
  readonly requestId: string
  readonly traceId: string
  readonly context: string | null
  readonly patienceMs: number
}

/** An agent may only ask for other rules: the person sees exactly what would come and go (docs/spec.md D13). */
export async function askForRules(
  deps: RulesDeps,
  frame: Update,
  by: Requester,
  signal: AbortSignal,
): Promise<Updated> {
  const { ruleFiles } = deps
  const { workspace_id: workspaceId, layer, patterns } = frame
  const now = patternsOf(ruleFiles, workspaceId, layer)
  const wanted = new Set(patterns)
  const added = frame.operation === 'remove' ? [] : patterns.filter(each => !now.includes(each))
  const removed =
    frame.operation === 'add' ? [] : now.filter(each => wanted.has(each) === (frame.operation === 'remove'))

  const updated = (how: Pick<Updated, 'status' | 'reason' | 'error'>): Updated => ({
    type: 'allowlist_updated',
    ...how,
    patterns: patternsOf(ruleFiles, workspaceId, layer),
  })
  const approved = (reason: string | null) => updated({ status: 'approved', reason, error: null })

  const binds = frame.bind && bindingFor(deps, frame, by)
  const isBound = binds && ruleFiles.directoryOf(workspaceId) === binds.directory
  const isSo = isBound ? isAsWanted(ruleFiles, binds) : !binds
  if (added.length + removed.length === 0 && isSo) return approved('It was so already; nobody was asked.')

  const outcome = await putRules(
    deps,
    {
      by,
      requestId: frame.request_id,
      traceId: frame.trace_id,
      context: frame.context ?? null,
      workspaceId,
      layer,
      added,
      removed,
      ...(binds && { binds }),
      patienceMs: frame.approval_timeout_ms ?? deps.times.patienceMs,
    },
    signal,
  )
  const refused = notApproved(outcome, 'No rule changed.')
  if (refused === null) return approved(null)
  // An agent gets the person's own words and nothing around them.
  const said = outcome.kind === 'answered' && outcome.decision.kind === 'decline' ? outcome.decision.reason : null
  return updated({ ...refused, reason: said ?? refused.reason })
}

/** Puts the change to the person, writes it down, and makes it. Nobody is asked about what could not be made: throws why. */
export function putRules(deps: RulesDeps, change: RuleChangeRequest, signal: AbortSignal): Promise<QuestionOutcome> {
  const { journal, queue } = deps
  const { by, requestId, workspaceId: workspace_id, layer, patienceMs, binds } = change
  const workspace_directory = checkChange(deps, change)

  const about = { requester: by.requester, runId: requestId }
  const body = rowOf(change)
  const { added, removed } = body
  const plan_hash = hashOf([requestId, workspace_id, layer, added, removed, binds ?? null])

  return queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (ask_id, askedAt) => {
        journal.append({ kind: 'asked', ...about, body: { ...body, plan_hash } })
        return {
          ...plainQuestion(
            by,
            { request_id: requestId, trace_id: change.traceId, plan_hash, patienceMs },
            ask_id,
            askedAt,
          ),
          kind: 'rules',
          workspace_id,
          context: change.context,
          workspace_directory,
          layer,
          added,
          removed,
          ...(binds && { binds }),
        }
      },
      judge: null,
      objection: decision => {
        if (decision.kind === 'decline') return null
        if (decision.kind === 'edit' || decision.scope.kind !== 'once')
          return 'Rules are approved as they are, or declined.'
        return whyNot(() => checkChange(deps, change))
      },
      commit: (decision, who) => {
        const answer = { ...decision, by: who, plan_hash }
        if (decision.kind !== 'approve') {
          journal.append({ kind: 'answered', ...about, body: answer })
          return
        }

        // As one step: no answer is written down without what follows from it.
        journal.appendSoon({ kind: 'answered', ...about, body: answer })
        journal.append({ kind: 'rules_changed', ...about, body })
        try {
          makeChange(deps, change)
        } catch (cause) {
          journal.append({ kind: 'answered', ...about, body: { ...answer, counted: false } })
          throw cause
        }
      },
    },
    signal,
  )
}

/** The real directory of a request to bind one. Throws what speaks against it, before anybody is asked. */
function bindingFor(deps: RulesDeps, { bind, workspace_id, patterns }: Update, by: Requester): Binding {
  if (by.requester !== LOCAL || patterns.length > 0 || bind === undefined)
    throw new TermError('PM_TERM_INVALID_PAYLOAD', 'A directory is bound by itself, and from this machine only.')
  const { trusted, tries } = bind
  return { directory: mayBind(deps, workspace_id, bind), trusted, ...(tries !== undefined && { tries }) }
}

function isAsWanted(ruleFiles: RuleFiles, { directory, trusted, tries }: Binding): boolean {
  const now = ruleFiles.workspaceAt(directory)
  return now?.trusted === trusted && (tries === undefined || tries === (now.tries !== undefined))
}

/** What stands against it, or null. */
export function whyNot(attempt: () => unknown): string | null {
  try {
    attempt()
    return null
  } catch (cause) {
    return (cause as Error).message
  }
}

function patternsOf(ruleFiles: RuleFiles, workspaceId: string, layer: RuleLayer): string[] {
  return [...ruleFiles.patternsOf(workspaceId, layer)]
}
