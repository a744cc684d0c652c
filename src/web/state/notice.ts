import { isOpen } from './card.ts'
import type { Notice, WindowState } from './window-model.ts'

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
