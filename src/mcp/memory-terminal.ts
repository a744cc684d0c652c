import {
  HEADLESS_ACTIONS,
  type HeadlessAction,
  type HeadlessRequest,
  parseHeadless,
} from '../contract/headless-request.ts'
import { invalidPayload } from '../contract/issues.ts'
import { DEFAULT_TIMEOUT_MS } from '../contract/request.ts'
import type { AnyResponse, Result } from '../contract/response.ts'
import { readPattern } from '../policy/pattern.ts'
import type { HeadlessLane } from './headless-lane.ts'
import type { Hosts } from './host-lanes.ts'
import type { ToolCall } from './mcp-server.ts'
import { type Frame, respond } from './present.ts'
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
} as const satisfies Record<HeadlessAction, Frame['canonical']>

type Unnamed = Omit<Frame, 'tool' | 'requestId' | 'requestIdIs' | 'traceId' | 'clientRequestId'>

export function headlessFrame({ action }: Readonly<Record<string, unknown>>): Unnamed {
  const known = HEADLESS_ACTIONS.find(each => each === action) ?? null
  return { action: known, canonical: known && CANONICAL[known], alias: null, warning: null, mode: 'headless' }
}

export async function memoryTerminal(deps: MemoryTerminalDeps, call: ToolCall, frame: Frame): Promise<AnyResponse> {
  const request = parseHeadless(call.arguments)
  switch (request.action) {
    case 'run':
      return run(deps, request, frame, call)
    case 'read_output':
      return deps.runs.readOutput(frame, { session_id: String(request.session_id) }, request, call)
    case 'kill':
      return deps.runs.terminate(frame, { session_id: String(request.session_id) })
    case 'list':
      return deps.runs.list(frame)
    case 'get_allowlist':
      return respond(frame, allowlist(deps, request))
    case 'update_allowlist':
      return updateAllowlist(deps, request, frame, call)
  }
}

function run(deps: MemoryTerminalDeps, request: HeadlessRequest, frame: Frame, call: ToolCall): Promise<AnyResponse> {
  const wanted = {
    id: frame.requestId,
    idIs: frame.requestIdIs,
    fieldNames: { cwd: 'cwd', id: 'request_id' },
    traceId: frame.traceId,
    clientRequestId: frame.clientRequestId,
    command: String(request.command),
    args: request.args ?? null,
    env: request.env ?? {},
    cwd: request.cwd ?? null,
    workspaceId: request.workspace_id ?? null,
    killAfterMs: request.kill_after_ms ?? null,
  }
  const waitMs = request.timeout_ms ?? request.timeout ?? DEFAULT_TIMEOUT_MS
  return deps.runs.execute(frame, wanted, { waitMs, output: request }, call)
}

function allowlist({ headless, autoApprove }: MemoryTerminalDeps, request: HeadlessRequest): Result {
  const cwd = headless.existingDirectory(request.cwd ?? null, 'cwd')
  const { rules, idle, defaults, workspace, broken } = headless.rulesFor(request.workspace_id ?? null, cwd)
  const inReach = (reach: 'anywhere' | 'workspace' | 'trusted') =>
    autoApprove === 'allowlist' &&
    (reach === 'anywhere' || (workspace !== null && (reach === 'workspace' || workspace.trusted)))
  return {
    patterns: [
      ...[...rules, ...defaults].map(({ pattern, source, why, reach }) => ({
        pattern: pattern.text,
        source,
        active: inReach(reach),
        why,
      })),
      ...idle.map(each => ({ ...each, active: false })),
    ],
    workspace: {
      workspace_id: workspace?.id ?? request.workspace_id ?? null,
      directory: workspace?.directory ?? null,
      trusted: workspace?.trusted ?? false,
    },
    ...(broken.length > 0 && { broken_files: [...broken] }),
  }
}

/** Only a person may change what runs unasked: it becomes a question, and without somebody to ask nothing changes. */
function updateAllowlist(
  deps: MemoryTerminalDeps,
  request: HeadlessRequest,
  frame: Frame,
  call: ToolCall,
): Promise<AnyResponse> {
  const issues = (request.patterns ?? []).flatMap((text, i) => {
    const pattern = readPattern(text)
    return 'problem' in pattern ? [{ field: `patterns.${i}`, problem: pattern.problem }] : []
  })
  if (issues.length > 0) throw invalidPayload(issues)
  const here = deps.headless.rulesFor(request.workspace_id ?? null, deps.headless.existingDirectory(null, 'cwd'))
  const workspaceId = request.workspace_id ?? here.workspace?.id
  if (workspaceId === undefined)
    throw invalidPayload([{ field: 'workspace_id', problem: 'is required: no workspace is bound here' }])
  const { operation = 'add', patterns = [], context } = request
  return deps.host.updateAllowlist(frame, { workspaceId, operation, patterns, context }, call)
}
