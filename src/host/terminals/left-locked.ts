import { TermError } from '../../contract/tool/errors.ts'

/** A terminal of a host that was killed, before the person has given the passphrase. */
export const leftLocked = (): TermError =>
  new TermError(
    'PM_TERM_INVALID_MODE',
    'The host that opened this terminal was killed. Nothing is typed into it before the person has given the passphrase; it can be read and closed.',
    { details: { reason: 'shell_busy' } },
  )
