import type { OpenedLine } from '../../src/contract/disk/run-record.ts'

/** The line with which a run begins in its ledger. */
export const openedLine = (id: string, more: Partial<OpenedLine> = {}): OpenedLine => ({
  type: 'opened',
  v: 1,
  id,
  trace_id: 'trace',
  client_request_id: null,
  requester: 'local',
  lane: 'headless',
  adapter: 'headless_process',
  command: 'true',
  args: null,
  cwd: '/',
  workspace_id: null,
  env_names: [],
  payload_hash: 'hash',
  server: { id: 'srv', pid: 1, start: '1' },
  at: 1,
  ...more,
})
