import { isInside } from '../../policy/judge/decide.ts'
import type { InteractiveGate } from '../gate/gate.ts'
import { PERSON } from '../names.ts'
import type { Terminal } from '../terminals/terminal.ts'
import { agentName, YOU } from '../terminals/terminal-name.ts'
import type { Terminals } from '../terminals/terminals.ts'

/** A terminal is called after who runs there and the project they work in: the workspace, else where it began, else where it runs. */
export function nameTerminal(
  deps: { readonly terminals: Terminals; readonly gate: Pick<InteractiveGate, 'workspaceAt'>; readonly home: string },
  terminal: Terminal,
  client: string,
  cwd: string,
): void {
  const asker = terminal.requester === PERSON ? YOU : agentName(client)
  const beganInProject = terminal.home !== deps.home && isInside(terminal.home, cwd)
  const folder = deps.gate.workspaceAt(cwd)?.directory ?? (beganInProject ? terminal.home : cwd)
  deps.terminals.use(terminal, asker, folder)
}
