import { Bell, BellOff, Keyboard, Moon, ShieldCheck, Sun, Volume2, VolumeX } from 'lucide'
import { useState } from 'preact/hooks'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import {
  canNotify,
  notifies,
  sounds,
  theme,
  toggleNotifications,
  toggleSound,
  toggleTheme,
} from '../parts/preferences.ts'
import { PassphraseForm, UnlockForm } from './passphrase.tsx'

const LINKS = { opening: 'Connecting…', open: 'Connected', lost: 'Reconnecting…', shut: 'Not connected' } as const

/** The state of things in one line: the host, what protects the person, and three switches. */
export function StatusLine({ controller }: { controller: WindowController }) {
  const { link, host } = controller.state.value
  const [explains, setExplains] = useState(false)
  // An editor has its own theme, and its own notifications.
  const inWindow = controller.place.kind === 'window'
  const ptyHost = host && host.pty_host.health !== 'well' ? `terminals: ${host.pty_host.health}` : null
  return (
    <div class="relative flex h-11 shrink-0 items-center gap-0.5 border-t border-line px-3 text-[12px] text-soft">
      <span
        class="flex min-w-0 items-center gap-1.5 px-1"
        title={host ? `Version ${host.version}. ${host.clients.length} clients, ${host.windows} windows.` : ''}
        role="status"
        data-link={link.at}
      >
        <span
          aria-hidden="true"
          class={`h-2 w-2 shrink-0 rounded-full ${link.at === 'open' ? 'bg-good' : link.at === 'shut' ? 'bg-grave' : 'pulse bg-open'}`}
        />
        <span class="truncate">{ptyHost ?? LINKS[link.at]}</span>
      </span>
      {host && (
        <details onToggle={event => setExplains(event.currentTarget.open)}>
          <summary class="ghost list-none" title="What protects you" aria-label="What protects you">
            <Icon of={ShieldCheck} size={14} />
          </summary>
          {explains && <Protection controller={controller} host={host} />}
        </details>
      )}
      <span class="grow" />
      <button
        type="button"
        class="ghost"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => {
          controller.showsKeys.value = true
        }}
      >
        <Icon of={Keyboard} />
      </button>
      {inWindow && (
        <Switch on={sounds.value} name="Sound" icons={[Volume2, VolumeX]} flip={() => toggleSound(controller.prefer)} />
      )}
      {canNotify && inWindow && (
        <Switch
          on={notifies.value}
          name="Notifications"
          icons={[Bell, BellOff]}
          flip={() => void toggleNotifications(controller.prefer)}
        />
      )}
      {inWindow && (
        <Switch
          on={theme.value === 'dark'}
          name="Dark"
          icons={[Moon, Sun]}
          flip={() => toggleTheme(controller.prefer)}
        />
      )}
    </div>
  )
}

function Protection({
  controller,
  host,
}: {
  controller: WindowController
  host: NonNullable<WindowController['state']['value']['host']>
}) {
  const { detail, not_stopped } = host.protection
  return (
    <div
      class="absolute bottom-10 left-2 z-10 max-h-[70vh] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-panel p-3 text-ink shadow-lg"
      data-protection
    >
      <p>
        What protects you: <Drawn text={detail} as="prose" />.
      </p>
      <p class="mt-2">An approved command runs as you. It can still:</p>
      <ul class="mt-1 list-disc pl-4">
        {not_stopped.map(each => (
          <li key={each}>
            <Drawn text={each} as="prose" />
          </li>
        ))}
      </ul>
      <p class="mt-2 mb-3">
        So one careless approval can become every approval. What must not happen belongs under another user or machine.
      </p>
      <UnlockForm controller={controller} />
      <PassphraseForm controller={controller} />
    </div>
  )
}

function Switch(props: { on: boolean; name: string; icons: readonly [typeof Bell, typeof Bell]; flip: () => void }) {
  return (
    <button
      type="button"
      class="ghost"
      role="switch"
      aria-checked={props.on}
      aria-label={props.name}
      title={`${props.name}: ${props.on ? 'on' : 'off'}`}
      onClick={props.flip}
    >
      <Icon of={props.on ? props.icons[0] : props.icons[1]} />
    </button>
  )
}
