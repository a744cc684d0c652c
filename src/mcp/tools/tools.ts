import type { Ids } from '../../base/ids.ts'
import { isId } from '../../contract/field.ts'
import type { AliasPhase } from '../../contract/tool/aliases.ts'
import { groupOf, isPlainObject } from '../../contract/tool/coupling.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { AnyResponse } from '../../contract/tool/response.ts'
import type { Redactor } from '../../runs/secrets/redactor.ts'
import { redactTexts, withoutSecrets } from '../../runs/secrets/without-secrets.ts'
import { type CallContext, refuse } from '../answers/present.ts'
import { presentText } from '../answers/present-text.ts'
import type { Whereabouts } from '../host-link/lane.ts'
import type { ToolAnswer, ToolCall } from '../server/mcp-server.ts'
import { ClientClocks } from './client-clocks.ts'
import { headlessContext, memoryTerminal } from './memory-terminal.ts'
import { interactiveContext, memoryTerminalInteractive } from './memory-terminal-interactive.ts'
import { nextCall } from './next-call.ts'
import { RunTools, type ToolDeps } from './run-tools.ts'
import { ShortIds } from './short-ids.ts'

/** Both tools behind one call. The border where every error becomes an answer: nothing thrown leaves it. */
export function tools(
  deps: ToolDeps & { readonly ids: Ids; readonly place: Whereabouts; readonly home?: string | null },
  runs = new RunTools(deps),
): (call: ToolCall) => Promise<ToolAnswer> {
  const ids = new ShortIds()
  const clocks = new ClientClocks(deps.settings)
  return async asked => {
    const began = deps.clock.elapsed()
    const context = contextOf(asked, deps.ids, deps.settings.PM_TERM_ALIAS_PHASE)
    const payload = ids.spelledOut(asked.arguments, () => runs.knownIds(context))
    const call = clocks.timed({ ...asked, arguments: payload instanceof Promise ? await payload : payload })
    if (context.asker?.session) deps.host.calls(context.asker.session, aboutRuns(call, context))

    let response: AnyResponse
    try {
      response =
        call.name === 'memory_terminal'
          ? await memoryTerminal(
              { runs, headless: deps.headless, host: deps.host, autoApprove: deps.settings.PM_TERM_AUTO_APPROVE },
              call,
              context,
            )
          : await memoryTerminalInteractive(
              { runs, host: deps.host, settings: deps.settings, place: deps.place },
              call,
              context,
            )
    } catch (cause) {
      response = refuse(context, asTermError(cause, context))
      if (response.error?.code === 'PM_TERM_INTERNAL')
        deps.log.error('a call failed', { trace_id: context.traceId, tool: call.name, cause })
    }
    clocks.ended(call, deps.clock.elapsed() - began)

    const shown = redacted(withUnit(response, call.arguments), deps.redactor)
    const next = nextCall(shown, context.tool, call.arguments, deps.home)
    const whole = next ? { ...shown, next } : shown
    return { structured: whole, text: presentText(whole, ids), isError: !response.success }
  }
}

/** What leaves here is read by a model: also a command in a list and a line that an error quotes. */
const redacted = (response: AnyResponse, redactor: Redactor): AnyResponse => ({
  ...response,
  result: withoutSecrets(response.result, redactor),
  error: response.error && redactTexts(response.error, redactor),
})

/**
 * Ids, action and mode as far as they are known before anything is checked, so that even a payload that makes no sense
 * gets an answer that belongs to it.
 */
function contextOf({ name, arguments: payload, asker }: ToolCall, ids: Ids, phase: AliasPhase): CallContext {
  const flat = isPlainObject(payload) ? payload : {}
  const grouped = groupOf(flat, 'correlation')
  const idIn = (field: string): string | null => {
    const id = grouped[field] ?? flat[field]
    return isId(id) ? id : null
  }
  const given = idIn('request_id')
  return {
    ...(name === 'memory_terminal'
      ? { tool: name, ...headlessContext(flat) }
      : { tool: 'memory_terminal_interactive' as const, ...interactiveContext(flat, phase) }),
    requestId: given ?? ids.make('req'),
    requestIdIs: given === null ? 'made' : 'given',
    traceId: idIn('trace_id') ?? ids.make('trace'),
    clientRequestId: idIn('client_request_id'),
    asker,
  }
}

/** The runs a call speaks of by their ids; null when it looks at all of them, or at whatever is in a terminal. */
function aboutRuns({ arguments: payload }: ToolCall, context: CallContext): string[] | null {
  const flat = isPlainObject(payload) ? payload : {}
  const target = groupOf(flat, 'target')
  if (context.action === 'list' || isId(target.terminal_id ?? flat.terminal_id)) return null
  const ids = [target.session_id ?? flat.session_id, target.session_ids ?? flat.session_ids].flat()
  return [context.requestId, ...ids.filter(isId)]
}

/** Other tools count `timeout` in seconds: who was answered at once because of that learns why. */
function withUnit(response: AnyResponse, payload: unknown): AnyResponse {
  const { timeout, timeout_ms } = isPlainObject(payload) ? payload : {}
  const isShort = typeof timeout === 'number' && timeout > 0 && timeout < 1000 && timeout_ms === undefined
  if (!isShort || !response.result.running) return response
  const said = `This call waited ${timeout} ms: timeout is in milliseconds.`
  const warning = [response.result.warning, said].filter(text => text !== undefined).join(' ')
  return { ...response, result: { ...response.result, warning } }
}

function asTermError(cause: unknown, context: CallContext): TermError {
  if (cause instanceof TermError) return cause
  return new TermError('PM_TERM_INTERNAL', `Something broke on our side (${context.traceId}).`, {
    details: { trace_id: context.traceId },
    cause,
  })
}
