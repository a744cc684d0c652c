import { TermError } from '../../contract/tool/errors.ts'
import type { Host } from '../../host/host.ts'
import { askSecretly } from '../../tui/approve/terminal.ts'

const MOST_TRIES = 3
const streams = { stdin: process.stdin, stdout: process.stdout }

/** Whoever is in front of the terminal a host was started in knows the passphrase. Throws when not. */
export async function provePassphrase(passphrase: Host['passphrase'], words: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const typed = await askSecretly(streams, words)
    if (typed === null) break
    if (passphrase.fits(typed)) return
    streams.stdout.write('That was not the passphrase.\n')
  }
  throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'The passphrase was not given. Nothing was started.')
}

/**
 * The last host was killed, what it started runs on, and there is no passphrase by which anybody could prove whose it is. It is
 * handed to nobody: it ends, or nothing is answered here.
 */
export async function endWhatWasLeft(host: Pick<Host, 'endLeftTerminals'>): Promise<void> {
  streams.stdout.write(
    `The last host was killed, and terminals of it still run. No passphrase was set, so nobody can prove whose they are: they end
before this terminal answers. (With a passphrase they would be yours again: --passphrase sets one.)
`,
  )
  const typed = await askSecretly(streams, 'Type "end" and press Enter to end them: ')
  if (typed?.trim() !== 'end')
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'They run on, and this terminal does not answer.')
  await host.endLeftTerminals()
}
