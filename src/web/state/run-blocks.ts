import type { RunBlock, TerminalState } from '../../contract/wire/terminal-frames.ts'

/** A command of a terminal as this page shows it; `startedAt` by the page's own clock, null: it does not run. */
export interface ShownBlock extends RunBlock {
  readonly startedAt: number | null
}

/** As they were told at `now` of the page's clock: what runs goes on counting from there. */
export const blocksAt = (items: readonly RunBlock[], now: number): ShownBlock[] =>
  items.map(item => ({
    ...item,
    startedAt: item.outcome.state === 'running' && item.ran_ms !== null ? now - item.ran_ms : null,
  }))

/**
 * The blocks of a terminal, with what its list entry knows by now: that comes first, the blocks a moment later.
 * A command that the entry names and the blocks do not have yet is the newest.
 */
export function blocksWith(terminal: TerminalState, blocks: readonly ShownBlock[]): readonly ShownBlock[] {
  const { run_id, outcome, command, cwd } = terminal
  if (run_id === null || outcome === null) return blocks
  const known = blocks.find(block => block.run_id === run_id)
  if (!known)
    return [
      ...blocks,
      { run_id, line: command ?? '', is_cut: true, client: '', cwd, ran_ms: null, outcome, startedAt: null },
    ]
  if (known.outcome.state === outcome.state) return blocks
  return blocks.map(block => (block === known ? { ...known, outcome, startedAt: null } : block))
}

/** The line that ran, which is not always the one that was asked for. */
export const lineThatRan = ({ line, outcome }: RunBlock): string => outcome.command_executed ?? line

export const canBeStopped = ({ line, outcome }: RunBlock): boolean =>
  line !== '' && (outcome.state === 'running' || outcome.state === 'received' || outcome.state === 'awaiting_approval')
