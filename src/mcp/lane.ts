import type { Settings } from '../config/env.ts'
import { TermError } from '../contract/errors.ts'
import type { Mode, Runtime } from '../contract/request.ts'

/** Who runs it and how it gets there. */
export type Lane =
  | { readonly name: 'headless_process' }
  | { readonly name: 'host_bridge_local'; readonly adapter: 'local' | 'bundled' | 'local_or_bundled_auto' }
  | { readonly name: 'container_bridge_to_host'; readonly adapter: 'container_bridge' }

/** Order of resolution: the request's override, the setting, the container mark, local (SPEC §4.3). */
export function chooseLane(mode: Mode, override: Runtime['adapter_override'], settings: Settings): Lane {
  if (mode === 'headless') return { name: 'headless_process' }
  const asked = override !== undefined && override !== 'auto' ? override : settings.PM_TERM_ADAPTER_MODE
  const adapter = asked === 'auto' && settings.PM_RUNNING_IN_CONTAINER ? 'container_bridge' : asked
  if (adapter === 'container_bridge') {
    refuseWithoutInputs(settings)
    return { name: 'container_bridge_to_host', adapter }
  }
  if (settings.PM_RUNNING_IN_CONTAINER)
    throw nobodyReached(
      `This server runs in a container, where there is no host and nobody to ask: "${adapter}" is not possible here. Leave the adapter to "auto".`,
      { lane: 'host_bridge_local', adapter, in_container: true },
    )
  return { name: 'host_bridge_local', adapter: adapter === 'auto' ? 'local_or_bundled_auto' : adapter }
}

/** Where requests go that do not say, and where reading and listing look. */
export const usualHostLane = (settings: Settings): 'host_bridge_local' | 'container_bridge_to_host' =>
  settings.PM_TERM_ADAPTER_MODE === 'container_bridge' ||
  (settings.PM_TERM_ADAPTER_MODE === 'auto' && settings.PM_RUNNING_IN_CONTAINER)
    ? 'container_bridge_to_host'
    : 'host_bridge_local'

function refuseWithoutInputs(settings: Settings): void {
  const missing = [
    ...(settings.PM_INTERACTIVE_TERMINAL_HOST_ALIAS.trim() === '' && settings.PM_INTERACTIVE_TERMINAL_HOST_SOCKET === ''
      ? ['PM_INTERACTIVE_TERMINAL_HOST_ALIAS']
      : []),
    ...(settings.PM_INTERACTIVE_TERMINAL_KEY_FILE === '' ? ['PM_INTERACTIVE_TERMINAL_KEY_FILE'] : []),
  ]
  if (missing.length === 0) return
  throw new TermError(
    'PM_TERM_INVALID_MODE',
    `The way out of the container needs ${missing.join(' and ')}. "interactive-terminal pair <name>" on the host makes a key and prints what to set.`,
    { details: { adapter: 'container_bridge', missing } },
  )
}

/** Nobody can be asked: nothing runs, here or anywhere else, whatever the command is (SPEC D3). */
export function nobodyReached(what: string, details: Readonly<Record<string, unknown>>): TermError {
  return new TermError('PM_TERM_GUI_UNAVAILABLE', `Nobody could be asked, so nothing ran. ${what}`, {
    details: { ...details, reason: 'bridge_required_no_fallback', hint: 'start_gui_app' },
  })
}
