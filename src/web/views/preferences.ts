import { signal } from '@preact/signals'

/** What a person likes: light or dark, sound, notifications. Kept in this browser; nothing secret is. */
const kept = (name: string): string | null => localStorage.getItem(`interactive-terminal.${name}`)
const keep = (name: string, value: string): void => localStorage.setItem(`interactive-terminal.${name}`, value)

const night = matchMedia('(prefers-color-scheme: dark)')
export const theme = signal<'light' | 'dark'>(themeOf(kept('theme')))
export const sounds = signal(kept('sound') === 'on')
export const canNotify = 'Notification' in window
export const notifies = signal(canNotify && Notification.permission === 'granted' && kept('notify') !== 'off')

function themeOf(choice: string | null): 'light' | 'dark' {
  return choice === 'light' || choice === 'dark' ? choice : night.matches ? 'dark' : 'light'
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value
}

night.addEventListener('change', () => {
  theme.value = themeOf(kept('theme'))
  applyTheme()
})

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  keep('theme', theme.value)
  applyTheme()
}

export function toggleSound(): void {
  sounds.value = !sounds.value
  keep('sound', sounds.value ? 'on' : 'off')
}

export async function toggleNotifications(): Promise<void> {
  const on = !notifies.value && (await Notification.requestPermission()) === 'granted'
  notifies.value = on
  keep('notify', on ? 'on' : 'off')
}
