import type { OpenedLine } from '../../contract/disk/run-record.ts'
import type { StoredRun } from '../store/ledger.ts'

/** What somebody wants to run, parsed and with its ids. */
export interface RunRequest {
  readonly id: string
  /** Chosen by the caller, who may use it again; or made by us. */
  readonly idIs: 'given' | 'made'
  readonly traceId: string
  readonly clientRequestId: string | null
  readonly requester: string
  /** How the client calls itself, as far as it says. */
  readonly client?: string
  readonly command: string
  readonly args: readonly string[] | null
  readonly env: Readonly<Record<string, string>>
  /** A real, existing directory. */
  readonly cwd: string
  readonly workspaceId: string | null
  readonly killAfterMs: number | null
  readonly payloadHash: string
  /** Absent: headless. */
  readonly interactive?: {
    readonly adapter: 'host_bridge_local' | 'container_bridge_to_host'
    readonly terminalId: string
    readonly terminal: NonNullable<OpenedLine['terminal']>
  }
}

/** The request of a run, as its record has it. */
export function requestOf({ opened, started }: StoredRun): RunRequest {
  const { terminal_id: terminalId, terminal } = opened
  return {
    id: opened.id,
    idIs: 'given',
    traceId: opened.trace_id,
    clientRequestId: opened.client_request_id,
    requester: opened.requester,
    ...(opened.client !== undefined && { client: opened.client }),
    command: opened.command,
    args: opened.args,
    // Values are never stored; nobody needs them any more.
    env: {},
    cwd: opened.cwd,
    workspaceId: opened.workspace_id,
    killAfterMs: started?.kill_after_ms ?? null,
    payloadHash: opened.payload_hash,
    ...(terminalId !== undefined && {
      interactive: {
        adapter: opened.adapter === 'container_bridge_to_host' ? opened.adapter : 'host_bridge_local',
        terminalId,
        terminal: terminal ?? { profile: 'bash', home: opened.cwd },
      },
    }),
  }
}

export function openedLine(run: RunRequest, server: OpenedLine['server'], at: number): OpenedLine {
  return {
    type: 'opened',
    v: 1,
    id: run.id,
    trace_id: run.traceId,
    client_request_id: run.clientRequestId,
    requester: run.requester,
    ...(run.client !== undefined && { client: run.client }),
    lane: run.interactive ? 'interactive' : 'headless',
    adapter: run.interactive?.adapter ?? 'headless_process',
    ...(run.interactive && { terminal_id: run.interactive.terminalId, terminal: run.interactive.terminal }),
    command: run.command,
    args: run.args ? [...run.args] : null,
    cwd: run.cwd,
    workspace_id: run.workspaceId,
    env_names: Object.keys(run.env),
    payload_hash: run.payloadHash,
    server,
    at,
  }
}
