import { canBeWider, choicesOf, trustOffer } from '../../approving/choices.ts'
import { isEditable } from '../../approving/question.ts'
import { SOFT_CUT } from '../drawing/code-rows.ts'
import { type Card, mustType } from '../state/card.ts'
import { cardOf, openCards } from '../state/window-model.ts'
import type { WindowController } from './window-controller.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const chord = isMac ? '⌘⏎' : 'Ctrl ⏎'

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn'])

/** The person is typing a text: letters are letters there. */
export function isTyping(): boolean {
  const { activeElement } = document
  return activeElement instanceof HTMLElement && activeElement.matches(TEXT)
}
const TEXT = 'input:not([type=radio], [type=checkbox]), textarea, [contenteditable]'

/** Listens to every key and press before anything else does: what it may decide is looked at before it counts as a touch. */
export function listenToKeys(controller: WindowController): void {
  window.addEventListener('pointerdown', ({ timeStamp }) => controller.watch.keepPress(timeStamp), { capture: true })
  window.addEventListener(
    'keydown',
    event => {
      if (MODIFIERS.has(event.key)) return
      if (readsOn(controller, event)) {
        handled(event)
        return
      }
      controller.watch.keepPress(event.timeStamp)
      controller.watch.notice({ type: isChord(event) ? 'chord' : 'key' })
      if (!event.repeat && !event.isComposing && onKey(controller, event)) handled(event)
      // A key that is held down decides once, not as often as it repeats.
      else if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault()
      else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !isTyping()) controller.watch.stray()
    },
    { capture: true },
  )

  // Some browsers press a button when the space bar comes up again, whatever was said when it went down.
  window.addEventListener(
    'keyup',
    event => event.key === ' ' && scroller(controller, event) && event.preventDefault(),
    {
      capture: true,
    },
  )

  // What happens long after a press was not meant by it.
  for (const type of ['keyup', 'click'] as const)
    window.addEventListener(type, () => setTimeout(() => controller.watch.forgetPress()))
}

/** It is done with: nothing else makes anything of it, no terminal and no button. */
function handled(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
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

const isChord = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey) && !altKey && !shiftKey

/** What is held down to approve, once the words are typed. */
const HELD = '[data-hold][aria-disabled=false]'

/** What a reading key moves: the card that is shown, unless the key means something where the keyboard is. */
function scroller(controller: WindowController, { key, target }: Event & { key: string }): HTMLElement | null {
  if (controller.state.value.showing.view !== 'card' || document.querySelector('dialog[open]')) return null
  const at = target instanceof HTMLElement ? target : document.body
  const isPage = key === 'PageDown' || key === 'PageUp'
  if (at.matches('select, textarea') || (at.matches('input') && !isPage)) return null
  // Elsewhere the space bar presses what it is on; on a card it reads on, but on the button that is held down.
  if (key === ' ' && at !== document.body && (!at.closest('[data-ask]') || at.closest(HELD))) return null
  return document.querySelector<HTMLElement>('[data-body]')
}

// So much of the page before stays, so that nobody loses the place.
const KEPT = 48
const LINE = 40

/** The keys that read on. They never decide, wherever the keyboard is. */
function readsOn(controller: WindowController, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  const key = event.key === ' ' && event.shiftKey ? 'PageUp' : event.key === ' ' ? 'PageDown' : event.key
  if (!READING.has(key)) return false
  const body = scroller(controller, event)
  if (!body) return false
  const page = Math.max(LINE, body.clientHeight - KEPT)
  const by = { PageDown: page, PageUp: -page, ArrowDown: LINE, ArrowUp: -LINE }[key]
  if (by === undefined) body.scrollTo(0, key === 'Home' ? 0 : body.scrollHeight)
  else body.scrollBy(0, by)
  return true
}
const READING = new Set(['PageDown', 'PageUp', 'Home', 'End', 'ArrowDown', 'ArrowUp'])

