import type { EndedLine } from '../../contract/disk/run-record.ts'
import type { ENDED_STATES, RUN_STATES } from '../../contract/tool/run-lists.ts'

/**
 * The life of a run. Each state carries exactly the facts that hold in it.
 *
 *   received ─┬─▶ running ─▶ exited | killed | timed_out | lost
 *             ├─▶ awaiting_approval ─┬─▶ running
 *             │                      └─▶ declined | expired | withdrawn | blocked
 *             └─▶ blocked | withdrawn | failed
 *
 * What was tried in the sandbox and failed for want of the outside goes from running to awaiting_approval.
 */
export type EndedBy = NonNullable<EndedLine['ended_by']>

export const WITHDRAWN_BY = ['cancelled', 'asker_gone', 'host_ends', 'person'] as const
export type WithdrawnBy = (typeof WITHDRAWN_BY)[number]

/**
 * nobody: it needed approval, and there was nobody it could be shown to · no_window: the same, and `why` says in whole sentences
 * what is wrong and what to do · too_many: as many questions waited as may.
 */
export type BlockedBecause = 'policy' | 'destructive' | 'nobody' | 'no_window' | 'too_many'

export type RunState =
  | { readonly at: 'received' }
  | { readonly at: 'awaiting_approval'; readonly since: number }
  | { readonly at: 'running'; readonly pid: number; readonly pidStart: string | null; readonly startedAt: number }
  | ({ readonly at: 'exited'; readonly exitCode: number | null; readonly signal: string | null } & Ended)
  | ({ readonly at: 'killed'; readonly by: EndedBy; readonly survivors: readonly number[] } & Ended)
  | ({ readonly at: 'timed_out'; readonly survivors: readonly number[]; readonly limitMs?: number } & Ended)
  /** Its server died: nobody saw how it ended. Survivors are processes of it that live on. */
  | {
      readonly at: 'lost'
      readonly endedAt: number
      readonly startedAt: number | null
      readonly survivors: readonly number[]
    }
  | { readonly at: 'blocked'; readonly why: string; readonly because: BlockedBecause; readonly endedAt: number }
  | {
      readonly at: 'declined'
      readonly reason: string | null
      /** Nobody was asked this time: the person declined it before, for the rest of the day. */
      readonly kept?: { readonly since: number; readonly until: number }
      readonly endedAt: number
    }
  | { readonly at: 'expired'; readonly endedAt: number; readonly limitMs?: number }
  | { readonly at: 'withdrawn'; readonly by?: WithdrawnBy; readonly endedAt: number }
  | {
      readonly at: 'failed'
      readonly problem: string
      readonly fault: 'request' | 'ours'
      readonly reason?: string
      readonly endedAt: number
    }

interface Ended {
  readonly startedAt: number
  readonly endedAt: number
  /** Measured, not the difference of two clock readings: the clock may jump. */
  readonly tookMs: number
}

export type StateName = RunState['at']
export type EndedState = Extract<RunState, { at: (typeof ENDED_STATES)[number] }>

// The names on the wire and the states here are one list.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
const NAMES_AGREE: Same<StateName, (typeof RUN_STATES)[number]> = true

const NEXT: Readonly<Record<StateName, readonly StateName[]>> = {
  received: ['awaiting_approval', 'running', 'blocked', 'withdrawn', 'failed', 'lost'],
  awaiting_approval: ['running', 'blocked', 'declined', 'expired', 'withdrawn', 'failed', 'lost'],
  running: ['exited', 'killed', 'timed_out', 'lost', 'awaiting_approval'],
  exited: [],
  killed: [],
  timed_out: [],
  lost: [],
  blocked: [],
  declined: [],
  expired: [],
  withdrawn: [],
  failed: [],
}

/** The only way from one state to another. */
export function move(from: RunState, to: RunState): RunState {
  if (NAMES_AGREE && NEXT[from.at].includes(to.at)) return to
  throw new Error(`a run cannot go from ${from.at} to ${to.at}`)
}

/** null: it never did, or nobody saw it. */
export const startedAt = (state: RunState): number | null => ('startedAt' in state ? state.startedAt : null)

export const isOver = (state: RunState): state is EndedState => NEXT[state.at].length === 0
