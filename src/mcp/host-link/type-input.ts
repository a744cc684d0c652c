import type { Clock } from '../../base/clock.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { CanonicalRequest } from '../../contract/tool/request.ts'
import { DEFAULT_TIMEOUT_MS } from '../../contract/tool/request.ts'
import type { AnyResponse } from '../../contract/tool/response.ts'
import type { RunReport } from '../../contract/wire/host-frames.ts'
import type { InputRequest } from '../../contract/wire/input-frames.ts'
import { hostError } from '../answers/host-error.ts'
import { type CallContext, refuse } from '../answers/present.ts'
import { presentReading } from '../answers/present-report.ts'
import { answerWithin, HostPatience } from '../asking/host-patience.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { PersonAsker } from './ask-person.ts'
import { wantsItStopped } from './cancellation.ts'
import { disconnected, type HostAdapter } from './host-adapter.ts'
import type { CallTarget } from './host-calls.ts'

export interface HostInputDeps {
  readonly adapter: HostAdapter
  readonly clock: Clock
  readonly settings: Settings
  readonly person: PersonAsker
  /** The run as it stands, when the answer comes before the host has said how it went; null: it is not known. */
  readonly reportOf: (target: CallTarget) => Promise<RunReport | null>
}

const ONLY_IF_IT_RUNS = { choice: 'local_or_bundled_auto', binaryPath: null, launch: 'never' } as const

/** Types into a program of the host: a person decides, and the answer is what the program made of it. */
export async function typeInput(
  deps: HostInputDeps,
  context: CallContext,
  request: CanonicalRequest,
  call: ToolCall,
): Promise<AnyResponse> {
  const { adapter, clock, settings, person } = deps
  const frame = inputRequest(context, request)
  await adapter.connect(ONLY_IF_IT_RUNS, call.signal).catch(nothingThere)

  const patience = new HostPatience(call, clock, {
    runningMs: request.runtime?.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    answerWithinMs: answerWithin(call, settings),
  })
  try {
    const reply = await person.ask(context, frame, { call, patience })
    if (reply === 'given_up') return await answerEarly(deps, context, frame, call)
    if (reply.type === 'error') return refuse(context, hostError(reply.error), { ...sessionOf(frame) })
    if (reply.type === 'output') return presentReading(context, reply)
    throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}.`)
  } finally {
    patience.dispose()
  }
}

function inputRequest(context: CallContext, { execution, target, runtime, output }: CanonicalRequest): InputRequest {
  return {
    type: 'input_request',
    request_id: context.requestId,
    trace_id: context.traceId,
    ...(context.asker && { asker: context.asker }),
    ...target,
    input: execution?.input ?? [],
    ...(execution?.context !== undefined && { context: execution.context }),
    ...(runtime?.approval_timeout_ms !== undefined && { approval_timeout_ms: runtime.approval_timeout_ms }),
    ...(output && { output }),
  }
}

/** Without a host nothing runs that could read it. */
function nothingThere(cause: unknown): never {
  if (cause instanceof TermError && cause.code === 'PM_TERM_GUI_UNAVAILABLE')
    throw new TermError('PM_TERM_NOT_FOUND', 'No host runs, so there is no program to type into. Nothing was typed.')
  throw cause
}

/** The question stays open, unless the caller wants it gone; the run says what became of it. */
async function answerEarly(
  { adapter, reportOf }: HostInputDeps,
  context: CallContext,
  frame: InputRequest,
  call: ToolCall,
): Promise<AnyResponse> {
  const { request_id, trace_id, session_id, terminal_id } = frame
  if (wantsItStopped(call.signal)) {
    const { reply } = await adapter.sendRequest({ type: 'cancel', request_id, trace_id })
    reply.catch(() => {}) // the run says below what became of it
  }
  const report = await reportOf(session_id === undefined ? { terminal_id: terminal_id ?? '' } : { session_id })
  if (report === null) throw disconnected(frame, 'the host ended')
  return presentReading(context, report)
}

const sessionOf = ({ session_id }: InputRequest): { sessionId?: string } =>
  session_id === undefined ? {} : { sessionId: session_id }
