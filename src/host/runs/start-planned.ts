import type { TreeKillerDeps } from '../../base/process/kill-tree.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { PreparedRequest } from '../gate/gate.ts'
import type { Terminal } from '../terminals/terminals.ts'
import { openShell, typeLine } from './shell-run.ts'
import { type SpawnDeps, spawnInTerminal } from './spawn.ts'

export interface PlannedStart {
  readonly run: Run
  readonly plan: Plan
  readonly terminal: Terminal
  readonly view: RunView
}

/** Starts exactly what was judged, in the way it was wanted. Rejects with PlanChanged when the disk is another one now. */
export async function startPlanned(
  deps: SpawnDeps & { readonly killer: TreeKillerDeps },
  how: PreparedRequest['how'],
  starting: PlannedStart,
): Promise<StartedProcess> {
  switch (how) {
    case 'run':
      return spawnInTerminal(deps, starting)
    case 'open':
      return openShell(deps, starting)
    case 'send':
      return typeLine(deps, starting)
  }
}
