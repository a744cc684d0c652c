import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'
import { restartAsShell } from '../terminal/restart-as-shell.ts'

/** Closing or restarting ends what runs: that is said first. */
export function EndTerminal(props: { controller: WindowController; terminalId: string; and: 'close' | 'restart' }) {
  const { controller, terminalId, and } = props
  const terminal = controller.state.value.terminals.find(({ terminal_id }) => terminal_id === terminalId)
  const end = (): void => {
    if (and === 'close') void controller.ask({ type: 'terminal_close', terminal_id: terminalId })
    else if (terminal) void restartAsShell(controller, terminal)
  }
  const close = (): void => {
    controller.ending.value = null
  }
  return (
    <SureDialog
      title={
        <>
          {and === 'close' ? 'Close' : 'Restart'} <Drawn text={terminal?.name ?? 'this terminal'} />?
        </>
      }
      does={and === 'close' ? 'Close' : 'End it'}
      mark={{ 'data-close-terminal': true }}
      onSure={end}
      onClose={close}
    >
      <p>
        {terminal?.state === 'running' ? (
          <>
            It ends <Drawn text={terminal.command ?? 'what runs in it'} />, with everything it started.
          </>
        ) : (
          'It ends the shell in it, with everything it started.'
        )}
        {and === 'restart' && ' Then your own shell opens in the same directory.'}
      </p>
    </SureDialog>
  )
}
