import { Bell, BellOff, Moon, ShieldCheck, Sun, Volume2, VolumeX } from 'lucide'
import type { Desk } from '../desk.ts'
import { Drawn } from './drawn.tsx'
import { Icon } from './icon.tsx'
import { canNotify, notifies, sounds, theme, toggleNotifications, toggleSound, toggleTheme } from './preferences.ts'

const LINKS = { opening: 'Connecting…', open: 'Connected', lost: 'Reconnecting…', shut: 'Not connected' } as const

/** The state of things in one line: the host, what protects the person, and three switches. */
export function StatusLine({ desk }: { desk: Desk }) {
  const { link, host } = desk.state.value
  const ptyHost = host && host.pty_host.health !== 'well' ? `terminals: ${host.pty_host.health}` : null
  return (
    <div class="flex h-11 shrink-0 items-center gap-0.5 border-t border-line px-3 text-[12px] text-soft">
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
        <details class="relative">
          <summary class="ghost list-none" title="What protects you">
            <Icon of={ShieldCheck} size={14} /> {host.protection.level}
          </summary>
          <p class="absolute bottom-9 left-0 z-10 w-60 rounded-lg border border-line bg-panel p-3 text-ink shadow-lg">
            Protection {host.protection.level}: <Drawn text={host.protection.detail} />.
          </p>
        </details>
      )}
      <span class="grow" />
      <Switch on={sounds.value} name="Sound" icons={[Volume2, VolumeX]} flip={toggleSound} />
      {canNotify && (
        <Switch on={notifies.value} name="Notifications" icons={[Bell, BellOff]} flip={toggleNotifications} />
      )}
      <Switch on={theme.value === 'dark'} name="Dark" icons={[Moon, Sun]} flip={toggleTheme} />
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
