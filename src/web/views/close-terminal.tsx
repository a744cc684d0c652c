import { useEffect, useRef } from 'preact/hooks'
import type { Desk } from '../desk.ts'
import { Drawn } from './drawn.tsx'

/** Closing ends what runs: that is said first. */
export function CloseTerminal({ desk, terminalId }: { desk: Desk; terminalId: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const terminal = desk.state.value.terminals.find(({ terminal_id }) => terminal_id === terminalId)
  const close = (): void => {
    desk.closing.value = null
  }
  return (
    <dialog
      ref={dialog}
      class="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-2xl border border-line bg-panel p-5 text-ink shadow-xl backdrop:bg-black/40"
      aria-labelledby="closing"
      onClose={close}
    >
      <h2 id="closing" class="mb-2 text-[17px] font-semibold">
        Close <Drawn text={terminal?.name ?? 'this terminal'} />?
      </h2>
      <p>
        {terminal?.state === 'running' ? (
          <>
            It ends <Drawn text={terminal.command ?? 'what runs in it'} />, with everything it started.
          </>
        ) : (
          'It ends the shell in it, with everything it started.'
        )}
      </p>
      <div class="mt-4 flex justify-end gap-2">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Keep it
        </button>
        <button
          type="button"
          class="button button-grave"
          data-close-terminal
          onClick={() => {
            void desk.ask({ type: 'terminal_close', terminal_id: terminalId })
            dialog.current?.close()
          }}
        >
          Close
        </button>
      </div>
    </dialog>
  )
}
