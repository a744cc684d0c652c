import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { errorBody, TermError } from '../contract/errors.ts'
import type { AllowlistUpdate, AllowlistUpdated } from '../contract/host-frames.ts'
import type { RuleFiles, RuleLayer } from '../policy/rule-files.ts'
import type { Journal } from '../runs/journal.ts'
import type { ApprovalQueue, Outcome } from './approval-queue.ts'
import type { AskedBy } from './interactive-lane.ts'

type Update = z.output<typeof AllowlistUpdate>
type Updated = Omit<z.output<typeof AllowlistUpdated>, 'type' | 'id' | 'request_id' | 'trace_id'>

export interface RulesDeps {
  readonly queue: ApprovalQueue
  readonly ruleFiles: RuleFiles
  readonly journal: Journal
  readonly patienceMs: number
}

export const RULE_FILE = { base: 'terminal-allowlist.json', headless: 'headless-allowlist-policy.v1.json' } as const

/** Rules that are to come and go, and who wants it. */
export interface RuleChange {
  readonly by: AskedBy
  readonly requestId: string
  readonly traceId: string
  readonly context: string | null
  readonly workspaceId: string
  readonly layer: RuleLayer
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly patienceMs: number
}

/** An agent may only ask for other rules: the person sees exactly what would come and go (SPEC D13). */
export async function askForRules(deps: RulesDeps, frame: Update, by: AskedBy, signal: AbortSignal): Promise<Updated> {
  const { ruleFiles, queue } = deps
  const { workspace_id: workspaceId, layer, patterns } = frame
  const now = patternsOf(ruleFiles, workspaceId, layer)
  const wanted = new Set(patterns)
  const added = frame.operation === 'remove' ? [] : patterns.filter(each => !now.includes(each))
  const removed =
    frame.operation === 'add' ? [] : now.filter(each => wanted.has(each) === (frame.operation === 'remove'))
  const refused = (status: Updated['status'], error: TermError, reason: string | null = null): Updated => ({
    status,
    reason: reason ?? error.message,
    patterns: patternsOf(ruleFiles, workspaceId, layer),
    error: errorBody(error),
  })
  if (added.length + removed.length === 0)
    return { status: 'approved', reason: 'It was so already; nobody was asked.', patterns: now, error: null }
  const nobody = new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    'Nobody could be asked, so no rule changed. A person has to run "interactive-terminal approve" in a terminal.',
    { details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app' } },
  )
  if (!queue.hasRoom(by.requester)) return refused('error', nobody)
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
      patienceMs: frame.approval_timeout_ms ?? deps.patienceMs,
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
    case 'answered':
      if (outcome.decision.kind === 'decline')
        return refused('declined', new TermError('PM_TERM_DECLINED', 'A person declined.'), outcome.decision.reason)
      return { status: 'approved', reason: null, patterns: patternsOf(ruleFiles, workspaceId, layer), error: null }
  }
}

/** Puts the change to the person, writes it down, and makes it. What could not be made is not asked: throws why. */
export function putRules(deps: RulesDeps, change: RuleChange, signal: AbortSignal): Promise<Outcome> {
  const { ruleFiles, journal, queue } = deps
  const { by, requestId, workspaceId: workspace_id, layer, patienceMs } = change
  const added = [...change.added]
  const removed = [...change.removed]
  const workspace_directory = ruleFiles.changeable(workspace_id, layer, added)
  const about = { requester: by.requester, runId: requestId }
  const body = { workspace_id, layer, added, removed }
  const plan_hash = createHash('sha256')
    .update(JSON.stringify([requestId, workspace_id, layer, added, removed]))
    .digest('hex')
  journal.append({ kind: 'asked', ...about, body: { ...body, plan_hash } })
  return queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (ask_id, askedAt) => ({
        type: 'question',
        kind: 'rules',
        ask_id,
        requester: by.requester,
        client: by.client,
        request_id: requestId,
        trace_id: change.traceId,
        workspace_id,
        context: change.context,
        plan_hash,
        asked_at: new Date(askedAt).toISOString(),
        expires_in_ms: patienceMs,
        workspace_directory,
        layer,
        added,
        removed,
      }),
      judge: null,
      objection: decision => {
        if (decision.kind === 'decline') return null
        if (decision.kind === 'edit' || decision.scope.kind !== 'once')
          return 'Rules are approved as they are, or declined.'
        return whyNot(() => ruleFiles.changeable(workspace_id, layer, added))
      },
      record: (decision, who) => {
        const answer = { ...decision, by: who, plan_hash }
        journal.append({ kind: 'answered', ...about, body: answer })
        if (decision.kind !== 'approve') return
        journal.append({ kind: 'rules_changed', ...about, body })
        try {
          const there = patternsOf(ruleFiles, workspace_id, layer)
          for (const each of removed) if (there.includes(each)) ruleFiles.remove(workspace_id, layer, each)
          for (const each of added) ruleFiles.add(workspace_id, layer, each)
        } catch (cause) {
          journal.append({ kind: 'answered', ...about, body: { ...answer, counted: false } })
          throw cause
        }
      },
    },
    signal,
  )
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
  const { rules, idle } = ruleFiles.rulesFor({ workspaceId, cwd: '/', lane: 'headless' })
  return [
    ...rules.filter(({ source }) => source === RULE_FILE[layer]).map(({ pattern }) => pattern.text),
    ...idle.filter(({ source }) => source === RULE_FILE[layer]).map(({ pattern }) => pattern),
  ]
}
