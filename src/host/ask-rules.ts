import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { errorBody, TermError } from '../contract/errors.ts'
import type { AllowlistUpdate, AllowlistUpdated } from '../contract/host-frames.ts'
import type { RuleFiles } from '../policy/rule-files.ts'
import type { Journal } from '../runs/journal.ts'
import type { ApprovalQueue } from './approval-queue.ts'
import type { AskedBy } from './interactive-lane.ts'

type Update = z.output<typeof AllowlistUpdate>
type Updated = Omit<z.output<typeof AllowlistUpdated>, 'id' | 'request_id' | 'trace_id'>

export interface RulesDeps {
  readonly queue: ApprovalQueue
  readonly ruleFiles: RuleFiles
  readonly journal: Journal
  readonly patienceMs: number
}

export const RULE_FILE = { base: 'terminal-allowlist.json', headless: 'headless-allowlist-policy.v1.json' } as const

/** An agent may only ask for other rules: the person sees exactly what would come and go (SPEC D13). */
export async function askForRules(deps: RulesDeps, frame: Update, by: AskedBy, signal: AbortSignal): Promise<Updated> {
  const { ruleFiles, journal, queue } = deps
  const { workspace_id, layer, patterns } = frame
  const now = patternsOf(ruleFiles, workspace_id, layer)
  const wanted = new Set(patterns)
  const added = frame.operation === 'remove' ? [] : patterns.filter(each => !now.includes(each))
  const removed =
    frame.operation === 'add' ? [] : now.filter(each => wanted.has(each) === (frame.operation === 'remove'))
  const refused = (status: Updated['status'], error: TermError, reason: string | null = null): Updated => ({
    type: 'allowlist_updated',
    status,
    reason: reason ?? error.message,
    patterns: patternsOf(ruleFiles, workspace_id, layer),
    error: errorBody(error),
  })
  const approved = (): Updated => ({
    type: 'allowlist_updated',
    status: 'approved',
    reason: null,
    patterns: patternsOf(ruleFiles, workspace_id, layer),
    error: null,
  })
  if (added.length + removed.length === 0) return approved()
  const nobody = new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    'Nobody could be asked, so no rule changed. A person has to run "interactive-terminal approve" in a terminal.',
    { details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app' } },
  )
  if (!queue.hasRoom(by.requester)) return refused('error', nobody)
  const about = { requester: by.requester, runId: frame.request_id }
  const body = { workspace_id, layer, added, removed }
  const plan_hash = createHash('sha256')
    .update(JSON.stringify([frame.request_id, workspace_id, layer, added, removed]))
    .digest('hex')
  const patienceMs = frame.approval_timeout_ms ?? deps.patienceMs
  journal.append({ kind: 'asked', ...about, body: { ...body, plan_hash } })
  const outcome = await queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (ask_id, askedAt) => ({
        type: 'question',
        kind: 'rules',
        ask_id,
        requester: by.requester,
        client: by.client,
        request_id: frame.request_id,
        trace_id: frame.trace_id,
        workspace_id,
        context: frame.context ?? null,
        plan_hash,
        asked_at: new Date(askedAt).toISOString(),
        expires_in_ms: patienceMs,
        workspace_directory: null,
        layer,
        added,
        removed,
      }),
      objection: decision =>
        decision.kind === 'edit' || (decision.kind === 'approve' && decision.scope.kind !== 'once')
          ? 'Rules are approved as they are, or declined.'
          : null,
      record: (decision, who) => {
        journal.append({ kind: 'answered', ...about, body: { ...decision, by: who, plan_hash } })
        if (decision.kind === 'approve') journal.append({ kind: 'rules_changed', ...about, body })
      },
    },
    signal,
  )
  switch (outcome.kind) {
    case 'nobody':
      return refused('error', nobody)
    case 'withdrawn':
      return refused('error', new TermError('PM_TERM_DISCONNECTED', 'The question was withdrawn. No rule changed.'))
    case 'expired':
      return refused(
        'timeout',
        new TermError('PM_TERM_TIMEOUT', 'Nobody answered in time. No rule changed.', {
          details: { phase: 'approval' },
        }),
      )
    case 'answered': {
      const { decision } = outcome
      if (decision.kind === 'decline')
        return refused('declined', new TermError('PM_TERM_DECLINED', 'A person declined.'), decision.reason)
      for (const each of removed) ruleFiles.remove(workspace_id, layer, each)
      for (const each of added) ruleFiles.add(workspace_id, layer, each)
      return approved()
    }
  }
}

function patternsOf(ruleFiles: RuleFiles, workspaceId: string, layer: 'base' | 'headless'): string[] {
  const { rules, idle } = ruleFiles.rulesFor({ workspaceId, cwd: '/', lane: 'headless' })
  return [
    ...rules.filter(({ source }) => source === RULE_FILE[layer]).map(({ pattern }) => pattern.text),
    ...idle.filter(({ source }) => source === RULE_FILE[layer]).map(({ pattern }) => pattern),
  ]
}
