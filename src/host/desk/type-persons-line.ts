import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { until } from '../../base/until.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { PERSON } from '../names.ts'
import type { InteractiveLane } from '../runs/interactive-lane.ts'
import type { Terminal } from '../terminals/terminal.ts'

const READY_WITHIN_MS = 10_000

/**
 * Types a line into the person's own shell as theirs: the way of every command, judged and written down, and what is never run is not run
 * for them either. Throws when it did not begin.
 */
export async function typePersonsLine(
  { clock, ids, lane }: { readonly clock: Clock; readonly ids: Ids; readonly lane: InteractiveLane },
  terminal: Terminal,
  command: string,
  by: string,
): Promise<void> {
  if (terminal.kind !== 'shell' || terminal.requester !== PERSON)
    throw new TermError(
      'PM_TERM_INVALID_MODE',
      'It is typed into a shell of the person only. Choose one, or a new one.',
    )
  const late = { clock, ms: READY_WITHIN_MS }
  await until(() => terminal.shell !== null, lane, { late })
  await terminal.shell?.whenReady(READY_WITHIN_MS)

  const active = lane.start(
    {
      type: 'command_request',
      intent: 'execute_command',
      request_id: ids.make('req'),
      trace_id: ids.make('trace'),
      terminal_id: terminal.id,
      command,
    },
    { requester: PERSON, client: by, isPerson: true },
  )
  const { view } = active
  await until(() => view.over() || view.status().state.at === 'running', view, { late })
  const { state } = view.status()
  if (state.at === 'blocked') throw new TermError('PM_TERM_BLOCKED_DESTRUCTIVE', `It did not run: ${state.why}.`)
  if (state.at === 'failed') throw new TermError('PM_TERM_INVALID_MODE', state.problem)
}
