import { TermError } from '../../contract/tool/errors.ts'
import { dayNumbers } from '../../runs/journal/day-numbers.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { ClientSessions } from '../clients/sessions.ts'
import { answered, failed, type HostPage } from './page.ts'

/** More of a day is not looked through: a window waits for it. */
const MOST_ROWS = 50_000

/** The person's own numbers. Who is connected and how the host is comes by itself (window/feed.ts). */
export const statusPage = (
  journal: Pick<Journal, 'since' | 'append'>,
  sessions: Pick<ClientSessions, 'cutOffAgent'>,
): HostPage => ({
  open: window => ({
    dispose() {},
    receive(frame) {
      if (frame.type === 'agent_cut_off') {
        const act = (): void => {
          if (!sessions.cutOffAgent(frame.agent_id))
            throw new TermError('PM_TERM_NOT_FOUND', 'That agent is gone already.')
          const body = { agent_id: frame.agent_id, by: window.by }
          journal.append({ kind: 'agent_cut_off', requester: null, runId: null, body })
        }
        void answered(window, frame.request_id, { act, what: 'It is not cut off' })
        return true
      }
      if (frame.type !== 'numbers_show') return false
      const { request_id } = frame
      const { send } = window
      try {
        const { rows, isAll } = journal.since(frame.since, ['asked', 'answered', 'judged'], MOST_ROWS)
        send({ type: 'numbers_shown', request_id, ...dayNumbers(rows), is_part: !isAll })
      } catch (cause) {
        send(failed(request_id, 'PM_TERM_INTERNAL', `The journal cannot be read: ${(cause as Error).message}`))
      }
      return true
    },
  }),
})
