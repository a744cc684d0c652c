import type * as z from 'zod'
import { KILL_SEEN_WITHIN_MS } from '../../base/process/grace.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Kill } from '../../contract/wire/host-frames.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { Redactor } from '../../runs/secrets/redactor.ts'
import { UNTIL_EXIT, waitFor } from '../../runs/wait/wait.ts'
import type { DeskDeps, TerminalActions } from '../desk/terminal-actions.ts'
import { reportOf, reportOfTerminal } from '../runs/report.ts'
import { addressOf, type Caller } from './caller.ts'

export interface KillDeps extends Pick<DeskDeps, 'clock' | 'lane' | 'runs' | 'terminals'> {
  readonly redactor: Redactor
  readonly desk: TerminalActions
}

const NOTHING_TO_KILL = 'It had already ended; there was nothing to kill.'
const ENDED_REST = (count: number): string =>
  `It had already ended; ${count === 1 ? 'one process' : `${count} processes`} it had left in the background ${count === 1 ? 'was' : 'were'} ended.`

/** Ends a run with all that it left in the background, or closes a terminal. */
export async function killRun(deps: KillDeps, frame: z.output<typeof Kill>, caller: Caller): Promise<void> {
  const { runs, lane, clock, terminals, desk, redactor } = deps
  const { requester } = caller
  const address = addressOf(frame)
  const terminal = frame.terminal_id === undefined ? null : terminals.find(requester, frame.terminal_id)
  const runId = frame.session_id ?? terminal?.latestRun
  const closing = terminal && frame.session_id === undefined ? desk.close(terminal.id, caller.client, 'kill') : null

  if (terminal && runId === undefined) {
    const report = reportOfTerminal(terminal, frame.request_id, 'The terminal is closed; nothing ran in it.')
    caller.reply({ type: 'killed', ...address, ...report })
    return
  }

  const { registry } = runs.of(requester)
  const view = findRun(deps, { ...frame, session_id: runId, terminal_id: undefined }, caller)
  const { id } = view.opened
  caller.reply({ type: 'accepted', ...address, session_id: id, terminal_id: view.opened.terminal_id ?? null })

  const wasOver = view.over()
  const own = registry.own(id)
  if (own?.state.at === 'running') await own.stop('kill', () => registry.killOwn(own))
  else if (own) lane.find(requester, id)?.withdraw('cancelled')
  // What it left in the background is part of it, however long it is over.
  const left = wasOver ? registry.processesOf(id) : []
  if (own === null && (!wasOver || left.length > 0)) await registry.killStored(id)

  await waitFor(view, UNTIL_EXIT, { clock, ms: KILL_SEEN_WITHIN_MS, signal: caller.signal })
  await closing
  const warning = wasOver ? { warning: left.length > 0 ? ENDED_REST(left.length) : NOTHING_TO_KILL } : {}
  caller.reply({
    type: 'killed',
    ...address,
    ...(await reportOf(registry.find(id) ?? view, {}, { clock, redactor })),
    ...warning,
  })
}

/** The run that a request names by itself or by its terminal. Throws: there is none. */
export function findRun(
  { runs, terminals }: Pick<KillDeps, 'runs' | 'terminals'>,
  target: { session_id?: string | undefined; terminal_id?: string | undefined },
  { requester }: Caller,
): RunView {
  const id =
    target.session_id ??
    (target.terminal_id === undefined ? undefined : terminals.find(requester, target.terminal_id).runs.at(-1))
  const view = id === undefined ? null : runs.of(requester).registry.find(id)
  if (view) return view
  throw new TermError('PM_TERM_NOT_FOUND', id === undefined ? 'Nothing ran there yet.' : `There is no run ${id}.`, {
    details: { session_id: id ?? null, terminal_id: target.terminal_id ?? null },
  })
}
