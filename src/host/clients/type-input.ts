import type { Clock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import type { InputRequest } from '../../contract/wire/input-frames.ts'
import type { Redactor } from '../../runs/secrets/redactor.ts'
import { UNTIL_EXIT, waitFor } from '../../runs/wait/wait.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { Presence } from '../questions/presence.ts'
import type { InputLane } from '../runs/input-lane.ts'
import { reportOf } from '../runs/report.ts'
import { addressOf, type Caller } from './caller.ts'
import { reportAsking } from './report-asking.ts'
import type { ClientSessions } from './sessions.ts'
import type { RequestWaits } from './waits.ts'

export interface TypeInputDeps {
  readonly clock: Clock
  readonly redactor: Redactor
  readonly inputs: InputLane
  readonly queue: ApprovalQueue
  readonly presence: Presence
  readonly sessions: ClientSessions
}

const FOREVER_MS = 2 ** 31 - 1

/** Types something into a program once a person has approved it, and answers when the program has taken it: it ended, or waits again. */
export async function typeInput(
  deps: TypeInputDeps,
  frame: InputRequest,
  caller: Caller,
  waits: RequestWaits,
): Promise<void> {
  const { inputs, clock, sessions, redactor } = deps
  const target = inputs.target(frame, caller.requester)
  const { view, terminal } = target
  const address = addressOf(frame)
  caller.reply({ type: 'accepted', ...address, session_id: view.opened.id, terminal_id: terminal.id })

  const life = new Disposables()
  const withdrawn = new AbortController()
  const cancelled = waits.begin(caller, frame.request_id, life)
  cancelled.addEventListener('abort', () => !caller.signal.aborted && withdrawn.abort('cancelled'))
  life.add(sessions.owns(caller, () => withdrawn.abort('asker_gone')))
  const progress = life.add(reportAsking(deps, frame, caller, 'the input'))

  try {
    const by = { requester: caller.requester, client: caller.client }
    const from = await inputs.type(frame, target, by, withdrawn.signal)
    progress.dispose()
    const message = 'typed, waiting for what the program makes of it'
    caller.reply({ type: 'progress', ...address, phase: 'running', elapsed_ms: 0, ahead: 0, message }, 'soon')
    const patience = { clock, ms: FOREVER_MS, signal: cancelled, input: 'always_ends_it' } as const
    await waitFor(view, UNTIL_EXIT, patience)
    const report = await reportOf(view, { cursor: from, ...frame.output }, { clock, redactor })
    caller.reply({ type: 'output', ...address, ...report })
  } finally {
    life.dispose()
  }
}
