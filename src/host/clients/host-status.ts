import type { PtyHealth, PtyState } from '../../base/process/pty.ts'
import type { StatusAnswered } from '../../contract/wire/host-status.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { Presence } from '../questions/presence.ts'
import type { InteractiveLane } from '../runs/interactive-lane.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { ClientSessions } from './sessions.ts'

export interface HostStatusDeps {
  readonly identity: Pick<StatusAnswered, 'version' | 'instance_id' | 'pid' | 'port'>
  readonly approvers: () => { readonly port: number; readonly windows: number }
  readonly presence: Presence
  readonly sessions: ClientSessions
  readonly terminals: Terminals
  readonly lane: InteractiveLane
  readonly queue: ApprovalQueue
  readonly ptyHealth: PtyHealth
}

/** How the host is doing. `asker`: whoever asks is no agent, and is left out; so is one of its kind that is just leaving. */
export function hostStatus(
  deps: HostStatusDeps,
  asker: { readonly client: string; readonly requester: string },
): Omit<StatusAnswered, 'type' | 'id' | 'request_id' | 'trace_id'> {
  const { port: approver_port, windows } = deps.approvers()
  const clients = deps.sessions.clients()
  const isAsker = (name: string, requester: string) => name === asker.client && requester === asker.requester
  return {
    ...deps.identity,
    approver_port,
    windows,
    approvers: deps.presence.names,
    // By which the person cuts one off is nobody else's.
    agents: clients
      .filter(({ name, requester }) => !isAsker(name, requester))
      .map(({ name, requester, connections }) => ({ name, requester, connections })),
    running: runningIn(deps),
    waiting: deps.queue.pending.length,
    pty_host: ptyHostHealth(deps.ptyHealth.now()),
  }
}

function runningIn({ terminals, lane }: HostStatusDeps): StatusAnswered['running'] {
  return terminals.all.flatMap(({ id: terminal_id, requester, activeRuns, kind }) =>
    [...activeRuns].reverse().flatMap(session_id => {
      const going = lane.find(requester, session_id)
      if (going?.view.status().state.at !== 'running') return []
      const { command, args } = going.view.opened
      const line = [command, ...(args ?? [])].join(' ')
      return [{ session_id, terminal_id, requester, command: kind === 'shell' ? `your shell (${line})` : line }]
    }),
  )
}

export function ptyHostHealth(state: PtyState): StatusAnswered['pty_host'] {
  const again = state.restarts > 0 ? `, started again ${state.restarts} times` : ''
  switch (state.at) {
    case 'up':
      return {
        health: 'well',
        detail: state.pid === null ? "in the host's own process" : `process ${state.pid}${again}`,
      }
    case 'starting':
      return { health: 'starting', detail: `it is just starting${again}` }
    case 'down':
      return { health: 'gone', detail: `${state.why}${again}` }
  }
}