function onKey(controller: WindowController, event: KeyboardEvent): boolean {
  // What is asked in a dialog is answered there: no key of it decides about the card behind it.
  if (document.querySelector('dialog[open]')) return false
  const state = controller.state.value
  const card = state.showing.view === 'card' ? cardOf(state, state.showing.askId) : undefined
  if (isChord(event) && card) {
    if (card.draft.panel === 'decline') controller.decline(card, controller.watch.lastPress)
    else if (mustType(card)) document.querySelector<HTMLElement>(`${HELD}, [data-typed]`)?.focus()
    else controller.approve(card, controller.watch.lastPress)
    return true
  }

  if (event.key === 'F6') return crossOver(controller)
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key === 'Escape' && card && card.draft.panel !== 'none') {
    controller.draft(card.question.ask_id, { panel: 'none', line: card.draft.line })
    document.querySelector<HTMLElement>('[data-decline]')?.focus()
    return true
  }

  if (isTyping()) return false
  if (event.key === 'Escape' && state.showing.view === 'page' && !document.querySelector('dialog[open]'))
    return leavePage(controller)
  if (event.key === '?') {
    controller.showsKeys.value = true
    return true
  }
  if (event.key === 'j' || event.key === 'k') return turn(controller, event.key === 'j' ? 1 : -1)
  // A letter that was meant for something else before the card came opens nothing in it.
  return card && controller.watch.lastPress?.settled
    ? choose(controller, card, event.key) ||
        trusts(controller, card, event.key) ||
        openPanel(controller, card, event.key)
    : false
}

/** The number of an answer gives it. */
function choose(controller: WindowController, card: Card, key: string): boolean {
  const { panel } = card.draft
  const choice = choicesOf(card.question).find(each => each.key === key)
  if (!choice || card.phase.at !== 'open' || mustType(card) || (panel !== 'none' && panel !== 'scope')) return false
  // With the rules open they may have been changed: there a number only turns to an answer.
  if (panel === 'none') controller.give(card, choice, controller.watch.lastPress)
  else controller.draft(card.question.ask_id, { choice: choice.id, rules: choice.rules })
  return true
}

/** T trusts the folder with the answer, or no longer does. */
function trusts(controller: WindowController, { question, phase, draft }: Card, key: string): boolean {
  const offer = trustOffer(question)
  if (key !== 't' || offer === null || phase.at !== 'open' || draft.panel === 'edit' || draft.panel === 'decline')
    return false
  controller.draft(question.ask_id, { trust: draft.trust === null ? offer.directory : null })
  return true
}

function openPanel(controller: WindowController, card: Card, key: string): boolean {
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
  controller.draft(question.ask_id, { panel })
  return true
}

/** From a terminal to the questions, and from a question to where something runs. */
function crossOver(controller: WindowController): boolean {
  const { showing, terminals } = controller.state.value
  const isBeside = showing.view === 'terminal' && !document.activeElement?.closest('[data-screen]')
  if (isBeside && openCards(controller.state.value).length === 0) {
    // Approved, and now it asks something: the key leads into it.
    const screen = document.querySelector<HTMLElement>('[data-screen] .xterm-helper-textarea')
    if (screen) {
      screen.focus()
      return true
    }
  }
  if (showing.view !== 'card') return turn(controller, 1)
  const terminal = terminals.findLast(({ state }) => state !== 'idle') ?? terminals.at(-1)
  if (terminal) controller.show({ view: 'terminal', terminalId: terminal.terminal_id })
  return true
}

/** From what is open in a page to the page, from there to what waits, or to the start. */
function leavePage(controller: WindowController): boolean {
  const { showing } = controller.state.value
  if (showing.view === 'page' && showing.item !== undefined) {
    controller.show({ view: 'page', page: showing.page })
    return true
  }
  const [card] = openCards(controller.state.value)
  controller.show(card ? { view: 'card', askId: card.question.ask_id } : { view: 'start' })
  return true
}

/** To the next question, or the one before. */
function turn(controller: WindowController, by: number): boolean {
  const { showing } = controller.state.value
  const cards = openCards(controller.state.value)
  const at = cards.findIndex(({ question }) => showing.view === 'card' && question.ask_id === showing.askId)
  const next = cards[at === -1 ? 0 : at + by]
  if (next) controller.show({ view: 'card', askId: next.question.ask_id })
  return true
}
