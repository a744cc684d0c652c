import type { TerminalState } from '../../contract/window/window-frames.ts'
import type { Desk } from '../desk/desk.ts'

/**
 * What runs there ends. The person's own shell begins anew in its tab; a terminal of an agent stays the agent's, and the
 * person's shell comes up in a tab of its own, in the same directory.
 */
export async function restartAsShell(desk: Desk, { terminal_id, state, cwd }: TerminalState): Promise<void> {
  const ended = await desk.ask({ type: 'terminal_restart', terminal_id })
  if (state === 'shell' || ended?.type !== 'done') return
  const size = { cols: 100, rows: 30 }
  const reply = await desk.ask({ type: 'terminal_create', profile: 'system', cwd, workspace_id: null, ...size })
  if (reply?.type === 'done' && reply.terminal_id) desk.show({ view: 'terminal', terminalId: reply.terminal_id })
}
