import { type ContainerFinding, containerMarks } from '../../config/container-marks.ts'
import type { Configuration, RawSettings } from '../../config/settings.ts'
import { inContainerError } from '../../contract/tool/in-container.ts'

/** Whether this machine is a container, as far as it shows. */
export async function findContainer(
  { settings }: Pick<Configuration, 'settings'>,
  { env }: Pick<RawSettings, 'env'>,
): Promise<ContainerFinding> {
  const { machineMarks } = await import('./machine-marks.ts')
  return containerMarks(env, settings.PM_RUNNING_IN_CONTAINER, machineMarks)
}

/** A host in a container would have nobody in front of it, and would be asked by everybody in there. */
export async function refuseContainer(configuration: Configuration, raw: RawSettings): Promise<void> {
  const { inContainer, why } = await findContainer(configuration, raw)
  if (inContainer === 'yes') throw inContainerError(why, process.argv[1] ?? 'interactive-terminal')
}
