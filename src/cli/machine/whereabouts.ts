import { processTable } from '../../base/process/process-table.ts'
import type { Configuration, RawSettings } from '../../config/settings.ts'
import type { Whereabouts } from '../../mcp/host-link/lane.ts'
import { readHostFile } from '../reach/host-lock.ts'
import { containerBoot } from './container-boot.ts'
import { findContainer } from './refuse-container.ts'

/** Where this process is: in a container or not, and whether a person has made that container their machine. */
export async function whereabouts(configuration: Configuration, raw: Pick<RawSettings, 'env'>): Promise<Whereabouts> {
  const container = await findContainer(configuration, raw)
  const { hostFile } = configuration.paths
  return {
    container,
    hostIsHere: () => container.inContainer === 'yes' && isDeclaredHere(hostFile),
    executable: process.argv[1] ?? 'interactive-terminal',
  }
}

/** A host that a person has declared in this container lives: nobody has to declare another. */
export const livesHere = async (configuration: Configuration, raw: Pick<RawSettings, 'env'>): Promise<boolean> =>
  (await whereabouts(configuration, raw)).hostIsHere()

/** The file grants nothing: whoever reaches that host has to prove the key, and hears from it that it is in a container. */
function isDeclaredHere(hostFile: string): boolean {
  const host = readHostFile(hostFile)
  if (!host?.here) return false
  const { boot, hostname } = containerBoot()
  const row = processTable(process.platform).row(host.pid)
  return host.here.boot === boot && host.here.hostname === hostname && row !== null && row.start === host.start
}
