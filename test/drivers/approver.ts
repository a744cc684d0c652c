import { type IPty, spawn } from '@lydell/node-pty'
import { eventually } from './mcp-client.ts'
import { type Place, PRODUCT } from './place.ts'

export const PASSPHRASE = 'correct horse battery'

const SHOWN_CODE = /^code +(\d{3} \d{3} \d{3}) /m

interface Size {
  readonly cols: number
  readonly rows: number
}

/** A person at a real terminal who runs `interactive-terminal approve`, as far as a test can be one. */
export class PersonAtTerminal {
  readonly #pty: IPty
  readonly #rows = new Map<number, string>()
  #lines = ''
  #ended: number | null = null

  private constructor(pty: IPty) {
    this.#pty = pty
    pty.onData(text => this.#see(text))
    pty.onExit(({ exitCode }) => {
      this.#ended = exitCode
    })
  }

  /** Lets themselves in: by the code that the other one shows, or by the passphrase, chosen if there is none yet. */
  static async attach(
    place: Place,
    env: Readonly<Record<string, string>> = {},
    { size = { cols: 100, rows: 30 }, other }: { size?: Size | undefined; other?: PersonAtTerminal | undefined } = {},
  ) {
    const person = PersonAtTerminal.start(place, env, size)
    await person.#letsThemselvesIn(other)
    return person
  }

  static start(place: Place, env: Readonly<Record<string, string>> = {}, size = { cols: 100, rows: 30 }) {
    const pty = spawn(process.execPath, [PRODUCT, 'approve'], {
      ...size,
      cwd: place.root,
      env: place.env({ TERM: 'xterm-256color', ...env }),
    })
    return new PersonAtTerminal(pty)
  }

  async #letsThemselvesIn(other: PersonAtTerminal | undefined): Promise<void> {
    await this.sees(/New passphrase|Approver passphrase|Code: |No commands waiting|question 1/)
    if (/Code: /.test(this.#lines)) this.type(`${await other?.codeShown()}\r`)
    else if (/New passphrase/.test(this.#lines)) {
      this.type(`${PASSPHRASE}\r`)
      await this.sees('The same again')
      this.type(`${PASSPHRASE}\r`)
    } else if (/Approver passphrase/.test(this.#lines)) this.type(`${PASSPHRASE}\r`)
    await this.sees(/No commands waiting|question 1/)
  }

  /** The code that somebody else needs to be let in. */
  async codeShown(): Promise<string> {
    await this.sees(SHOWN_CODE)
    return SHOWN_CODE.exec(this.screen)?.[1] ?? ''
  }

  /** What is on the screen now. */
  get screen(): string {
    const last = Math.max(0, ...this.#rows.keys())
    const rows = Array.from({ length: last }, (_, i) => this.#rows.get(i + 1) ?? '')
    return [this.#lines, ...rows].join('\n')
  }

  get exitCode(): number | null {
    return this.#ended
  }

  async sees(what: string | RegExp, withinMs = 10_000): Promise<void> {
    const there = () => (typeof what === 'string' ? this.screen.includes(what) : what.test(this.screen))
    await eventually(`${what} on the screen:\n${this.screen}`, there, withinMs).catch(() => {
      throw new Error(`never on the screen: ${what}\n${this.screen}`)
    })
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  resize(cols: number, rows: number): void {
    this.#rows.clear()
    this.#pty.resize(cols, rows)
  }

  /** The question is there, read and armed. */
  async reads(what: string | RegExp): Promise<void> {
    await this.sees(what)
    await this.sees(/^a approve/m)
  }

  async approves(what: string | RegExp): Promise<void> {
    await this.reads(what)
    this.type('a')
  }

  async declines(what: string | RegExp, reason: string): Promise<void> {
    await this.reads(what)
    this.type('d')
    await this.sees('Why not?')
    this.type(reason)
    await this.sees(`> ${reason}`)
    this.type('\r')
  }

  async edits(what: string | RegExp, line: string): Promise<void> {
    await this.reads(what)
    this.type('e')
    await this.sees('Run this instead')
    this.type('\x15')
    this.type(line)
    await this.sees(`> ${line}`)
    this.type('\r')
    await this.sees('a approve this line')
    this.type('a')
  }

  async leaves(): Promise<void> {
    if (this.#ended === null) this.#pty.kill('SIGTERM')
    await eventually('the approver ends', () => this.#ended !== null)
  }

  /** Rows are written one by one, each with its place; before the screen is taken over there are plain lines. */
  #see(text: string): void {
    for (const piece of text.split(/(?=\x1b\[\d+;1H)/)) {
      const at = /^\x1b\[(\d+);1H/.exec(piece)
      const plain = piece.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
      if (at) this.#rows.set(Number(at[1]), plain)
      else this.#lines += plain.replaceAll('\r', '')
    }
  }
}
