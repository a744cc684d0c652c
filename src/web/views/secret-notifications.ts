import { effect } from '@preact/signals'
import { drawnText } from '../../contract/drawn-text.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { notifies } from '../parts/preferences.ts'

/** Notifies a person who looks elsewhere that a program asks for a password: only they type it, so nobody else can go on. */
export function notifyOfSecrets(controller: WindowController): void {
  const shown = new Map<string, Notification>()
  const known = new Set<string>()
  effect(() => {
    const asking = controller.state.value.terminals.filter(({ wait_state }) => wait_state === 'secret')
    for (const terminal of asking)
      if (!known.has(terminal.terminal_id)) {
        known.add(terminal.terminal_id)
        announce(controller, terminal, shown)
      }
    for (const id of known)
      if (!asking.some(({ terminal_id }) => terminal_id === id)) {
        known.delete(id)
        shown.get(id)?.close()
        shown.delete(id)
      }
  })
}

function announce(controller: WindowController, terminal: TerminalState, shown: Map<string, Notification>): void {
  const away = document.visibilityState === 'hidden' || !document.hasFocus()
  if (!away || !notifies.peek()) return
  const { terminal_id, name, asks = '' } = terminal
  const title = `A program in ${drawnText(name)} asks for a password`
  const notification = new Notification(title, { body: drawnText(asks), tag: `secret-${terminal_id}` })
  notification.onclick = () => {
    window.focus()
    controller.show({ view: 'terminal', terminalId: terminal_id })
    notification.close()
  }
  shown.set(terminal_id, notification)
}
