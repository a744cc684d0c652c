import { isOpen } from './card.ts'
import type { WindowState } from './window-state.ts'

/** One thing that is said for a moment. The next one takes its place; one about a question goes with that question. */
export interface Notice {
  readonly number: number
  readonly tone: 'plain' | 'bad'
  readonly text: string
  /** The question it was said about, if it was. */
  readonly askId: string | null
}

export function noticed(state: WindowState, notice: Omit<Notice, 'number'>): WindowState {
  const number = state.noticed + 1
  return { ...state, noticed: number, notice: { ...notice, number } }
}

/** Without the notice that was about a question which is over, or no longer looked at. */
export function withTrueNotice(state: WindowState): WindowState {
  const { notice, showing, cards } = state
  if (!notice || notice.askId === null) return state
  const card = cards.find(({ question }) => question.ask_id === notice.askId)
  const isShown = showing.view === 'card' && showing.askId === notice.askId
  return card && isOpen(card) && isShown ? state : { ...state, notice: null }
}
