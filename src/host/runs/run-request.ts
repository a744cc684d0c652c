import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import type { RunRequest } from '../../runs/run/run-request.ts'
import { adapterOf } from '../names.ts'
import type { Terminal } from '../terminals/terminal.ts'

/** What is stored of a request when its run is opened. */
export const runRequestOf = (
  frame: CommandRequest,
  {
    terminal,
    ...known
  }: Pick<RunRequest, 'requester' | 'client' | 'cwd' | 'workspaceId' | 'payloadHash'> & { terminal: Terminal },
): RunRequest => ({
  ...known,
  id: frame.request_id,
  idIs: 'given',
  traceId: frame.trace_id,
  clientRequestId: frame.client_request_id ?? null,
  command: frame.command ?? '',
  args: frame.args ?? null,
  env: frame.env ?? {},
  killAfterMs: frame.timeout_seconds === undefined ? null : Math.round(frame.timeout_seconds * 1000),
  interactive: {
    adapter: adapterOf(known.requester),
    terminalId: terminal.id,
    terminal: { profile: terminal.profile, home: terminal.home, kind: terminal.kind },
  },
})
