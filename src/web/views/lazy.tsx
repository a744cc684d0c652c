import { type Signal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { WindowController } from '../controller/window-controller.ts'
import type { PageName } from '../state/pages.ts'

/** Views that are loaded when they are first shown. What is there at once is what a question needs. */
function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { soon(): void } {
  const loaded: Signal<{ View: ComponentType<Props> } | null> = signal(null)
  let asked = false
  const soon = (): void => {
    if (asked) return
    asked = true
    void load().then(View => {
      loaded.value = { View }
    })
  }
  const Lazy = (props: Props) => {
    soon()
    const View = loaded.value?.View
    return View ? <View {...props} /> : null
  }
  return Object.assign(Lazy, { soon })
}

export const CardView = lazy(async () => (await import('../card/card.tsx')).CardView)

export const Start = lazy(async () => (await import('./start.tsx')).Start)
export const Containers = lazy(async () => (await import('./containers.tsx')).Containers)
export const BlockedCommands = lazy(async () => (await import('./blocked-commands.tsx')).BlockedCommands)
export const LeftRunning = lazy(async () => (await import('./left-running.tsx')).LeftRunning)
export const StatusLine = lazy(async () => (await import('./status-line.tsx')).StatusLine)
export const BatchDecline = lazy(async () => (await import('./batch-decline.tsx')).BatchDecline)
export const TerminalPane = lazy(async () => (await import('../terminal/terminal-pane.tsx')).TerminalPane)
export const TerminalList = lazy(async () => (await import('../terminal/terminal-list.tsx')).TerminalList)
export const ShellDialog = lazy(async () => (await import('../terminal/shell-dialog.tsx')).ShellDialog)
export const SaveDialog = lazy(async () => (await import('../saved/save-dialog.tsx')).SaveDialog)
export const KeysList = lazy(async () => (await import('./keys-list.tsx')).KeysList)
export const EndTerminal = lazy(async () => (await import('./end-terminal.tsx')).EndTerminal)
export const PagesList = lazy(async () => (await import('./pages-list.tsx')).PagesList)
export const Admissions = lazy(async () => (await import('./admissions.tsx')).Admissions)

/** One for each page of the list. */
export const PAGE_VIEWS: Record<PageName, ComponentType<{ controller: WindowController }>> = {
  history: lazy(async () => (await import('../history/history.tsx')).History),
  rules: lazy(async () => (await import('../rules/rules.tsx')).Rules),
  activity: lazy(async () => (await import('../activity/activity.tsx')).Activity),
  saved: lazy(async () => (await import('../saved/saved.tsx')).Saved),
  status: lazy(async () => (await import('../status/status.tsx')).Status),
  settings: lazy(async () => (await import('../settings/settings.tsx')).Settings),
}
