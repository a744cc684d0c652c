import { TermError } from './errors.ts'

/** Ids of the editor's terminals have a number and a name in them; those of a host's terminals are of hex digits. */
const OF_EDITOR = /^term_\d+_[a-z0-9-]+$/

/** An id of another tool gets to know where it belongs. */
export const noTerminal = (id: string): TermError =>
  new TermError(
    'PM_TERM_NOT_FOUND',
    OF_EDITOR.test(id)
      ? `There is no terminal ${id} here: that is an id of memory_terminal_vscode. Call memory_terminal_vscode instead.`
      : `There is no terminal ${id}.`,
    { details: { terminal_id: id } },
  )
