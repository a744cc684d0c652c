import { toTypeElsewhere } from '../../base/own-command.ts'
import type { ContainerFinding } from '../../config/container-marks.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { inContainerError } from '../../contract/tool/in-container.ts'
import type { Mode, Runtime } from '../../contract/tool/request.ts'

/** Who runs it and how it gets there. */
export type ChosenLane =
  | { readonly name: 'headless_process' }
  | { readonly name: 'host_bridge_local'; readonly adapter: 'local' | 'bundled' | 'local_or_bundled_auto' }
  | { readonly name: 'container_bridge_to_host'; readonly adapter: 'container_bridge' }
export type HostLaneName = Exclude<ChosenLane['name'], 'headless_process'>

/** Where this server is. */
export interface Whereabouts {
  readonly container: ContainerFinding
  /** Whether a person has made this container their machine, and that host lives (docs/spec.md D25). Looked at for each call. */
  readonly hostIsHere: () => boolean
  /** How a person starts the program here. */
  readonly executable: string
}

/** Order of resolution: the request's override, the setting, the container mark, local (docs/spec.md §4.3). */
export function chooseLane(
  mode: Mode,
  override: Runtime['adapter_override'],
  settings: Settings,
  place: Whereabouts,
): ChosenLane {
  if (mode === 'headless') return { name: 'headless_process' }
  const wanted = override !== undefined && override !== 'auto' ? override : settings.PM_TERM_ADAPTER_MODE
  const missing = missingInputs(settings)
  if (wanted === 'container_bridge') {
    if (missing.length > 0) throw withoutInputs(missing)
    return { name: 'container_bridge_to_host', adapter: wanted }
  }
  const local = { name: 'host_bridge_local', adapter: wanted === 'auto' ? 'local_or_bundled_auto' : wanted } as const
  if (place.container.inContainer !== 'yes' || place.hostIsHere()) return local
  if (wanted === 'auto' && missing.length === 0)
    return { name: 'container_bridge_to_host', adapter: 'container_bridge' }
  // A host of the same person may be reached here all the same, as in a toolbox that shares home and network; none is started.
  if (wanted === 'auto' && !settings.PM_RUNNING_IN_CONTAINER) return local
  const error = nobodyFromHere(
    place,
    wanted === 'auto' ? { adapter: 'container_bridge', missing } : { adapter: wanted },
  )
  // Whoever set it up for the bridge learns what is missing of that; the other ways are in the details.
  throw wanted === 'auto' ? withoutInputs(missing, error.details) : error
}

/** Where requests go that do not say, and where reading and listing look. */
export const usualHostLane = (settings: Settings, { container, hostIsHere }: Whereabouts): HostLaneName => {
  const mode = settings.PM_TERM_ADAPTER_MODE
  if (mode !== 'auto') return mode === 'container_bridge' ? 'container_bridge_to_host' : 'host_bridge_local'
  if (container.inContainer !== 'yes' || hostIsHere()) return 'host_bridge_local'
  const bridged = settings.PM_RUNNING_IN_CONTAINER || missingInputs(settings).length === 0
  return bridged ? 'container_bridge_to_host' : 'host_bridge_local'
}

/** This server is in a container and there is no way out of it yet: a person has to make one, so nothing is tried again. */
export const nobodyFromHere = (
  { container, executable }: Whereabouts,
  details: Readonly<Record<string, unknown>> = {},
): TermError => inContainerError(container.why, executable, { lane: 'host_bridge_local', ...details })

function missingInputs(settings: Settings): string[] {
  return [
    ...(settings.PM_INTERACTIVE_TERMINAL_HOST_ALIAS.trim() === '' && settings.PM_INTERACTIVE_TERMINAL_HOST_SOCKET === ''
      ? ['PM_INTERACTIVE_TERMINAL_HOST_ALIAS']
      : []),
    ...(settings.PM_INTERACTIVE_TERMINAL_KEY_FILE === '' ? ['PM_INTERACTIVE_TERMINAL_KEY_FILE'] : []),
  ]
}

const withoutInputs = (missing: readonly string[], details: Readonly<Record<string, unknown>> = {}): TermError =>
  new TermError(
    'PM_TERM_INVALID_MODE',
    `The way out of the container needs ${missing.join(' and ')}. "${toTypeElsewhere('pair <name>')}" in interactive-terminal's folder on the host makes a key and prints what to set.`,
    { details: { ...details, adapter: 'container_bridge', missing } },
  )

/** `why`: the host was not reached, without what that means for a command. */
class NobodyReached extends TermError {
  readonly why: string

  constructor(why: string, details: Readonly<Record<string, unknown>>) {
    super('PM_TERM_GUI_UNAVAILABLE', `Nobody could be asked, so nothing ran. ${why}`, { details })
    this.why = why
  }
}

/** The same error where nothing was to run: why the host was not reached, and only that. */
export const whyNobody = (error: TermError): string => (error instanceof NobodyReached ? error.why : error.message)

/** Nobody can be asked: nothing runs, here or anywhere else, whatever the command is (docs/spec.md D3). */
export const nobodyReached = (why: string, details: Readonly<Record<string, unknown>>): TermError =>
  new NobodyReached(why, { ...details, reason: 'bridge_required_no_fallback', hint: 'start_gui_app' })
