import type { Decision } from '../../approving/decision.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { Answer, AskedRun } from '../../runs/run/approver.ts'
import type { KeptDeclines } from '../questions/kept-declines.ts'
import type { InteractiveGate } from './gate.ts'
import type { JudgedRequest } from './prepared-request.ts'

interface DeclinesDeps {
  readonly declines: KeptDeclines
  readonly gate: InteractiveGate
  readonly journal: Journal
}

/** Keeps a no for the rest of the day, if it is one. */
export function keepDecline(
  { declines, gate }: DeclinesDeps,
  { keep, reason }: Extract<Decision, { kind: 'decline' }>,
  about: { readonly prepared: JudgedRequest; readonly run: AskedRun; readonly shown: CommandQuestion },
): void {
  if (keep === undefined) return
  const { prepared, run, shown } = about
  const command = [shown.command, ...(shown.args ?? [])].join(' ')
  const { directory } = shown.project
  declines.keep(gate.plainly(prepared, run), { covers: keep, command, directory, reason })
}

/** The no that the person gave to the same command before, if it still holds: they are not asked again, and it is written down. */
export function declinedBefore(deps: DeclinesDeps, prepared: JudgedRequest, run: AskedRun): Answer | null {
  const kept = deps.gate.keptDecline(prepared, run)
  if (kept === null) return null
  const { decline_id, reason, since, until } = kept
  const { requester } = prepared
  const { id: runId } = run.request
  const body = { kind: 'decline', reason, by: 'a no for the day', kept: decline_id, since }
  deps.journal.append({ kind: 'answered', requester, runId, body })
  deps.declines.count(decline_id)
  return { kind: 'declined', reason, kept: { since, until } }
}
