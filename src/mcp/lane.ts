import type { Settings } from '../config/env.ts'
import { TermError } from '../contract/errors.ts'
import type { Mode, Runtime } from '../contract/request.ts'

/** Who runs it and how it gets there. */
export type Lane =
  | { readonly name: 'headless_process' }
  | { readonly name: 'host_bridge_local'; readonly adapter: 'local' | 'bundled' | 'local_or_bundled_auto' }
  | { readonly name: 'container_bridge_to_host'; readonly adapter: 'container_bridge'; readonly address: string }

/** Order of resolution: the request's override, the setting, the container mark, local (SPEC §4.3). */
export function chooseLane(mode: Mode, override: Runtime['adapter_override'], settings: Settings): Lane {
  if (mode === 'headless') return { name: 'headless_process' }
  const asked = override !== undefined && override !== 'auto' ? override : settings.PM_TERM_ADAPTER_MODE
  const adapter = asked === 'auto' && settings.PM_RUNNING_IN_CONTAINER ? 'container_bridge' : asked
  if (adapter !== 'container_bridge')
    return { name: 'host_bridge_local', adapter: adapter === 'auto' ? 'local_or_bundled_auto' : adapter }
  const alias = settings.PM_INTERACTIVE_TERMINAL_HOST_ALIAS.trim()
  if (alias === '')
    throw new TermError(
      'PM_TERM_INVALID_MODE',
      'The container bridge needs the name of the host. Set PM_INTERACTIVE_TERMINAL_HOST_ALIAS.',
      {
        details: { adapter, missing: ['PM_INTERACTIVE_TERMINAL_HOST_ALIAS'] },
      },
    )
  return {
    name: 'container_bridge_to_host',
    adapter,
    address: `${alias}:${settings.PM_INTERACTIVE_TERMINAL_HOST_PORT}`,
  }
}

/** Nobody can be asked: nothing runs, here or anywhere else, whatever the command is (SPEC D3). */
export function nobodyReached(what: string, details: Readonly<Record<string, unknown>>): TermError {
  return new TermError('PM_TERM_GUI_UNAVAILABLE', `Nobody could be asked, so nothing ran. ${what}`, {
    details: { ...details, reason: 'bridge_required_no_fallback', hint: 'start_gui_app' },
  })
}

export const noBridgeYet = (lane: Extract<Lane, { name: 'container_bridge_to_host' }>): TermError =>
  nobodyReached('The bridge out of a container is not part of this version.', {
    lane: lane.name,
    attempted: [lane.address],
  })
