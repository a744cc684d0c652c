import { TermError } from '../../contract/tool/errors.ts'
import { noTerminal } from '../../contract/tool/no-terminal.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { CallTarget } from '../host-link/host-calls.ts'

/** A headless run, of this server or of another. Everything else is the host's to answer for (docs/spec.md D1). */
export function headlessRun(registry: RunRegistry, target: CallTarget): RunView | null {
  const view = 'session_id' in target ? registry.find(target.session_id) : null
  return view?.opened.lane === 'headless' ? view : null
}

/** Without a host the disk still has the runs it left. */
export function findRun(registry: RunRegistry, target: CallTarget): RunView {
  const view = 'session_id' in target ? registry.find(target.session_id) : null
  if (view) return view
  if (!('session_id' in target)) throw noTerminal(target.terminal_id)
  throw new TermError('PM_TERM_NOT_FOUND', `There is no run ${target.session_id}.`, { details: { ...target } })
}
