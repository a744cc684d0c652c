import type { WindowController, WouldEnd } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'
import { TerminalName } from '../parts/terminal-name.tsx'

const TITLES = { close: 'Close', stop: 'Stop a command in' } as const
const DOES = { close: 'Close', stop: 'Stop it' } as const

/** Closing and stopping end what runs: that is said first. */
export function EndTerminal({ controller, ending }: { controller: WindowController; ending: WouldEnd }) {
  const { terminalId, and } = ending
  const terminal = controller.state.value.terminals.find(({ terminal_id }) => terminal_id === terminalId)
  const end = (): void => {
    if (and === 'close') void controller.ask({ type: 'terminal_close', terminal_id: terminalId })
    else void controller.ask({ type: 'run_stop', terminal_id: terminalId, run_id: ending.runId })
  }
  const close = (): void => {
    controller.ending.value = null
  }
  return (
    <SureDialog
      title={
        <>
          {TITLES[and]} <TerminalName name={terminal?.name ?? 'this terminal'} />?
        </>
      }
      does={DOES[and]}
      mark={{ 'data-close-terminal': true }}
      onSure={end}
      onClose={close}
    >
      <p>
        {and === 'stop' || terminal?.state === 'running' ? (
          <>
            It ends{' '}
            <span class="font-mono">
              <Drawn text={(and === 'stop' ? ending.line : terminal?.command) || 'what runs in it'} />
            </span>
            , with everything it started.
          </>
        ) : (
          'It ends the shell in it, with everything it started.'
        )}
        {and === 'stop' && ' The terminal stays, and the agent is told that you ended it.'}
      </p>
    </SureDialog>
  )
}
