import { nameParts } from '../../contract/terminal-name.ts'
import type { WindowController } from '../controller/window-controller.ts'

/** A shell of the person's; null: a new one in the project. */
export type ChosenShell = string | null

/** Where *Run* types the line: into a shell of the person's own, never into a terminal of an agent. */
export function RunIn(props: {
  controller: WindowController
  target: ChosenShell
  aim: (target: ChosenShell) => void
}) {
  const shells = props.controller.state.value.terminals.filter(
    ({ kind, requester, state }) => kind === 'shell' && requester === 'person' && state === 'shell',
  )
  const isThere = shells.some(({ terminal_id }) => terminal_id === props.target)
  return (
    <label class="flex items-center gap-2 text-[13px]">
      <span class="label">Run in</span>
      <select
        class="field h-7 w-auto max-w-56 py-0 text-[13px]"
        data-run-in
        value={isThere ? (props.target ?? '') : ''}
        onChange={({ currentTarget }) => props.aim(currentTarget.value || null)}
      >
        <option value="">a new shell in the project</option>
        {shells.map(({ terminal_id, name }) => (
          <option key={terminal_id} value={terminal_id}>
            {nameParts(name).join(' · ')}
          </option>
        ))}
      </select>
    </label>
  )
}
