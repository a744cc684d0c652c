import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'

/**
 * What runs there ends. The person's own shell begins anew in its tab; a terminal of an agent stays the agent's, and the
 * person's shell comes up in a tab of its own, in the same directory.
 */
export async function restartAsShell(
  controller: WindowController,
  { terminal_id, state, cwd }: TerminalState,
): Promise<void> {
  const ended = await controller.ask({ type: 'terminal_restart', terminal_id })
  if (state === 'shell' || ended?.type !== 'done') return
  const size = { cols: 100, rows: 30 }
  const reply = await controller.ask({ type: 'terminal_create', profile: 'system', cwd, workspace_id: null, ...size })
  if (reply?.type === 'done' && reply.terminal_id) controller.show({ view: 'terminal', terminalId: reply.terminal_id })
}
