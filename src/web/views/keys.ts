import type { Desk } from '../desk.ts'
import { SOFT_CUT } from '../drawing/code-rows.ts'
import { type Card, canBeWider, isEditable, mustType } from '../state/card.ts'
import { cardOf, openCards } from '../state/window-state.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const chord = isMac ? '⌘⏎' : 'Ctrl ⏎'

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn'])

/** The person is typing a text: letters are letters there. */
export function isTyping(): boolean {
  const { activeElement } = document
  return activeElement instanceof HTMLElement && activeElement.matches('input, textarea, [contenteditable]')
}

/** Listens to every key and press before anything else does: what it may decide is looked at before it counts as a touch. */
export function listenToKeys(desk: Desk): void {
  window.addEventListener('pointerdown', () => desk.keepPress(), { capture: true })
  window.addEventListener(
    'keydown',
    event => {
      if (MODIFIERS.has(event.key)) return
      desk.keepPress()
      desk.notice({ type: 'key' })
      if (!event.repeat && !event.isComposing && onKey(desk, event)) event.preventDefault()
      // A key that is held down decides once, not as often as it repeats.
      else if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault()
    },
    { capture: true },
  )
  // What happens long after a press was not meant by it.
  for (const type of ['keyup', 'click'] as const)
    window.addEventListener(type, () => setTimeout(() => desk.forgetPress()))
}

/** Text that is copied by hand is what was drawn, without the soft cuts we put into long words. */
export function listenToCopying(): void {
  document.addEventListener('copy', event => {
    const text = getSelection()?.toString() ?? ''
    if (isTyping() || !text.includes(SOFT_CUT)) return
    event.clipboardData?.setData('text/plain', text.replaceAll(SOFT_CUT, ''))
    event.preventDefault()
  })
}

function onKey(desk: Desk, event: KeyboardEvent): boolean {
  const state = desk.state.value
  const card = state.showing.view === 'card' ? cardOf(state, state.showing.askId) : undefined
  const withChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  if (event.key === 'Enter' && withChord && card) {
    if (card.draft.panel === 'decline') desk.decline(card, desk.lastPress)
    else if (mustType(card)) document.querySelector<HTMLElement>('[data-approve]')?.focus()
    else desk.approve(card, desk.lastPress)
    return true
  }
  if (event.key === 'F6') return crossOver(desk)
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape' && card && card.draft.panel !== 'none') {
    desk.draft(card.question.ask_id, { panel: 'none', line: card.draft.line })
    document.querySelector<HTMLElement>('[data-decline]')?.focus()
    return true
  }
  if (isTyping()) return false
  if (event.key === 'j' || event.key === 'k') return turn(desk, event.key === 'j' ? 1 : -1)
  // A letter that was meant for something else before the card came opens nothing in it.
  return card && desk.lastPress?.settled ? openPanel(desk, card, event.key) : false
}

function openPanel(desk: Desk, card: Card, key: string): boolean {
  const { question } = card
  const panel =
    key === 'r'
      ? 'decline'
      : key === 'e' && isEditable(question)
        ? 'edit'
        : key === 's' && canBeWider(question)
          ? 'scope'
          : null
  if (!panel || card.phase.at !== 'open') return false
  desk.draft(question.ask_id, { panel })
  return true
}

/** From a terminal to the questions, and from a question to where something runs. */
function crossOver(desk: Desk): boolean {
  const { showing, terminals } = desk.state.value
  if (showing.view !== 'card') return turn(desk, 1)
  const terminal = terminals.findLast(({ state }) => state !== 'idle') ?? terminals.at(-1)
  if (terminal) desk.show({ view: 'terminal', terminalId: terminal.terminal_id })
  return true
}

/** To the next question, or the one before. */
function turn(desk: Desk, by: number): boolean {
  const { showing } = desk.state.value
  const cards = openCards(desk.state.value)
  const at = cards.findIndex(({ question }) => showing.view === 'card' && question.ask_id === showing.askId)
  const next = cards[at === -1 ? 0 : at + by]
  if (next) desk.show({ view: 'card', askId: next.question.ask_id })
  return true
}
