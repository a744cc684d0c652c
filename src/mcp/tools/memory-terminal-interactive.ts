import type { Settings } from '../../config/env.ts'
import { CALLER_SURFACES } from '../../contract/caller-surfaces.ts'
import { type AliasPhase, aliasOf, aliasWarning, CANONICAL_ACTIONS } from '../../contract/tool/aliases.ts'
import { canonicalise } from '../../contract/tool/canonicalise.ts'
import { groupOf } from '../../contract/tool/coupling.ts'
import { type CanonicalRequest, DEFAULT_TIMEOUT_MS, MODES } from '../../contract/tool/request.ts'
import type { AnyResponse } from '../../contract/tool/response.ts'
import type { CallContext } from '../answers/present.ts'
import type { CallTarget } from '../host-link/host-calls.ts'
import type { Hosts } from '../host-link/host-lanes.ts'
import { chooseLane, type Whereabouts } from '../host-link/lane.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { Reruns } from './reruns.ts'
import type { RunTools } from './run-tools.ts'

/** memory_terminal_interactive: the canonical contract, with a person on the other side. */
export interface InteractiveDeps {
  readonly runs: RunTools
  readonly host: Hosts
  readonly settings: Settings
  readonly place: Whereabouts
}

export function interactiveContext(
  payload: Readonly<Record<string, unknown>>,
  phase: AliasPhase,
): Omit<CallContext, 'tool' | 'requestId' | 'requestIdIs' | 'traceId' | 'clientRequestId'> {
  const alias = aliasOf(payload.action)
  const action = alias?.action ?? CANONICAL_ACTIONS.find(each => each === payload.action) ?? null
  const asked = groupOf(payload, 'invocation').mode ?? alias?.invocation?.mode
  const { caller_surface } = groupOf(payload, 'compat')
  return {
    action,
    canonical: action,
    alias: alias?.name ?? null,
    warning: alias && phase === 'warn' ? aliasWarning(alias.name) : null,
    mode: action === 'execute' ? (MODES.find(mode => mode === asked) ?? null) : null,
    surface: CALLER_SURFACES.find(surface => surface === caller_surface),
  }
}

export async function memoryTerminalInteractive(
  deps: InteractiveDeps,
  call: ToolCall,
  context: CallContext,
): Promise<AnyResponse> {
  const request = fromHere(canonicalise(call.arguments, deps.settings.PM_TERM_ALIAS_PHASE), deps.settings)
  switch (request.action) {
    case 'execute':
      return execute(deps, request, context, call)
    case 'read_output':
      return request.target?.session_ids
        ? deps.runs.readFirst(context, request.target.session_ids, request.output ?? {}, call)
        : deps.runs.readOutput(context, targetOf(request), request.output ?? {}, call)
    case 'terminate':
      return deps.runs.terminate(context, targetOf(request))
    case 'list':
      return deps.runs.list(context)
  }
}

/** What a request says of its place wins over what whoever started this server says. */
const fromHere = (request: CanonicalRequest, { PM_TERM_CALLER_SURFACE: surface }: Settings): CanonicalRequest =>
  request.callerSurface !== undefined || surface === 'server' ? request : { ...request, callerSurface: surface }

async function execute(deps: InteractiveDeps, request: CanonicalRequest, context: CallContext, call: ToolCall) {
  const { rerun_of, ...execution } = request.execution ?? {}
  if (rerun_of === undefined) return start(deps, request, context, call)
  const reruns = new Reruns(deps.runs)
  const line = { command: String(execution.command), args: execution.args ?? null }
  const earlier = await reruns.earlier(context, rerun_of, line, call, 'execution.rerun_of')
  return reruns.compared(context, earlier, await start(deps, { ...request, execution }, context, call), call)
}

function start(deps: InteractiveDeps, request: CanonicalRequest, context: CallContext, call: ToolCall) {
  const { runtime, execution } = request
  const lane = chooseLane(
    request.invocation?.mode ?? 'interactive',
    runtime?.adapter_override,
    deps.settings,
    deps.place,
  )
  if (lane.name !== 'headless_process') return deps.host.at(lane.name).execute(context, request, lane, call)
  const wanted = {
    id: context.requestId,
    idIs: context.requestIdIs,
    idField: 'correlation.request_id',
    traceId: context.traceId,
    clientRequestId: context.clientRequestId,
    command: String(execution?.command),
    args: execution?.args ?? null,
    env: execution?.env ?? {},
    directory: { cwd: runtime?.cwd ?? null, field: 'runtime.cwd', caller: call.directory },
    workspaceId: runtime?.workspace_id ?? null,
    killAfterMs: runtime?.kill_after_ms ?? null,
  }
  const waitMs = runtime?.timeout_ms ?? DEFAULT_TIMEOUT_MS
  return deps.runs.execute(context, wanted, { waitMs, output: request.output ?? {} }, call)
}

/** The contract has checked that one of the two is there; a run is more exact than the terminal it was in. */
function targetOf({ target }: CanonicalRequest): CallTarget {
  return target?.session_id !== undefined
    ? { session_id: target.session_id }
    : { terminal_id: String(target?.terminal_id) }
}
