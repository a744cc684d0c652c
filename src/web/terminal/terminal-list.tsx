import { X } from 'lucide'
import type { ClosedTerminal, TerminalState } from '../../contract/wire/terminal-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { TerminalName } from '../parts/terminal-name.tsx'
import { idleTabs } from '../state/window-model.ts'

const STATES = { idle: 'idle', shell: 'your shell', running: 'running' } as const

/** Every terminal with what it is doing, and those whose tab was closed because nothing happened in it. */
export function TerminalList({ controller, onClose }: { controller: WindowController; onClose: () => void }) {
  const state = controller.state.value
  const { terminals, closedTerminals } = state
  const idle = idleTabs(state)
  return (
    <Dialog title="Terminals" mark={{ 'data-terminal-list': true }} onClose={onClose}>
      {close => (
        <>
          <ul class="max-h-[45vh] divide-y divide-line overflow-y-auto rounded-lg border border-line">
            {terminals.length === 0 && <li class="px-3 py-2 text-soft">None is open.</li>}
            {terminals.map(terminal => (
              <OpenRow key={terminal.terminal_id} controller={controller} terminal={terminal} close={close} />
            ))}
          </ul>
          {closedTerminals.length > 0 && (
            <section class="mt-4">
              <h3 class="text-[13px] font-medium">Closed, because nothing happened there</h3>
              <p class="mb-1.5 text-[12px] text-soft">
                Nothing is lost: the output is in its commands, and each comes back as it was when it is used again.
              </p>
              <ul class="max-h-[25vh] divide-y divide-line overflow-y-auto rounded-lg border border-line">
                {closedTerminals.map(each => (
                  <ClosedRow key={each.terminal_id} controller={controller} closed={each} close={close} />
                ))}
              </ul>
            </section>
          )}
          <div class="mt-4 flex justify-end gap-2">
            {idle.length > 0 && (
              <button
                type="button"
                class="button"
                data-close-idle
                onClick={() => void controller.ask({ type: 'terminals_close_idle' })}
              >
                Close all idle ({idle.length})
              </button>
            )}
            <button type="button" class="button" onClick={close}>
              Done
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function OpenRow(props: { controller: WindowController; terminal: TerminalState; close: () => void }) {
  const { controller, close } = props
  const { terminal_id, name, state, requester, command, outcome } = props.terminal
  const line = outcome?.command_executed ?? command ?? ''
  return (
    <li class="flex items-center" data-listed={terminal_id}>
      <button
        type="button"
        class="min-w-0 grow px-3 py-1.5 text-left text-[13px] hover:bg-raised"
        onClick={() => {
          close()
          controller.show({ view: 'terminal', terminalId: terminal_id })
        }}
      >
        <span class="flex items-center gap-2">
          <span class="min-w-0 truncate font-medium">
            <TerminalName name={name} />
          </span>
          <ProvedName requester={requester} />
          <span class="shrink-0 text-[12px] text-soft">{STATES[state]}</span>
        </span>
        {line !== '' && (
          <span class="block truncate font-mono text-[12px] text-soft">
            <Drawn text={line.slice(0, 200)} />
          </span>
        )}
      </button>
      <button
        type="button"
        class="ghost mr-1"
        aria-label={`Close ${name}`}
        onClick={() => {
          if (state === 'idle') void controller.ask({ type: 'terminal_close', terminal_id })
          else {
            close()
            controller.ending.value = { terminalId: terminal_id, and: 'close' }
          }
        }}
      >
        <Icon of={X} size={14} />
      </button>
    </li>
  )
}

function ClosedRow(props: { controller: WindowController; closed: ClosedTerminal; close: () => void }) {
  const { controller, close } = props
  const { terminal_id, name, closed_at, requester } = props.closed
  const reopen = async (): Promise<void> => {
    const reply = await controller.ask({ type: 'terminal_reopen', terminal_id })
    if (reply?.type !== 'done') return
    close()
    controller.show({ view: 'terminal', terminalId: terminal_id })
  }
  return (
    <li class="flex items-center gap-2 px-3 py-1.5 text-[13px]" data-closed={terminal_id}>
      <span class="min-w-0 truncate">
        <TerminalName name={name} />
      </span>
      <ProvedName requester={requester} />
      <span class="min-w-0 grow text-[12px] text-soft">
        {new Date(closed_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
      </span>
      <button
        type="button"
        class="button button-small"
        aria-label={`Open again: ${name}`}
        onClick={() => void reopen()}
      >
        Open again
      </button>
    </li>
  )
}
