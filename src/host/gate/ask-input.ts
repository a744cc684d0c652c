import { notOffered } from '../../approving/decision.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { type InputPiece, inputAsText } from '../../contract/tool/input.ts'
import type { InputQuestion } from '../../contract/wire/approver-frames.ts'
import type { InputRequest } from '../../contract/wire/input-frames.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { explained } from '../../runs/run/explained.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunWait } from '../../runs/run/wait-watch.ts'
import type { HostTimes } from '../host-times.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import { notApproved } from '../questions/not-approved.ts'
import { hashOf, plainQuestion } from '../questions/plain-question.ts'
import type { Presence } from '../questions/presence.ts'
import type { Requester } from '../questions/requester.ts'
import type { Terminal } from '../terminals/terminal.ts'
import { GRAVE_TEXT } from './ask-person.ts'
import { type InteractiveGate, isGrave } from './gate.ts'
import { type RunsInput, runsInput } from './input-reader.ts'
import { alwaysNeedsApproval } from './shell-gate.ts'

export interface AskInputDeps {
  readonly queue: ApprovalQueue
  readonly presence: Presence
  readonly journal: Journal
  readonly gate: InteractiveGate
  readonly times: Pick<HostTimes, 'patienceMs'>
}

/** Something to be typed, and everything that was found out about who would read it. */
export interface PreparedInput {
  readonly frame: InputRequest
  readonly run: Run
  readonly terminal: Terminal
  readonly waits: RunWait | null
  /** The last of what was printed, as a person sees it. */
  readonly printed: string
}

export interface JudgedInput {
  readonly executes: RunsInput
  /** Of a shell's own reader; null: nobody here can read it. */
  readonly verdict: Verdict | null
}

const NOTHING_TYPED = 'Nothing was typed.'

/** What is typed into a shell is a command (docs/spec.md §2.9). No rule lets it through; what is destructive is refused, also where nobody knows who will read it. */
export function judgeInput(gate: InteractiveGate, { frame, run, terminal, waits }: PreparedInput): JudgedInput {
  const executes = runsInput(waits?.program ?? null)
  // Where nobody waits for it, a shell may be the next to read it.
  const isRead = waits !== null && waits.state !== 'none' && waits.program !== null
  if (executes !== 'shell' && isRead) return { executes, verdict: null }
  const { requester } = run.request
  const line = inputAsText(frame.input)
  const unread: Verdict = {
    verdict: 'approval',
    why: 'keys are pressed that change what the shell reads',
    parts: [],
    flags: [],
    tier: 'none',
    reaches: [],
  }
  if (line === null || line.trim() === '')
    return { executes, verdict: line === null && executes === 'shell' ? unread : null }

  const { request_id, trace_id } = frame
  const asCommand = { type: 'command_request', intent: 'execute_command', request_id, trace_id } as const
  const place = { cwd: run.cwd, venv: null, workspaceDirectory: null }
  const same = { frame: asCommand, place, requester, marks: [] }
  const prepared =
    terminal.kind === 'shell'
      ? ({ ...same, how: 'send', terminal } as const)
      : ({ ...same, how: 'run', terminal } as const)
  const verdict = alwaysNeedsApproval(gate.judge(prepared, run, line.trimEnd()).verdict)
  if (verdict.verdict === 'destructive' || verdict.verdict === 'blocked')
    throw new TermError('PM_TERM_BLOCKED_DESTRUCTIVE', `${verdict.why}. ${NOTHING_TYPED}`, {
      details: { reason: verdict.why },
    })
  return { executes, verdict: executes === 'shell' ? verdict : null }
}

/** Puts it to the person, with all that they need to decide. Resolves with how far their approval reaches; throws without one. */
export async function askInput(
  deps: AskInputDeps,
  prepared: PreparedInput,
  judged: JudgedInput,
  by: Requester,
  signal: AbortSignal,
): Promise<'once' | 'run'> {
  const { queue, journal, presence } = deps
  const { frame, run } = prepared
  const about = { requester: by.requester, runId: frame.request_id }
  const patienceMs = frame.approval_timeout_ms ?? deps.times.patienceMs
  const plan_hash = planHashOf(prepared)
  const body = { plan_hash, input_for: run.request.id, input: frame.input }
  let shown: InputQuestion | null = null

  presence.call()
  const outcome = await queue.ask(
    {
      requester: by.requester,
      patienceMs,
      question: (askId, askedAt) => {
        journal.append({ kind: 'asked', ...about, body: { ...body, trace_id: frame.trace_id, client: by.client } })
        const plain = plainQuestion(by, { ...frame, plan_hash, patienceMs }, askId, askedAt)
        shown = { ...plain, ...questionOf(prepared, judged), context: frame.context ?? null }
        return shown
      },
      judge: null,
      objection: decision => {
        const unoffered = shown && notOffered(shown, decision)
        if (unoffered !== null) return unoffered
        const isTyped = decision.kind === 'approve' && decision.typed === GRAVE_TEXT
        return decision.kind === 'approve' && shown?.grave && !isTyped
          ? `This is hard to undo: type "${GRAVE_TEXT}" to approve it.`
          : null
      },
      commit: (decision, who) =>
        void journal.append({ kind: 'answered', ...about, body: { ...body, ...decision, by: who } }),
    },
    signal,
  )

  const refused = notApproved(outcome, NOTHING_TYPED)
  if (refused) throw new TermError(refused.error.code, refused.error.message, { details: refused.error.details })
  return outcome.kind === 'answered' && outcome.decision.kind === 'approve' && outcome.decision.scope.kind === 'run'
    ? 'run'
    : 'once'
}

/** An approval is for these keys, into this program, at this question. */
const planHashOf = ({ frame, run, waits, printed }: PreparedInput): string =>
  hashOf([
    'input',
    frame.request_id,
    run.request.id,
    frame.input,
    waits?.program ?? null,
    waits?.state ?? null,
    printed,
  ])

function questionOf(
  { frame, run, terminal, waits, printed }: PreparedInput,
  { executes, verdict }: JudgedInput,
): Omit<InputQuestion, 'type' | 'ask_id' | 'context' | keyof ReturnType<typeof plainQuestion>> & { kind: 'input' } {
  const { command, args } = run.request
  return {
    kind: 'input',
    session_id: run.request.id,
    terminal_id: terminal.id,
    terminal_name: terminal.name,
    command: [run.commandExecuted ?? command, ...(run.commandExecuted === null ? (args ?? []) : [])].join(' '),
    program: waits?.program ?? null,
    wait_state: waits?.state ?? 'none',
    wait_evidence: waits === null ? 'not known' : `${waits.source}: ${waits.evidence}`,
    printed,
    input: [...frame.input] satisfies InputPiece[],
    executes,
    verdict: verdict && explained(verdict),
    grave: verdict !== null && isGrave(verdict),
  }
}
