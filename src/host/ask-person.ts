import type { Clock } from '../base/clock.ts'
import type { Question as QuestionFrame } from '../contract/approver-frames.ts'
import { TermError } from '../contract/errors.ts'
import { isInside } from '../policy/decide.ts'
import type { RuleFiles } from '../policy/rule-files.ts'
import type { Verdict } from '../policy/verdict.ts'
import type { Answer, Question } from '../runs/execute-run.ts'
import { explained } from '../runs/explained.ts'
import type { Journal } from '../runs/journal.ts'
import type { Run } from '../runs/run.ts'
import type { ApprovalQueue, Decision } from './approval-queue.ts'
import { Edits } from './ask-edits.ts'
import { whyNot } from './ask-rules.ts'
import { type InteractiveGate, isGrave, type Wanted } from './interactive-gate.ts'
import type { AskedBy, Asker } from './interactive-lane.ts'
import type { Presence } from './presence.ts'
import { proposedRules, ruleObjection, type ScopedRules } from './scoped-rules.ts'
import { shellFor } from './shell-profile.ts'

export interface AskDeps {
  readonly clock: Clock
  readonly queue: ApprovalQueue
  readonly presence: Presence
  readonly journal: Journal
  readonly gate: InteractiveGate
  readonly scoped: ScopedRules
  readonly ruleFiles: RuleFiles
  readonly patienceMs: number
  readonly approverWaitMs: number
  readonly person: { readonly shell: string; readonly platform: string }
}

/** What must be typed for a command that is hard to undo. */
export const GRAVE_TEXT = 'run it'

/** Puts a command to the person, writes their word down, and makes it count. */
export function askPerson(deps: AskDeps): Asker {
  return {
    present: signal => deps.presence.someone(deps.approverWaitMs, signal),
    absence: () => absence(deps.presence),
    async ask(wanted, question, by, signal) {
      if (!deps.queue.hasRoom(by.requester)) return { kind: 'nobody', why: 'too many questions are open already' }
      const plan = question.plan()
      const { run, verdict } = question
      const about = { requester: by.requester, runId: run.request.id }
      const patienceMs = wanted.frame.approval_timeout_ms ?? deps.patienceMs
      deps.presence.call()
      // What was shown of an edited line is what runs: it is judged once, and its plan is kept.
      const edits = new Edits(command => deps.gate.judge(wanted, run, command))
      deps.journal.append({ kind: 'asked', ...about, body: { plan_hash: plan.hash, why: verdict.why } })
      const outcome = await deps.queue.ask(
        {
          requester: by.requester,
          patienceMs,
          question: (askId, askedAt) => frameOf(deps, { wanted, question, by, askId, askedAt, patienceMs }),
          judge: command => edits.judge(command),
          objection: decision => objectionTo(deps, decision, { wanted, verdict, edits }),
          record: (decision, who) => {
            const body = { plan_hash: plan.hash, ...decision, by: who }
            if (decision.kind === 'edit') {
              const { verdict: judged, why } = edits.under(decision.plan_hash)?.verdict ?? verdict
              const edited = { verdict: judged, why, command: decision.command, plan_hash: decision.plan_hash }
              deps.journal.append({ kind: 'judged', ...about, body: edited })
            }
            deps.journal.append({ kind: 'answered', ...about, body })
            try {
              widen(deps, decision, wanted, run)
            } catch (cause) {
              deps.journal.append({ kind: 'answered', ...about, body: { ...body, counted: false } })
              throw cause
            }
          },
        },
        signal,
      )
      if (outcome.kind === 'nobody') return { kind: 'nobody', why: absence(deps.presence) }
      if (outcome.kind !== 'answered') return outcome
      return answerOf(outcome.decision, edits)
    },
  }
}

const absence = ({ problem }: Presence): string => problem ?? 'nobody could be asked'

function answerOf(decision: Decision, edits: Edits): Answer {
  switch (decision.kind) {
    case 'approve':
      return { kind: 'approved', instead: null }
    case 'edit': {
      const judged = edits.under(decision.plan_hash)
      if (judged === null) throw new TermError('PM_TERM_INTERNAL', 'The edited line was never judged. Nothing ran.')
      return { kind: 'approved', instead: { command: decision.command, ...judged } }
    }
    case 'decline':
      return { kind: 'declined', reason: decision.reason }
  }
}

