import { signal } from '@preact/signals'
import type {
  PreferenceChanges,
  TimeChoice,
  TimesInForce,
  WindowPreferences,
} from '../../contract/window/window-preferences.ts'

/** What a person likes: light or dark, sound, notifications. The host keeps it, for this browser goes with its window. */
type Theme = 'light' | 'dark'
export type ThemeChoice = Theme | 'system'
/** Reports to the host. */
type Keep = (changes: PreferenceChanges) => void

/** For the first paint after this page was loaded again, before the host says it. */
const COPY = 'interactive-terminal.theme'
const night = matchMedia('(prefers-color-scheme: dark)')
let chosen: Theme | null = null
let wish: boolean | null = null
let askedAgain = false
/** In an editor its theme is the one that counts, and nothing is kept here. */
let editor: Theme | null = null

export const theme = signal<Theme>('light')
export const themeChoice = signal<ThemeChoice>('system')
export const sounds = signal(false)
export const lateSounds = signal(true)
export const terminalFontSize = signal(13)
type Times = { readonly chosen: Pick<WindowPreferences, TimeChoice>; readonly inForce: TimesInForce }
/** null: the host has not said them yet. */
export const times = signal<Times | null>(null)
export const canNotify = 'Notification' in window
export const notifies = signal(false)

/** Before anything is drawn. `given`: by whoever opened this page. */
export function startPreferences(given: Theme | null): void {
  const copy = localStorage.getItem(COPY)
  choose(given ?? (copy === 'light' || copy === 'dark' ? copy : null))
  night.addEventListener('change', showTheme)
  showWish()
}

/** The editor's theme counts, now and whenever it changes. */
export function showEditorTheme(next: Theme, contrast: 'normal' | 'more'): void {
  editor = next
  document.documentElement.dataset.contrast = contrast
  showTheme()
}

/** As the host has them. */
export function takePreferences(kept: WindowPreferences & { readonly times: TimesInForce }, keep: Keep): void {
  times.value = { chosen: kept, inForce: kept.times }
  choose(kept.theme)
  sounds.value = kept.sound
  lateSounds.value = kept.late_sound
  terminalFontSize.value = kept.terminal_font_size
  wish = kept.notifications
  showWish()
  if (editor !== null || wish !== true || askedAgain || !canNotify || Notification.permission !== 'default') return
  // Another window was permitted to; this one is of a browser that does not know.
  askedAgain = true
  void askBrowser(keep)
}

export function preferTheme(choice: ThemeChoice, keep: Keep): void {
  choose(choice === 'system' ? null : choice)
  keep({ theme: chosen })
}

export function toggleTheme(keep: Keep): void {
  choose(theme.value === 'dark' ? 'light' : 'dark')
  keep({ theme: chosen })
}

export function toggleSound(keep: Keep): void {
  sounds.value = !sounds.value
  keep({ sound: sounds.value })
}

export function toggleLateSound(keep: Keep): void {
  lateSounds.value = !lateSounds.value
  keep({ late_sound: lateSounds.value })
}

export function preferFontSize(size: number, keep: Keep): void {
  terminalFontSize.value = size
  keep({ terminal_font_size: size })
}

export function preferTime(choice: TimeChoice, seconds: number | null, keep: Keep): void {
  if (times.value) times.value = { ...times.value, chosen: { ...times.value.chosen, [choice]: seconds } }
  keep({ [choice]: seconds })
}

export async function toggleNotifications(keep: Keep): Promise<void> {
  if (notifies.value) wishFor(false, keep)
  else if ((await askBrowser(keep)) === 'granted') wishFor(true, keep)
}

function choose(next: Theme | null): void {
  chosen = next
  themeChoice.value = next ?? 'system'
  if (editor !== null) return
  if (next) localStorage.setItem(COPY, next)
  else localStorage.removeItem(COPY)
  showTheme()
}

function showTheme(): void {
  const shown = editor ?? chosen ?? (night.matches ? 'dark' : 'light')
  document.documentElement.dataset.theme = shown
  theme.value = shown
}

/** A no is a wish, too: the next window does not ask. Leaving the question open is none. */
async function askBrowser(keep: Keep): Promise<NotificationPermission> {
  const asks = Notification.permission === 'default'
  const permission = await Notification.requestPermission()
  if (asks && permission === 'denied') wishFor(false, keep)
  showWish()
  return permission
}

function wishFor(next: boolean, keep: Keep): void {
  wish = next
  showWish()
  keep({ notifications: next })
}

function showWish(): void {
  notifies.value = canNotify && Notification.permission === 'granted' && wish !== false
}
