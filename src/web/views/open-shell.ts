import type { WindowController } from '../controller/window-controller.ts'

/** The person's own shell, shown as soon as it is there. */
export async function openShell(controller: WindowController): Promise<void> {
  const size = { cols: 100, rows: 30 }
  const reply = await controller.ask({
    type: 'terminal_create',
    profile: 'system',
    cwd: null,
    workspace_id: null,
    ...size,
  })
  if (reply?.type === 'done' && reply.terminal_id) controller.show({ view: 'terminal', terminalId: reply.terminal_id })
}
