import type * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { Settings } from '../../config/env.ts'
import type { AnyResponse } from '../../contract/tool/response.ts'
import type { AllowlistUpdate } from '../../contract/wire/host-frames.ts'
import { hostError } from '../answers/host-error.ts'
import { type CallContext, refuse, respond } from '../answers/present.ts'
import { answerWithin, HostPatience } from '../asking/host-patience.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { PersonAsker } from './ask-person.ts'
import type { HostAdapter } from './host-adapter.ts'

export interface AllowlistChange {
  readonly workspaceId: string
  readonly operation: 'add' | 'remove' | 'set'
  readonly patterns: readonly string[]
  readonly context: string | undefined
}

const STILL_OPEN = 'A person has not answered yet; nothing has changed so far. get_allowlist shows when it has.'

/** Asks the person whether the rules may change. Nothing changes before they approve. */
export async function updateAllowlist(
  deps: {
    readonly adapter: HostAdapter
    readonly clock: Clock
    readonly settings: Settings
    readonly person: PersonAsker
    readonly addressed: Pick<z.output<typeof AllowlistUpdate>, 'request_id' | 'trace_id' | 'asker'>
  },
  context: CallContext,
  { workspaceId: workspace_id, operation, patterns, context: purpose }: AllowlistChange,
  call: ToolCall,
): Promise<AnyResponse> {
  const { adapter, clock, settings, person, addressed } = deps
  await adapter.connect({ choice: 'local_or_bundled_auto', binaryPath: null, launch: 'if_needed' }, call.signal)

  const runningMs = settings.PM_TERM_ANSWER_WITHIN_MS
  const patience = new HostPatience(call, clock, { runningMs, answerWithinMs: answerWithin(call, settings) })

  const request: z.output<typeof AllowlistUpdate> = {
    type: 'allowlist_update',
    ...addressed,
    workspace_id,
    layer: 'base',
    operation,
    patterns: [...patterns],
    ...(purpose !== undefined && { context: purpose }),
  }

  try {
    const reply = await person.ask(context, request, { call, patience })
    if (reply === 'given_up') return respond(context, { warning: STILL_OPEN }, { running: true })
    if (reply.type === 'error') return refuse(context, hostError(reply.error))
    if (reply.type === 'allowlist_updated' && reply.error) {
      const { error, reason } = reply
      return refuse(context, hostError({ ...error, details: { ...(reason !== null && { reason }), ...error.details } }))
    }
    // A reason without an error: nothing had to change, so nobody was asked.
    if (reply.type === 'allowlist_updated' && reply.reason !== null)
      return respond(context, { authorization: 'allowed', warning: reply.reason })
    return respond(context, { authorization: 'allowed_with_warning', approved_by: 'person' })
  } finally {
    patience.dispose()
  }
}
