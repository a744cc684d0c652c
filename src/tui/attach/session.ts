import { runEnding } from '../../approving/run-ending.ts'
import type { Clock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import type { FromApprover, ToApprover } from '../../contract/wire/approver-frames.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'
import { drawn } from '../approve/drawn.ts'
import { LineFeeds, withoutQueries } from './replay.ts'

export interface AttachDeps {
  readonly link: Link
  readonly clock: Clock
  readonly streams: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream }
}

/** ctrl-], as ever. */
const LEAVE_KEY = 0x1d
const INPUT_BYTES = 32 * 1024
/** What a program may have left switched on: other screen, hidden cursor, colours, mouse, pasting, application keys. */
const TIDY = '\x1b[?1049l\x1b[?25h\x1b[0m\x1b[?1000;1002;1003;1006l\x1b[?2004l\x1b[?1l\x1b>'

/** A person's own terminal, joined to one of the host's: keys go there, what is printed there comes here. */
export class AttachSession {
  readonly #deps: AttachDeps
  readonly #wanted: string
  readonly #life = new Disposables()
  readonly over: Promise<number>
  #end: (code: number) => void = () => {}
  #alive: { received(): void } = { received() {} }
  #terminal: TerminalState | null = null
  /** What was printed before we came: shown, but its questions to a terminal are not answered again. */
  #replayUpTo = 0
  /** Of the run whose output is shown; null: none was yet. */
  #stream: number | null = null
  #isOver = false
  readonly #feeds = new LineFeeds()

