import type { TermError } from '../../contract/tool/errors.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import { ReportedResult, type RunReport } from '../../contract/wire/host-frames.ts'
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

/** Every field that a host reports, whatever it is; first what models look for first. */
function reportResult(report: RunReport, more: More): Result {
  const { state, running = state === 'running', exit_code, warning: said, ...facts } = ReportedResult.parse(report)
  const ran = report.started_at !== null || state === 'lost'
  const warning = [instead(report), said, more.warning].filter(text => text !== undefined).join(' ')
  const lifecycle = more.lifecycle && decidedOnly(more.lifecycle, report)
  return {
    state,
    running,
    ...(exit_code !== undefined && { exit_code }),
    ...(ran && isText(facts) && { stdout: plainLines(report.output) }),
    ...(warning !== '' && { warning }),
    ...facts,
    ...(lifecycle && { lifecycle }),
  }
}

const isText = ({ matches, base64, screen }: ReportedResult): boolean =>
  matches === undefined && base64 === undefined && screen === undefined

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
  const decided = approved_by === 'person' || state === 'declined'
  return decided ? lifecycle : lifecycle.filter(step => step !== 'user_decision')
}

function reportError({ error }: RunReport): TermError | null {
  return error && hostError(error)
}
