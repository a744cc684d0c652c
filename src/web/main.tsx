import { themeIn, ticketOf } from '../contract/window/window-proof.ts'
import './style.css'
import { startPreferences } from './parts/preferences.ts'

/**
 * The first thing that runs, and little more than the first paint needs. The ticket is taken out of the address before
 * anything else happens: nobody finds it in a history.
 */
const ticket = ticketOf(location.hash)
const theme = themeIn(location.hash)
history.replaceState(null, '', location.pathname)
startPreferences(theme)
void import('./open-window.tsx').then(({ openWindow }) => openWindow(ticket))
