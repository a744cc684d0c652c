import { Disposables } from '../../base/disposable.ts'
import type { PermitRequest, PermitUse } from '../../contract/wire/input-frames.ts'
import type { Permits } from '../permits/permits.ts'
import { addressOf, type Caller } from './caller.ts'
import { reportAsking } from './report-asking.ts'
import type { TypeInputDeps } from './type-input.ts'
import type { RequestWaits } from './waits.ts'

export interface PermitRequestDeps extends Pick<TypeInputDeps, 'clock' | 'queue' | 'presence' | 'sessions'> {
  readonly permits: Permits
}

/** Asks for an editor's permit. Withdrawn on cancel, and with its connection: whoever would type it is gone. */
export async function askPermit(
  deps: PermitRequestDeps,
  frame: PermitRequest,
  caller: Caller,
  waits: RequestWaits,
): Promise<void> {
  caller.reply({ type: 'accepted', ...addressOf(frame), session_id: null, terminal_id: frame.terminal_id })
  const life = new Disposables()
  const withdrawn = new AbortController()
  const cancelled = waits.begin(caller, frame.request_id, life)
  cancelled.addEventListener('abort', () => withdrawn.abort(caller.signal.aborted ? 'asker_gone' : 'cancelled'))
  life.add(reportAsking(deps, frame, caller, frame.intent === 'open_only' ? 'the terminal' : 'the line'))
  try {
    const given = await deps.permits.ask(frame, caller, withdrawn.signal)
    caller.reply({ type: 'permit_answered', ...addressOf(frame), ...given })
  } finally {
    life.dispose()
  }
}

export function usePermit({ permits }: PermitRequestDeps, frame: PermitUse, caller: Caller): void {
  permits.use(frame, caller)
  caller.reply({ type: 'permit_used', ...addressOf(frame), permit_id: frame.permit_id })
}
