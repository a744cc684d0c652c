import type { ITheme } from '@xterm/xterm'

/** Colours for both themes; each of them readable on its ground. */
export function terminalColors(): ITheme {
  return document.documentElement.dataset.theme === 'dark' ? DARK : LIGHT
}

/** What a search has found: all of it, and the one that it stands at. */
export function foundColors() {
  const [all, here] =
    document.documentElement.dataset.theme === 'dark' ? ['#4a3f1d', '#7a5c00'] : ['#fdeeb5', '#f5cf57']
  return {
    matchBackground: all,
    matchOverviewRuler: all,
    activeMatchBackground: here,
    activeMatchColorOverviewRuler: here,
  }
}

const NAMES = [
  ...(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const),
  ...(['brightBlack', 'brightRed', 'brightGreen', 'brightYellow'] as const),
  ...(['brightBlue', 'brightMagenta', 'brightCyan', 'brightWhite'] as const),
]

/**
 * xterm fades faint text to half its strength: on a light ground no colour at all is readable then. Faint is grey instead, and
 * what has a colour keeps it.
 */
export function faintStyles(): string {
  const colors = terminalColors()
  // One word more than xterm's own, so that it counts.
  const cells = '.terminal.xterm .xterm-rows'
  const kept = NAMES.map((name, i) => `${cells} .xterm-fg-${i}.xterm-dim { color: ${colors[name]} }`)
  return [`${cells} .xterm-dim { color: ${colors.brightBlack} }`, ...kept].join('\n')
}

const LIGHT: ITheme = {
  background: '#ffffff',
  foreground: '#1a1d21',
  cursor: '#0b6b5d',
  cursorAccent: '#ffffff',
  selectionBackground: '#bfe3dc',
  black: '#1a1d21',
  red: '#b3261e',
  green: '#1d6f42',
  yellow: '#8a5300',
  blue: '#1a56a8',
  magenta: '#86308f',
  cyan: '#0b6b73',
  white: '#6b7280',
  brightBlack: '#5b626b',
  brightRed: '#c93a31',
  brightGreen: '#23824e',
  brightYellow: '#9a6200',
  brightBlue: '#2a6bc4',
  brightMagenta: '#9c43a5',
  brightCyan: '#10808a',
  brightWhite: '#3c434c',
}

const DARK: ITheme = {
  background: '#16191d',
  foreground: '#e7e9ec',
  cursor: '#57c9b2',
  cursorAccent: '#16191d',
  selectionBackground: '#2b4a45',
  black: '#2b3038',
  red: '#f28b82',
  green: '#6cc990',
  yellow: '#e5b25c',
  blue: '#82aaff',
  magenta: '#d49ae0',
  cyan: '#6fd0d8',
  white: '#c8cdd4',
  brightBlack: '#8b94a1',
  brightRed: '#ffa8a0',
  brightGreen: '#8fe0ad',
  brightYellow: '#f3ca84',
  brightBlue: '#a6c3ff',
  brightMagenta: '#e4b7ec',
  brightCyan: '#97e2e8',
  brightWhite: '#ffffff',
}
