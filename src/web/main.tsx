import { ticketOf } from '../contract/window-proof.ts'
import './style.css'
import { applyTheme } from './views/preferences.ts'

/**
 * The first thing that runs, and little more than the first paint needs. The ticket is taken out of the address before
 * anything else happens: nobody finds it in a history.
 */
const ticket = ticketOf(location.hash)
history.replaceState(null, '', location.pathname)
applyTheme()
void import('./open-window.tsx').then(({ openWindow }) => openWindow(ticket))
