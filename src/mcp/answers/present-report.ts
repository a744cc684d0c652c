import type { TermError } from '../../contract/tool/errors.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import type { RunReport } from '../../contract/wire/host-frames.ts'
import { plainLines } from '../../runs/run/run-result.ts'
import { hostError } from './host-error.ts'
import { type CallContext, refuse, respond } from './present.ts'

/** What this server adds to the host's word. */
interface More {
  readonly lifecycle?: Result['lifecycle']
  readonly warning?: string
}

/** A run of the host as the canonical answer. What it says about the run is the host's word: it saw it. */
export function presentReport(context: CallContext, report: RunReport, more: More = {}): AnyResponse {
  const result = reportResult(report, more)
  const error = reportError(report)
  const identity = { sessionId: report.session_id, terminalId: report.terminal_id }
  return error
    ? refuse(context, error, { ...identity, result })
    : respond(context, result, { ...identity, running: isOpen(report) })
}

/** Reading succeeds whatever became of the run; how it ended is in the result. */
export function presentReading(context: CallContext, report: RunReport, more: More = {}): AnyResponse {
  const identity = { sessionId: report.session_id, terminalId: report.terminal_id }
  return respond(context, reportResult(report, more), { ...identity, running: isOpen(report) })
}

/** It has not ended: it waits, for a person or its turn, or it runs. */
export const isOpen = ({ state }: RunReport): boolean =>
  state === 'received' || state === 'awaiting_approval' || state === 'running'

function reportResult(report: RunReport, more: More): Result {
  const ran = report.started_at !== null || report.state === 'lost'
  const warning = [instead(report), report.warning, more.warning].filter(text => text !== undefined).join(' ')
  const { state, running, exit_code, signal, ended_by, execution_time_ms, drained, survivors } = report
  const { cursor, output_bytes, omitted_bytes, omitted_from, lost_bytes, waited, matches } = report
  const { wait_state, wait_evidence, input } = report
  const { authorization, approved_by, verdict, command_executed, cwd, carried, plan_hash, adapter, visibility } = report
  const ending = { exit_code, signal, ended_by, execution_time_ms, drained, survivors }
  const output = { cursor, output_bytes, omitted_bytes, omitted_from, lost_bytes, matches }
  const whatHappened = {
    state,
    running: running ?? state === 'running',
    ...(ran && { ...ending, ...(matches === undefined && { stdout: plainLines(report.output) }), ...output }),
    wait_state,
    wait_evidence,
    input,
    waited,
    warning: warning === '' ? undefined : warning,
  }
  const whyItMay = { authorization, approved_by, verdict, command_executed }
  return withoutAbsent({
    ...whatHappened,
    ...whyItMay,
    cwd,
    carried,
    plan_hash,
    adapter,
    visibility,
    lifecycle: more.lifecycle && decidedOnly(more.lifecycle, report),
  })
}

/** What ran is not what was asked for: said before anything else about it. */
const instead = ({ command_executed, command, args }: RunReport): string | undefined =>
  command_executed === undefined
    ? undefined
    : `The person ran \`${command_executed}\` instead of \`${[command, ...(args ?? [])].join(' ')}\`.`

/** A rule that let it run, or a question nobody answered, is no decision of a person. */
function decidedOnly(
  lifecycle: NonNullable<Result['lifecycle']>,
  { approved_by, state }: RunReport,
): Result['lifecycle'] {
  const { user_decision, ...others } = lifecycle
  return approved_by === 'person' || state === 'declined' ? lifecycle : others
}

function reportError({ error }: RunReport): TermError | null {
  return error && hostError(error)
}

function withoutAbsent(result: { readonly [Field in keyof Result]: Result[Field] | undefined }): Result {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as Result
}
