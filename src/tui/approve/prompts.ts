import type { AdmissionPrompts, CodeShown } from '../../admission/seek-admission.ts'
import { drawn } from './drawn.ts'
import { askSecretly } from './terminal.ts'

type Streams = Parameters<typeof askSecretly>[0]

/** Asks the person at this terminal for what admits them. */
export class PersonPrompts implements AdmissionPrompts {
  readonly #streams: Streams
  /** Kept in memory only, so that a host that starts anew need not ask again. */
  known: string | null = null
  #tried: string | null = null

  constructor(streams: Streams) {
    this.#streams = streams
  }

  /** On a new link what was tried before may be right. */
  anew(): void {
    this.#tried = null
  }

  async passphrase(
    ...[{ problem, orCode }, signal]: Parameters<AdmissionPrompts['passphrase']>
  ): Promise<string | null> {
    // It was tried on this link already, and was wrong.
    if (this.known !== null && this.known === this.#tried) this.known = null
    if (problem !== null) this.#say(problem)
    const more = orCode ? ' (enter alone: another code)' : ''
    const typed = this.known ?? (await askSecretly(this.#streams, `Approver passphrase${more}: `, signal))
    if (typed) this.known = this.#tried = typed
    return typed
  }

  code(...[{ problem, shown }, signal]: Parameters<AdmissionPrompts['code']>): Promise<string | null> {
    this.#say(problem ?? whereTheCodeIs(shown))
    return askSecretly(this.#streams, shown.shown_in.length === 0 ? '' : 'Code: ', signal)
  }

  #say(text: string): void {
    this.#streams.stdout.write(`${text}\n`)
  }
}

function whereTheCodeIs({ shown_in, expires_in_ms, passphrase_then }: CodeShown): string {
  const then = passphrase_then ? 'the passphrase is taken as well' : 'another code is shown'
  const after = `In ${Math.round(expires_in_ms / 1000)} s ${then}.`
  if (shown_in.length === 0) return `No code can be shown now. ${after}`
  const where = shown_in.map(drawn).join(', ')
  return `Another approver is there already, and shows a code now: ${where}.\nType it here. Cannot see it? ${after}`
}
