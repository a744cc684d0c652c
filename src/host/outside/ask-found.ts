import type { Decision } from '../../approving/decision.ts'
import type { Ids } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { FoundQuestion } from '../../contract/wire/approver-frames.ts'
import { FOUND_MOST } from '../../contract/wire/found-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { JournalEntry } from '../../runs/journal/journal-row.ts'
import type { HostTimes } from '../host-times.ts'
import type { ApprovalQueue, QuestionOutcome } from '../questions/approval-queue.ts'
import { hashOf, plainQuestion } from '../questions/plain-question.ts'

/** Who "asks" when nobody does: a file says more than a person decided. */
export const FILES = 'own files'

/** Something found in a file of ours, and what approving or declining makes of it. */
export interface FoundRow extends Omit<FoundQuestion['rows'][number], 'id'> {
  /** What the journal says of it when it is kept. */
  readonly entry: Pick<JournalEntry, 'kind' | 'body'>
  keep(): void
  /** Takes it out of the file. */
  drop(): void
}

export interface FoundDeps {
  readonly queue: ApprovalQueue
  readonly journal: Journal
  readonly log: Log
  readonly ids: Ids
  readonly times: Pick<HostTimes, 'patienceMs'>
}

const never = new AbortController().signal

/** Puts the rows to the person: kept ones count from then on, dropped ones leave their files, and a no leaves all as it is. */
export function askFound(
  deps: FoundDeps,
  all: readonly FoundRow[],
  when: FoundQuestion['when'],
): Promise<QuestionOutcome> {
  const { queue, journal, ids } = deps
  const { patienceMs } = deps.times
  const found = all.slice(0, FOUND_MOST).map((row, i) => ({ row, id: `row_${i + 1}` }))
  const rows = found.map(({ row: { what, text, means, file }, id }) => ({ id, what, text, means, file }))

  const request_id = ids.make('req')
  const about = { requester: FILES, runId: request_id }
  const plan_hash = hashOf(['found', request_id, rows, found.map(({ row }) => row.entry)])

  return queue.ask(
    {
      requester: FILES,
      patienceMs,
      question: (ask_id, askedAt) => {
        journal.append({ kind: 'asked', ...about, body: { found: rows, when, plan_hash } })
        const asked = { request_id, trace_id: ids.make('trace'), plan_hash, patienceMs }
        return {
          ...plainQuestion({ requester: FILES, client: '' }, asked, ask_id, askedAt),
          kind: 'found',
          when,
          rows,
          more: all.length - rows.length,
        }
      },
      judge: null,
      objection: decision => objectionTo(decision, rows),
      commit: (decision, by) => {
        const body = { ...decision, by, plan_hash }
        if (decision.kind !== 'approve') {
          journal.append({ kind: 'answered', ...about, body })
          return
        }

        const isKept = ({ id }: { readonly id: string }) => !decision.drop?.includes(id)
        // As one step: no answer is written down without what follows from it.
        for (const { row } of found.filter(isKept)) journal.appendSoon({ ...row.entry, ...about })
        journal.append({ kind: 'answered', ...about, body })
        for (const each of found) settle(deps, each.row, isKept(each))
      },
    },
    never,
  )
}

function objectionTo(decision: Decision, rows: FoundQuestion['rows']): string | null {
  if (decision.kind === 'decline') return null
  if (decision.kind === 'edit' || decision.scope.kind !== 'once' || decision.trust)
    return 'This is approved row by row, or declined.'
  return decision.drop?.every(id => rows.some(row => row.id === id)) === false ? 'There is no such row.' : null
}

/** One that cannot be made leaves the others alone: it does not count, and is found again. */
function settle({ log }: FoundDeps, row: FoundRow, kept: boolean): void {
  try {
    if (kept) row.keep()
    else row.drop()
  } catch (cause) {
    log.warn('what was answered about a file could not be done', { text: row.text, cause })
  }
}
