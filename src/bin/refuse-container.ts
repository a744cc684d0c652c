import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import type { Configuration, RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'

/** The reason of a refusal that is no fault: there is simply no host in a container. */
export const IN_CONTAINER = 'in_container'

/** A file and not a variable: a launched host listens to no variable. */
const TEST_OVERRIDE = 'host-in-container.for-tests-only'

/** A host in a container would have nobody in front of it, and would be asked by everybody in there. */
export function refuseContainer({ settings, paths }: Configuration, raw: RawSettings, log: Log): void {
  const said = /^(1|true|yes|on)$/i.test(raw.env.PM_RUNNING_IN_CONTAINER ?? '') || settings.PM_RUNNING_IN_CONTAINER
  const marks = ['/.dockerenv', '/run/.containerenv'].filter(file => existsSync(file))
  if (!said && marks.length === 0) return
  const why = said ? 'PM_RUNNING_IN_CONTAINER is set' : `${marks[0]} exists`
  const override = join(paths.stateDir, TEST_OVERRIDE)
  if (existsSync(override)) {
    log.warn(`FOR TESTS ONLY: the host runs in a container (${why}) because ${override} exists`)
    return
  }
  throw new TermError(
    'PM_TERM_INVALID_MODE',
    `The host does not run in a container (${why}). Start it on your own machine; the container reaches it through the bridge.`,
    { details: { reason: IN_CONTAINER } },
  )
}
