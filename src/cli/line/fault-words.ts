import { toType } from '../../base/own-command.ts'
import { databaseFault } from '../../runs/journal/database-fault.ts'

/**
 * What a command that failed says: a sentence with what to do where the fault is a known one, the stack only where it is ours. The
 * last line counts: many agents are shown no more of a host that did not start.
 */
export function faultWords(cause: unknown): string {
  const { name, message, stack, code, path } = cause as NodeJS.ErrnoException
  // By name: a part that was loaded later has a class of its own.
  if (name === 'TermError') return message
  if (databaseFault(cause) === 'damaged')
    return `The journal is damaged and cannot be read (${message}). Nothing was changed. To go on, keep it under another name: move journal.db out of the directory that "${toType('where state')}" prints; the next host begins a new one.`
  const where = path === undefined ? '' : `: ${path}`
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full (${code}${where}). Make room, then try again.`
    case 'EROFS':
      return `This cannot be written, the file system is read-only (EROFS${where}). Make it writable, or choose another place with PM_TERM_HOME.`
    case 'EACCES':
    case 'EPERM':
      if (path !== undefined)
        return `This may not be read or written by you (${code}${where}). See "${toType('doctor')}".`
  }
  return stack ?? message
}