  constructor(deps: AttachDeps, wanted: string) {
    this.#deps = deps
    this.#wanted = wanted
    this.over = new Promise(resolve => {
      this.#end = code => {
        this.#life.dispose()
        resolve(code)
      }
    })
  }

  receive(frame: ToApprover): void {
    this.#alive.received()
    switch (frame.type) {
      case 'admitted': {
        const { link, clock } = this.#deps
        this.#alive = this.#life.add(keepAlive(link, { clock, intervalMs: frame.heartbeat_interval_ms }))
        link.onClose(
          () =>
            this.#isOver || this.#over(1, 'The host is gone. What runs may still run: join it when the host is back.'),
        )
        return
      }

      case 'terminals':
        if (this.#terminal === null) this.#choose(frame.items)
        else if (!frame.items.some(({ terminal_id }) => terminal_id === this.#terminal?.terminal_id))
          this.#over(0, 'You are out: the terminal was closed.')
        return

      case 'watching':
        this.#begin(frame)
        return
      case 'terminal_output':
        if (frame.stream === this.#stream) this.#show(frame)
        return
      case 'stream_end':
        if (frame.stream === this.#stream) this.#ended(frame)
        return

      case 'failed':
        this.#say(frame.error.message)
        return
      default:
        // Questions are not asked here.
        return
    }
  }

  /** The terminal goes on without us. */
  leave(): void {
    this.#over(0, 'You left; it goes on.')
  }

  #choose(terminals: readonly TerminalState[]): void {
    const named = terminalsCalled(terminals, this.#wanted)
    const found = this.#wanted === '' && terminals.length === 1 ? terminals : named
    const [terminal] = found
    if (terminal === undefined || found.length > 1) {
      const why =
        found.length > 1
          ? 'More than one is called that.'
          : this.#wanted === ''
            ? ''
            : `There is no terminal "${drawn(this.#wanted)}".`
      const widest = Math.max(0, ...terminals.map(({ name }) => drawn(name).length))
      const rows = terminals.map(
        ({ terminal_id, name, kind, cwd }) =>
          `  ${terminal_id}  ${drawn(name).padEnd(widest)}  ${kind.padEnd(5)}  ${drawn(cwd)}`,
      )
      const list = rows.length === 0 ? ['No terminal is open.'] : ['Open terminals:', ...rows]
      this.#over(this.#wanted === '' ? 0 : 1, why, list)
      return
    }
    this.#join(terminal)
  }

  #join(terminal: TerminalState): void {
    const { stdin, stdout } = this.#deps.streams
    const { terminal_id } = terminal
    this.#terminal = terminal
    this.#say(`Joined ${drawn(terminal.name)} (${terminal_id}). ctrl-] leaves; it goes on without you.`)
    const onKeys = (bytes: Buffer) => this.#keys(bytes)
    const size = () => ({ cols: stdout.columns || 80, rows: stdout.rows || 24 })
    const onResize = () => this.#send({ type: 'terminal_resize', terminal_id, ...size() })
    stdin.setRawMode(true)
    stdin.on('data', onKeys)
    stdin.resume()
    stdout.on('resize', onResize)
    this.#life.defer(() => {
      stdin.off('data', onKeys)
      stdout.off('resize', onResize)
      stdin.setRawMode(false)
      stdin.pause()
      stdout.write(TIDY)
    })
    const about = { request_id: 'join', terminal_id, run_id: null, have: null }
    this.#send({ type: 'terminal_watch', ...about, every_byte: true, ...size() })
  }

  #keys(bytes: Buffer): void {
    const { terminal_id = '' } = this.#terminal ?? {}
    const leaving = bytes.indexOf(LEAVE_KEY)
    const typed = leaving < 0 ? bytes : bytes.subarray(0, leaving)
    for (let at = 0; at < typed.length; at += INPUT_BYTES)
      this.#send({
        type: 'terminal_input',
        terminal_id,
        data: typed.toString('base64', at, Math.min(typed.length, at + INPUT_BYTES)),
      })
    if (leaving >= 0) this.leave()
  }

  #begin({ stream, command, end }: Extract<ToApprover, { type: 'watching' }>): void {
    const isFirst = this.#stream === null
    if (!isFirst) this.#say(drawn(command))
    this.#replayUpTo = isFirst ? end : 0
    this.#stream = stream
  }

  #show({ stream, offset, data }: Extract<ToApprover, { type: 'terminal_output' }>): void {
    const bytes = Buffer.from(data, 'base64')
    const old = Math.max(0, Math.min(bytes.length, this.#replayUpTo - offset))
    const shown = old === 0 ? bytes : Buffer.concat([withoutQueries(bytes.subarray(0, old)), bytes.subarray(old)])
    // Said once it is really on its way to the screen: a slow terminal holds up nobody but itself.
    this.#deps.streams.stdout.write(this.#feeds.kept(shown), () =>
      this.#send({ type: 'output_ack', stream, offset: offset + bytes.length }),
    )
  }

  #ended({ outcome }: Extract<ToApprover, { type: 'stream_end' }>): void {
    if (this.#terminal?.kind !== 'runs') return
    const instead = outcome.command_executed === null ? '' : `${drawn(outcome.command_executed)}: `
    this.#say(`${instead}${drawn(runEnding(outcome).text)}. The next command here is shown, too`)
  }

  #over(code: number, text: string, list: readonly string[] = []): void {
    this.#isOver = true
    this.#life.dispose()
    if (text !== '') this.#say(text)
    for (const line of list) this.#deps.streams.stdout.write(`${line}\r\n`)
    this.#send({ type: 'detach' })
    this.#end(code)
    this.#deps.link.close('done with it')
  }

  #say(text: string): void {
    this.#deps.streams.stdout.write(`\r\n\x1b[2m[${text.replaceAll('\n', '\r\n')}]\x1b[0m\r\n`)
  }

  #send(frame: FromApprover): void {
    if (this.#deps.link.open) this.#deps.link.send(frame)
  }
}

/** By its id, its name, or words of its name: `claude shop` is `Claude Code · shop`, if no other is. */
function terminalsCalled(terminals: readonly TerminalState[], wanted: string): readonly TerminalState[] {
  const exact = terminals.filter(({ terminal_id, name }) => terminal_id === wanted || name === wanted)
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (exact.length > 0 || words.length === 0) return exact
  return terminals.filter(({ name }) => words.every(word => name.toLowerCase().includes(word)))
}
