import { type Disposable, onAbort } from '../../base/disposable.ts'
import { type Key, KeyReader } from './keys.ts'
import type { Size } from './screen.ts'

/** Another screen than the one the person worked on, pastes marked as such, no cursor. */
const TAKE = '\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[2J'
const GIVE_BACK = '\x1b[?25h\x1b[?2004l\x1b[?1049l'

/** The person's terminal, taken over for a while and given back as it was. */
export class ApproveTerminal implements Disposable {
  readonly #stdin: NodeJS.ReadStream
  readonly #stdout: NodeJS.WriteStream
  readonly #reader = new KeyReader()
  readonly #onData: (bytes: Buffer) => void
  readonly #onResize: () => void
  #shown: readonly string[] = []
  #over = false

  constructor(
    streams: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
    on: { readonly keys: (keys: readonly Key[]) => void; readonly resized: () => void },
  ) {
    this.#stdin = streams.stdin
    this.#stdout = streams.stdout
    this.#onData = bytes => on.keys(this.#reader.read(bytes))
    this.#onResize = () => {
      this.#shown = []
      this.#stdout.write('\x1b[2J')
      on.resized()
    }
    this.#stdout.write(TAKE)
    this.#stdin.setRawMode(true)
    this.#stdin.on('data', this.#onData)
    this.#stdin.resume()
    this.#stdout.on('resize', this.#onResize)
  }

  get size(): Size {
    return { columns: this.#stdout.columns || 80, rows: this.#stdout.rows || 24 }
  }

  /** Writes only the rows that changed: a screen that is redrawn all the time cannot be read out or copied. */
  paint(rows: readonly string[]): void {
    if (this.#over) return
    let out = ''
    rows.forEach((row, i) => {
      if (row !== this.#shown[i]) out += `\x1b[${i + 1};1H\x1b[0m${row}\x1b[0m\x1b[K`
    })
    this.#shown = rows
    if (out !== '') this.#stdout.write(out)
  }

  /** The person's terminal says how: a sound, a flash, a mark on the tab. */
  ring(): void {
    if (!this.#over) this.#stdout.write('\x07')
  }

  dispose(): void {
    if (this.#over) return
    this.#over = true
    this.#stdin.off('data', this.#onData)
    this.#stdout.off('resize', this.#onResize)
    this.#stdin.setRawMode(false)
    this.#stdin.pause()
    this.#stdout.write(GIVE_BACK)
  }
}

/** Asks for a secret without showing it. null when the person gave up, or when it is asked no more. */
export function askSecretly(
  streams: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  question: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | null> {
  const { stdin, stdout } = streams
  stdout.write(question)
  return new Promise(resolve => {
    let secret = ''
    const reader = new KeyReader()

    const done = (answer: string | null) => {
      stdin.off('data', onData)
      asked.dispose()
      stdin.setRawMode(false)
      stdin.pause()
      stdout.write('\n')
      resolve(answer)
    }

    const onData = (bytes: Buffer) => {
      for (const key of reader.read(bytes)) {
        if (key.kind === 'char') secret += key.char
        else if (key.kind === 'paste') secret += key.text.replace(/[\r\n]/g, '')
        else if (key.name === 'backspace') secret = [...secret].slice(0, -1).join('')
        else if (key.name === 'clear_line') secret = ''
        else if (key.name === 'enter') return done(secret)
        else if (key.name === 'quit') return done(null)
      }
    }

    stdin.setRawMode(true)
    stdin.on('data', onData)
    stdin.resume()
    let asked: Disposable = { dispose() {} }
    asked = onAbort(signal, () => done(null))
  })
}
