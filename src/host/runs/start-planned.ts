import type { TreeKillerDeps } from '../../base/process/kill-tree.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import type { PreparedRequest } from '../gate/gate.ts'
import { openShell, type PlannedStart, typeLine } from './shell-run.ts'
import { type SpawnDeps, spawnInTerminal } from './spawn.ts'

/** Starts exactly what was judged, in the way it was wanted. Rejects with PlanChanged when the disk is another one now. */
export async function startPlanned(
  deps: SpawnDeps & { readonly killer: TreeKillerDeps },
  { how, terminal }: PreparedRequest,
  starting: PlannedStart,
): Promise<StartedProcess> {
  switch (how) {
    case 'run':
      return spawnInTerminal(deps, terminal, starting)
    case 'open':
      return openShell(deps, terminal, starting)
    case 'send':
      return typeLine(deps, terminal, starting)
  }
}
