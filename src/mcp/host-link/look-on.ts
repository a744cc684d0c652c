import type { Receipt } from '../../contract/disk/receipt.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { RunReport } from '../../contract/wire/host-frames.ts'
import { hostError } from '../answers/host-error.ts'
import type { CallContext } from '../answers/present.ts'
import { type FinalReply, type HostAdapter, isNotFound } from './host-adapter.ts'

/** How far a run is: whoever has seen one of these knows whether the next is news. */
export interface RunLook {
  readonly state: RunReport['state']
  readonly bytes: number
}

/** What is waited for: more output than this, the end, or so long. */
export interface LookFrom {
  readonly id: string
  readonly cursor: number
  readonly ms: number
}

/** What a host is asked about a run without a tool. null: no host runs, or it knows no such run. */
export interface HostLooks {
  /** Whoever asked for the run is told nothing by it. */
  on(context: CallContext, from: LookFrom, signal: AbortSignal): Promise<RunLook | null>
  receipt(context: CallContext, id: string): Promise<Receipt | null>
}

export function hostLook(
  by: () => {
    readonly adapter: HostAdapter
    readonly addressed: (context: CallContext) => { request_id: string; trace_id: string }
  },
): HostLooks {
  return {
    async on(context, { id, cursor, ms }, signal) {
      const { adapter, addressed } = by()
      const output = { cursor, max_bytes: 256, wait: { until: 'bytes' as const, timeout_ms: ms } }
      const request = { type: 'read_output', ...addressed(context), session_id: id, output, looks_on: true } as const
      const reply = found(await adapter.askRunning(request, { signal, progress: () => {} }))
      if (reply === null) return null
      if (reply.type !== 'output') throw unexpected(reply)
      return { state: reply.state, bytes: reply.output_bytes ?? cursor }
    },

    async receipt(context, id) {
      const { adapter, addressed } = by()
      const reply = found(await adapter.askRunning({ type: 'read_receipt', ...addressed(context), session_id: id }))
      if (reply === null) return null
      if (reply.type !== 'receipt_read') throw unexpected(reply)
      return reply.receipt
    },
  }
}

function found(reply: FinalReply | null): FinalReply | null {
  if (reply === null || isNotFound(reply)) return null
  if (reply.type === 'error') throw hostError(reply.error)
  return reply
}

const unexpected = ({ type }: FinalReply): TermError =>
  new TermError('PM_TERM_INTERNAL', `The host answered with ${type}.`)
