import type { WindowController } from '../controller/window-controller.ts'
import { PageFrame } from '../parts/page-frame.tsx'
import {
  canNotify,
  lateSounds,
  notifies,
  preferFontSize,
  preferTheme,
  sounds,
  type ThemeChoice,
  terminalFontSize,
  themeChoice,
  toggleLateSound,
  toggleNotifications,
  toggleSound,
} from '../parts/preferences.ts'
import { Group } from './group.tsx'
import { Times } from './times.tsx'

const FONT_SIZES = [10, 11, 12, 13, 14, 15, 16, 18, 20, 24]
const THEMES: Record<ThemeChoice, string> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** How the person likes the window. The host keeps it, for this and every later window. */
export function Settings({ controller }: { controller: WindowController }) {
  // An editor has its own theme, and its own notifications.
  const inWindow = controller.place.kind === 'window'
  return (
    <PageFrame name="settings" title="Settings">
      <div class="max-w-2xl space-y-6">
        <Group title="Looks">
          {inWindow && (
            <label class="flex items-center justify-between gap-4">
              Theme
              <select
                class="field w-44 shrink-0"
                data-setting="theme"
                value={themeChoice.value}
                onChange={event => preferTheme(event.currentTarget.value as ThemeChoice, controller.prefer)}
              >
                {Object.entries(THEMES).map(([choice, name]) => (
                  <option key={choice} value={choice}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label class="flex items-center justify-between gap-4">
            Text size in terminals
            <select
              class="field w-44 shrink-0"
              data-setting="font-size"
              value={terminalFontSize.value}
              onChange={event => preferFontSize(Number(event.currentTarget.value), controller.prefer)}
            >
              {FONT_SIZES.map(size => (
                <option key={size} value={size}>
                  {size} px
                </option>
              ))}
            </select>
          </label>
        </Group>
        <Times controller={controller} />
        {inWindow && (
          <Group title="When a command needs approval">
            <Tick name="sound" label="Play a sound" on={sounds.value} flip={() => toggleSound(controller.prefer)} />
            <Tick
              name="late-sound"
              label="Play a sound when a question is about to expire"
              on={lateSounds.value}
              flip={() => toggleLateSound(controller.prefer)}
            />
            {canNotify && (
              <Tick
                name="notifications"
                label="Show a desktop notification"
                on={notifies.value}
                flip={() => void toggleNotifications(controller.prefer)}
              />
            )}
          </Group>
        )}
      </div>
    </PageFrame>
  )
}

function Tick(props: { name: string; label: string; on: boolean; flip: () => void }) {
  return (
    <label class="flex items-center justify-between gap-4">
      {props.label}
      <input type="checkbox" data-setting={props.name} checked={props.on} onChange={props.flip} />
    </label>
  )
}
