import { useEffect, useState } from 'preact/hooks'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { blocksAt, blocksWith, type ShownBlock } from '../state/run-blocks.ts'

export interface RunBlocks {
  readonly blocks: readonly ShownBlock[]
  /** Those that are older and not among them. */
  readonly older: number
}

const NONE = { terminalId: '', blocks: [], older: 0 }

/** The commands of the terminal that is shown. The host is asked again whenever something in it has begun or ended. */
export function useRunBlocks(controller: WindowController, terminal: TerminalState | undefined): RunBlocks {
  const [told, tell] = useState<RunBlocks & { readonly terminalId: string }>(NONE)
  const { terminal_id = null, run_id, outcome, waiting } = terminal ?? {}
  const isConnected = controller.state.value.link.at === 'open'
  useEffect(() => {
    if (terminal_id === null || !isConnected) return undefined
    let isWanted = true
    void controller.query({ type: 'terminal_runs', terminal_id }, 'terminal_runs_shown').then(shown => {
      if (isWanted && shown)
        tell({ terminalId: terminal_id, blocks: blocksAt(shown.items, performance.now()), older: shown.older })
    })
    return () => {
      isWanted = false
    }
  }, [controller, isConnected, terminal_id, run_id, outcome?.state, waiting])

  if (!terminal) return NONE
  const known = told.terminalId === terminal.terminal_id ? told : NONE
  return { blocks: blocksWith(terminal, known.blocks), older: known.older }
}
