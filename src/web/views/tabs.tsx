import { ChevronDown, House, List, Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Icon } from '../parts/icon.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { TerminalName } from '../parts/terminal-name.tsx'
import { TerminalList } from './lazy.tsx'
import { openShell } from './open-shell.ts'

const DOTS = { idle: 'bg-line', shell: 'bg-accent', running: 'bg-good pulse' } as const
const STATES = { idle: 'idle', shell: 'your shell', running: 'running' } as const

/** One tab for each terminal. */
export function Tabs({ controller }: { controller: WindowController }) {
  const { terminals, closedTerminals, showing } = controller.state.value
  const [listed, list] = useState(false)
  const atStart = showing.view === 'start'
  return (
    <nav aria-label="Terminals" class="flex h-11 min-w-0 grow items-center gap-1 px-2">
      <button
        type="button"
        class={`ghost ${atStart ? 'bg-panel text-ink' : ''}`}
        aria-label="Start"
        title="Start"
        aria-current={atStart ? 'page' : undefined}
        onClick={() => controller.show({ view: 'start' })}
      >
        <Icon of={House} />
      </button>
      <ul class="flex min-w-0 items-center gap-1 overflow-x-auto [scrollbar-width:none]">
        {terminals.map(terminal => (
          <Tab key={terminal.terminal_id} controller={controller} terminal={terminal} />
        ))}
      </ul>
      <button
        type="button"
        class="ghost"
        aria-label="New terminal"
        title="New terminal"
        data-new-terminal
        onClick={() => void openShell(controller)}
      >
        <Icon of={Plus} />
      </button>
      <button
        type="button"
        class="ghost -ml-2 min-w-6"
        aria-label="New terminal: choose shell, directory and environment"
        title="Choose shell, directory and virtual environment"
        data-choose-shell
        onClick={() => {
          controller.choosingShell.value = { instead: null }
        }}
      >
        <Icon of={ChevronDown} size={14} />
      </button>
      {terminals.length + closedTerminals.length > 0 && (
        <button
          type="button"
          class="ghost"
          aria-label="All terminals"
          title={
            closedTerminals.length === 0
              ? 'All terminals'
              : `All terminals; ${closedTerminals.length} closed because nothing happened there`
          }
          data-all-terminals
          onClick={() => list(true)}
        >
          <Icon of={List} />
        </button>
      )}
      {listed && <TerminalList controller={controller} onClose={() => list(false)} />}
    </nav>
  )
}

function Tab({
  controller,
  terminal: { terminal_id, name, requester, state, pending, wait_state },
}: {
  controller: WindowController
  terminal: TerminalState
}) {
  const { showing } = controller.state.value
  const current = showing.view === 'terminal' && showing.terminalId === terminal_id
  const tone = current ? 'border-line bg-panel text-ink' : 'border-transparent text-soft hover:bg-raised'
  return (
    <li class={`flex h-8 max-w-56 min-w-28 shrink-0 items-center rounded-lg border ${tone}`} data-tab={terminal_id}>
      <button
        type="button"
        class="flex h-full min-w-0 grow items-center gap-2 rounded-lg pl-2.5 text-left text-[13px]"
        aria-current={current ? 'page' : undefined}
        onClick={() => controller.show({ view: 'terminal', terminalId: terminal_id })}
      >
        <span aria-hidden="true" class={`h-2 w-2 shrink-0 rounded-full ${DOTS[state]}`} />
        <span class="min-w-0 grow truncate">
          <TerminalName name={name} />
        </span>
        <ProvedName requester={requester} />
        <span class="sr-only">, {STATES[state]}</span>
        {wait_state !== undefined && wait_state !== 'none' && state === 'running' && (
          <span class="pill pill-open shrink-0" data-waits={wait_state}>
            {wait_state === 'secret' ? 'password' : 'waits'}
            <span class="sr-only"> for input</span>
          </span>
        )}
        {pending > 0 && (
          <span class="pill pill-open tabular-nums" data-pending>
            {pending}
            <span class="sr-only"> waiting</span>
          </span>
        )}
      </button>
      <button
        type="button"
        class="ghost h-6 min-w-6"
        aria-label={`Close ${name}`}
        title={state === 'idle' ? 'Close' : 'Close: asks first, something is in it'}
        onClick={() => {
          if (state === 'idle') void controller.ask({ type: 'terminal_close', terminal_id })
          else controller.ending.value = { terminalId: terminal_id, and: 'close' }
        }}
      >
        <Icon of={X} size={13} />
      </button>
    </li>
  )
}
