import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { SpawnerKeeper, type SpawnerKeeperDeps } from '../base/process/spawner-keeper.ts'
import { spawnerProgram } from '../base/process/spawner-program.ts'

/** The spawner that was built beside this program, as the settings want it. */
export const ownSpawner = (
  wanted: 'auto' | 'off',
  deps: { readonly clock: Clock; readonly log: Log } & Pick<SpawnerKeeperDeps, 'onLost'>,
): SpawnerKeeper =>
  new SpawnerKeeper({
    ...deps,
    find: () => {
      if (wanted === 'off') return { why: 'PM_TERM_SPAWNER is off', changed: false }
      if (process.platform !== 'linux') return { why: 'there is none for this system', changed: false }
      return spawnerProgram(__dirname)
    },
  })
