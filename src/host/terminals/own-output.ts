/** What zsh draws between the end of a command and its mark: its sign for a line without an end. */
const BEFORE_PROMPT = /\x1b\[1m\x1b\[7m.{0,8}\x1b\[27m\x1b\[1m\x1b\[0m *(?:\r ?\r?)?$/s
const MAYBE_BEFORE_PROMPT = /(?:\x1b\[1m(?:\x1b(?:\[(?:7(?:m[^\n]{0,1100})?)?)?)?|\x1b(?:\[1?)?)$/s
/** What fish says to the terminal before the first byte of a command: no paste, a title, plain colours, the first column. */
const BEFORE_OUTPUT = /^(?:\x1b\[\?2004l|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[30m\x1b\(B\x1b\[m|\r(?!\n|$))+/
const WHOLE_BEFORE_OUTPUT = ['\x1b[?2004l', '\x1b[30m\x1b(B\x1b[m', '\r\n']
const UNFINISHED_TITLE = /^\x1b\][^\x07\x1b]{0,500}\x1b?$/

/**
 * What a command printed in a person's shell, without what the shell draws around it. Output comes in chunks cut anywhere: what
 * may still become something of the shell's waits until it is known.
 */
export class OwnOutput {
  #printed = false
  #held = ''

  /** What of these bytes, and of those held before, is the command's for sure. */
  of(bytes: Buffer): Buffer {
    const text = this.#held + bytes.toString('latin1')
    const prompt = MAYBE_BEFORE_PROMPT.exec(text)?.[0] ?? ''
    const own = this.#withoutStart(text.slice(0, text.length - prompt.length))
    if (this.#printed || !mayBeStart(own + prompt)) return this.#give(own, prompt)
    return this.#give('', own + prompt)
  }

  /** Nothing comes any more. */
  rest(): Buffer {
    return this.#give(
      this.#withoutStart(this.#held.replace(BEFORE_PROMPT, '')).replace(/^\r$/, this.#printed ? '\r' : ''),
      '',
    )
  }

  #withoutStart(text: string): string {
    return this.#printed ? text : text.replace(BEFORE_OUTPUT, '')
  }

  #give(own: string, held: string): Buffer {
    this.#held = held
    if (own !== '') this.#printed = true
    return Buffer.from(own, 'latin1')
  }
}

const mayBeStart = (text: string): boolean =>
  text !== '' &&
  (WHOLE_BEFORE_OUTPUT.some(whole => whole.startsWith(text) && whole !== text) || UNFINISHED_TITLE.test(text))
