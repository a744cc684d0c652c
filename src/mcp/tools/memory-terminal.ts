import {
  HEADLESS_ACTIONS,
  type HeadlessAction,
  type HeadlessRequest,
  parseHeadless,
} from '../../contract/tool/headless-request.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import { DEFAULT_TIMEOUT_MS } from '../../contract/tool/request.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import { rulesInForce } from '../../policy/files/broken-rules.ts'
import { claimWarning } from '../../policy/files/workspace-claim.ts'
import { readPattern } from '../../policy/rules/pattern.ts'
import type { Rule } from '../../policy/rules/rules.ts'
import { type CallContext, respond } from '../answers/present.ts'
import { shortPatterns } from '../answers/short-patterns.ts'
import type { HeadlessLane } from '../headless/headless-lane.ts'
import type { Hosts } from '../host-link/host-lanes.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { WantedDirectory } from '../server/wanted-directory.ts'
import { Reruns } from './reruns.ts'
import type { RunTools } from './run-tools.ts'

/** memory_terminal: strict, allowlisted, headless. */
export interface MemoryTerminalDeps {
  readonly runs: RunTools
  readonly headless: HeadlessLane
  readonly autoApprove: 'allowlist' | 'never'
  readonly host: Hosts
}

const CANONICAL = {
  run: 'execute',
  read_output: 'read_output',
  kill: 'terminate',
  list: 'list',
  get_allowlist: 'get_allowlist',
  update_allowlist: 'update_allowlist',
} as const satisfies Record<HeadlessAction, CallContext['canonical']>

type Unnamed = Omit<CallContext, 'tool' | 'requestId' | 'requestIdIs' | 'traceId' | 'clientRequestId'>

export function headlessContext({ action }: Readonly<Record<string, unknown>>): Unnamed {
  const known = HEADLESS_ACTIONS.find(each => each === action) ?? null
  return { action: known, canonical: known && CANONICAL[known], alias: null, warning: null, mode: 'headless' }
}

export async function memoryTerminal(
  deps: MemoryTerminalDeps,
  call: ToolCall,
  context: CallContext,
): Promise<AnyResponse> {
  const request = parseHeadless(call.arguments)
  switch (request.action) {
    case 'run':
      return run(deps, request, context, call)
    case 'read_output':
      return request.session_ids
        ? deps.runs.readFirst(context, request.session_ids, request, call)
        : deps.runs.readOutput(context, { session_id: String(request.session_id) }, request, call)
    case 'kill':
      return deps.runs.terminate(context, { session_id: String(request.session_id) })
    case 'list':
      return deps.runs.list(context)
    case 'get_allowlist':
      return respond(context, allowlist(deps, request, call))
    case 'update_allowlist':
      return updateAllowlist(deps, request, context, call)
  }
}

async function run(deps: MemoryTerminalDeps, request: HeadlessRequest, context: CallContext, call: ToolCall) {
  if (request.rerun_of !== undefined) {
    const { rerun_of, ...again } = request
    const reruns = new Reruns(deps.runs)
    const line = { command: String(request.command), args: request.args ?? null }
    const earlier = await reruns.earlier(context, rerun_of, line, call, 'rerun_of')
    return reruns.compared(context, earlier, await start(deps, again, context, call), call)
  }
  return start(deps, request, context, call)
}

function start(deps: MemoryTerminalDeps, request: HeadlessRequest, context: CallContext, call: ToolCall) {
  const wanted = {
    id: context.requestId,
    idIs: context.requestIdIs,
    idField: 'request_id',
    traceId: context.traceId,
    clientRequestId: context.clientRequestId,
    command: String(request.command),
    args: request.args ?? null,
    env: request.env ?? {},
    directory: whereIn(request, call),
    workspaceId: request.workspace_id ?? null,
    killAfterMs: request.kill_after_ms ?? null,
  }
  const waitMs = request.timeout_ms ?? request.timeout ?? DEFAULT_TIMEOUT_MS
  return deps.runs.execute(context, wanted, { waitMs, output: request }, call)
}

const whereIn = ({ cwd }: HeadlessRequest, { directory: caller }: ToolCall): WantedDirectory => ({
  cwd: cwd ?? null,
  field: 'cwd',
  caller,
})

function allowlist({ headless, autoApprove }: MemoryTerminalDeps, request: HeadlessRequest, call: ToolCall): Result {
  const cwd = headless.existingDirectory(whereIn(request, call))
  const here = headless.rulesFor(cwd)
  const { rules, idle, defaults, workspace, broken } = here
  const inForce = rulesInForce(here, defaults)

  const inReach = (reach: Rule['reach']) =>
    autoApprove === 'allowlist' &&
    (reach === 'anywhere' ||
      reach === 'nothing_read' ||
      (workspace !== null && (reach !== 'trusted' || workspace.trusted)))

  const warning = claimWarning(request.workspace_id, workspace, cwd)

  return {
    ...(warning !== null && { warning }),
    patterns: shortPatterns([
      ...[...rules, ...defaults].map(rule => ({
        pattern: rule.pattern.text,
        source: rule.source,
        active: inForce.includes(rule) && inReach(rule.reach),
        why: rule.why,
      })),
      ...idle.map(each => ({ ...each, active: false })),
    ]),
    workspace: {
      workspace_id: workspace?.id ?? null,
      directory: workspace?.directory ?? null,
      trusted: workspace?.trusted ?? false,
    },
    ...(broken.length > 0 && { broken_files: broken.map(({ file, problem }) => ({ file, problem })) }),
  }
}

/** Only a person may change what runs without approval: it becomes a question, and without somebody to ask nothing changes. */
function updateAllowlist(
  deps: MemoryTerminalDeps,
  request: HeadlessRequest,
  context: CallContext,
  call: ToolCall,
): Promise<AnyResponse> {
  const issues = (request.patterns ?? []).flatMap((text, i) => {
    const pattern = readPattern(text)
    return 'problem' in pattern ? [{ field: `patterns.${i}`, problem: pattern.problem }] : []
  })
  if (issues.length > 0) throw invalidPayload(issues)
  const cwd = deps.headless.existingDirectory(whereIn(request, call))
  const { workspace } = deps.headless.rulesFor(cwd)
  // Where no workspace is around, in a container for one, the host knows what the id stands for, and the card shows it.
  const workspaceId = workspace?.id ?? request.workspace_id
  if (workspaceId === undefined)
    throw invalidPayload([{ field: 'cwd', problem: `is ${cwd}, which belongs to no workspace` }])
  if (request.workspace_id !== undefined && request.workspace_id !== workspaceId)
    throw invalidPayload([{ field: 'workspace_id', problem: `is not that of ${cwd}, which is "${workspaceId}"` }])
  const { operation = 'add', patterns = [], context: purpose } = request
  return deps.host.updateAllowlist(context, { workspaceId, operation, patterns, context: purpose }, call)
}
