import type { Configuration } from '../../config/settings.ts'
import { queryHost } from '../reach/query-host.ts'
import { handScreen, SHOWN_WITHIN_MS, screenHere } from './hand-screen.ts'

export interface WindowShown {
  readonly shown: boolean
  readonly message: string
}

/**
 * Asks the host that runs to show its window. A host that found no screen is given that of this terminal, once the person at
 * it has proved to be one.
 */
export async function showItsWindow(configuration: Configuration, version: string): Promise<WindowShown> {
  const answer = await queryHost(configuration.paths, version, { type: 'show_window', withinMs: SHOWN_WITHIN_MS })
  switch (answer.at) {
    case 'none':
      return { shown: false, message: 'The host is just starting, or just ended.' }
    case 'silent':
      return { shown: false, message: `The host (pid ${answer.host.pid}) did not say whether it did: ${answer.why}.` }
    case 'answered': {
      if (answer.reply.type !== 'window_shown') return { shown: false, message: 'The host answered something else.' }
      const { shown, message, reason } = answer.reply
      const screen = screenHere(process.env)
      const isPerson = process.stdin.isTTY && process.stdout.isTTY
      return reason === 'no_screen' && screen && isPerson ? handScreen(configuration, screen) : { shown, message }
    }
  }
}