/** Why this answer cannot count. The question stays open, and the person hears it. */
function objectionTo(
  deps: AskDeps,
  decision: Decision,
  { wanted, verdict, edits }: { wanted: Wanted; verdict: Verdict; edits: Edits },
): string | null {
  switch (decision.kind) {
    case 'decline':
      return null
    case 'edit': {
      const edited = edits.under(decision.plan_hash)?.verdict
      if (!edited) return 'The verdict on this line was not on this screen yet.'
      return isGrave(edited) && decision.typed !== GRAVE_TEXT ? needsTyping : null
    }
    case 'approve': {
      const { scope } = decision
      if (isGrave(verdict) && decision.typed !== GRAVE_TEXT) return needsTyping
      if (scope.kind === 'once') return null
      if (wanted.how !== 'run') return 'In a shell of your own each line is approved by itself.'
      if (isGrave(verdict)) return 'What is hard to undo is approved once, never for later.'
      const objection = ruleObjection(scope.rules, verdict)
      if (objection !== null || scope.kind !== 'workspace') return objection
      const keeper = keeperOf(deps, wanted)
      if (keeper === null)
        return 'The request names no workspace that this directory belongs to, so nothing could keep the rules.'
      return keeper.isNew ? null : whyNot(() => deps.ruleFiles.changeable(keeper.id, 'base', scope.rules))
    }
  }
}

const needsTyping = `This is hard to undo: type "${GRAVE_TEXT}" to approve it.`

/** A yes for more than once becomes rules: in the workspace's file, or in memory. */
function widen(deps: AskDeps, decision: Decision, wanted: Wanted, run: Run): void {
  if (decision.kind !== 'approve' || decision.scope.kind === 'once') return
  const { scope } = decision
  const { requester, place, frame } = wanted
  const terminalId = wanted.terminal.id
  const workspaceId = frame.workspace_id ?? null
  if (scope.kind !== 'workspace') {
    deps.scoped.hold(scope, { requester, workspaceId, cwd: place.cwd, terminalId })
    return
  }
  const keeper = keeperOf(deps, wanted)
  if (keeper === null) return
  const body = { workspace_id: keeper.id, directory: keeper.directory, added: scope.rules, removed: [] }
  deps.journal.append({ kind: 'rules_changed', requester, runId: run.request.id, body })
  // The first card of a workspace also says which directory it is; trust is another question.
  if (keeper.isNew) deps.ruleFiles.bind(keeper.id, keeper.directory, false)
  for (const rule of scope.rules) deps.ruleFiles.add(keeper.id, 'base', rule)
}

/**
 * The workspace whose file would keep rules for this request. A name alone is not enough: one that is bound elsewhere keeps
 * nothing for this directory, and a new one is bound where the command runs.
 */
function keeperOf(deps: AskDeps, wanted: Wanted): { id: string; directory: string; isNew: boolean } | null {
  const id = wanted.frame.workspace_id
  if (id === undefined) return null
  const bound = deps.gate.rulesFor(wanted).workspace
  if (bound) return { id, directory: bound.directory, isNew: false }
  if (deps.ruleFiles.workspaces().includes(id)) return null
  const { cwd, workspaceDirectory } = wanted.place
  const directory = workspaceDirectory !== null && isInside(workspaceDirectory, cwd) ? workspaceDirectory : cwd
  return { id, directory, isNew: true }
}

function frameOf(
  deps: AskDeps,
  asked: { wanted: Wanted; question: Question; by: AskedBy; askId: string; askedAt: number; patienceMs: number },
): QuestionFrame {
  const { wanted, question, by } = asked
  const { frame, place } = wanted
  const { run, verdict } = question
  const plan = question.plan()
  const grave = isGrave(verdict)
  return {
    type: 'question',
    kind: 'command',
    ask_id: asked.askId,
    requester: by.requester,
    client: by.client,
    request_id: frame.request_id,
    trace_id: frame.trace_id,
    workspace_id: frame.workspace_id ?? null,
    context: frame.context ?? null,
    plan_hash: plan.hash,
    asked_at: new Date(asked.askedAt).toISOString(),
    expires_in_ms: asked.patienceMs,
    session_id: run.request.id,
    terminal_id: wanted.terminal.id,
    intent: frame.intent,
    command: run.request.command,
    args: run.request.args ? [...run.request.args] : null,
    shell: run.request.args ? 'none' : shellFor(wanted.terminal.profile, deps.person).program,
    cwd: place.cwd,
    workspace_directory: keeperOf(deps, wanted)?.directory ?? null,
    env: [
      ...Object.entries(run.request.env).map(([name, value]) => ({ name, value })),
      ...Object.entries(wanted.terminal.env)
        .filter(([name]) => run.request.env[name] === undefined)
        .map(([name, value]) => ({ name, value, carried: true })),
    ],
    venv: place.venv,
    executables: [plan.executable, ...plan.alsoRuns].map(({ path }) => path),
    stands_for: [...plan.standsFor],
    verdict: explained(verdict),
    grave,
    // A rule for a line says nothing about what the person's shell makes of it.
    proposed_rules: grave || wanted.how !== 'run' ? [] : proposedRules(verdict),
    kill_after_ms: run.request.killAfterMs,
  }
}
