import type { EndedLine, OpenedLine } from '../../src/contract/disk/run-record.ts'
import { RunStore } from '../../src/runs/store/run-store.ts'

/** So many headless runs of a server that has ended, as it would have left them, so many hours ago. */
export function leaveOldRuns(stateDir: string, count: number, { cwd, hours }: { cwd: string; hours: number }): void {
  const newest = Date.now() - hours * 3_600_000
  const serverId = `srv_${hours}`
  const store = new RunStore({ stateDir, serverId, now: () => newest })
  const server = { id: serverId, pid: 1, start: 'long ago' }
  for (let i = 1; i <= count; i++) {
    const id = `req_${hours}_${i}`
    const at = newest - (count - i)
    const opened: OpenedLine = {
      ...{ type: 'opened', v: 1, id, trace_id: 'trace_1', client_request_id: null, requester: 'local' },
      ...{ client: 'an older agent', lane: 'headless', adapter: 'headless_process', command: `make step-${i}` },
      ...{ args: null, cwd, workspace_id: null, env_names: [], payload_hash: 'p', server, at },
    }
    const ended: EndedLine = {
      ...{ type: 'ended', id, state: 'exited', at, started_at: at, took_ms: 12, exit_code: i % 7 === 0 ? 2 : 0 },
      ...{ signal: null, ended_by: null, why: null, destructive: false, survivors: [], approved_by: 'allowlist' },
      ...{ output_bytes: 0, lost_bytes: 0, drained: true },
    }
    store.open(opened, 'made')
    store.appendAfter(ended)
  }
  store.close()
}
