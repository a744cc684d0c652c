import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { PtyChunk, PtyProcess } from '../../base/process/pty.ts'
import { until } from '../../base/until.ts'
import { Watchers } from '../../base/watchers.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { OutputFollower } from './output-reader.ts'
import { type ShellMark, ShellMarks } from './shell-marks.ts'
import { linkOf } from './shell-process.ts'

/** What the shell does, as far as its marks say. */
type ShellActivity = 'starting' | 'prompting' | 'ready' | 'running'

const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g

const BUSY: Record<ShellActivity, string | null> = {
  starting: 'the shell has not shown a prompt yet',
  prompting: 'a command runs there',
  running: 'a command runs there',
  ready: null,
}

const MOST_SINCE_READY = 4096

type ShellListener = (chunk: PtyChunk, marks: readonly ShellMark[]) => void

const KILLED = 'the host that opened it was killed, and nobody has proved since to be the person'

/** The person's own shell in a terminal: knows from its marks whether it waits for a line, and whether somebody types one. */
export class ShellSession implements Disposable {
  readonly process: PtyProcess
  readonly program: string
  readonly hasMarks: boolean
  readonly #clock: Clock
  readonly #marks: ShellMarks | null
  readonly #life = new Disposables()
  readonly #listeners = new Watchers<Parameters<ShellListener>>()
  #doing: ShellActivity = 'starting'
  /** A person has typed since the last prompt: what is sent now would be joined to it. */
  #typing = false
  /** They have typed while a command ran: it may have read that, or it waits to be read at the prompt. */
  #typedAhead = false
  #maybeTyped = false
  #speaks = false
  #sinceReady = ''
  #bang = false
  #paste = false
  #over = false

  constructor(
    process: PtyProcess,
    how: {
      readonly clock: Clock
      readonly nonce: string | null
      readonly program: string
      readonly view: Pick<RunView, 'source' | 'watch'>
    },
  ) {
    this.process = process
    this.program = how.program
    this.#clock = how.clock
    this.hasMarks = how.nonce !== null
    this.#marks = how.nonce === null ? null : new ShellMarks(how.nonce)
    this.#life.add(new OutputFollower(how.view, 0, chunk => this.#receive(chunk)))
    void process.ended.then(() => {
      this.#over = true
      this.dispose()
    })
  }

  /** Why nothing can be typed for an agent now; null: it waits for a line. */
  get busy(): string | null {
    if (this.process.locked) return KILLED
    if (this.#over) return 'the shell has ended'
    if (this.#typing || (this.#maybeTyped && this.#somethingBehindPrompt)) return 'a person is typing there'
    if (!this.hasMarks) return null
    return BUSY[this.#doing]
  }

  /** The same, but a prompt that is about to come is no reason yet. */
  get occupied(): string | null {
    return this.hasMarks && !this.#typing && (this.#doing === 'starting' || this.#doing === 'prompting')
      ? null
      : this.busy
  }

  get expandsHistory(): boolean {
    return this.#bang
  }

  /** Where it is now, where the system says so. Until it has printed something, its process may still be where its parent is. */
  get directory(): string | null {
    return this.#speaks ? linkOf(this.process.pid, 'cwd') : null
  }

  get over(): boolean {
    return this.#over
  }

  /** Resolves when it waits for a line, or with why it does not after so long. */
  async whenReady(withinMs: number): Promise<string | null> {
    const watch = (watcher: () => void) => {
      void this.process.ended.then(watcher)
      return this.listen(watcher)
    }
    await until(() => this.busy === null || this.#over, { watch }, { late: { clock: this.#clock, ms: withinMs } })
    return this.busy
  }

  /** Resolves when nothing was printed for so long. */
  quiet(ms: number): Promise<void> {
    return new Promise(resolve => {
      let timer = this.#clock.after(ms, done)
      const listening = this.listen(() => {
        timer.dispose()
        timer = this.#clock.after(ms, done)
      })
      function done() {
        listening.dispose()
        resolve()
      }
    })
  }

  listen(listener: ShellListener): Disposable {
    return this.#listeners.add(listener)
  }

  /** Nobody saw what was typed since its last prompt: what stands behind that may be half a line. */
  wasLeftAlone(): void {
    this.#speaks = true
    this.#maybeTyped = true
  }

  get #somethingBehindPrompt(): boolean {
    return this.#sinceReady.replace(ESCAPES, '').trim() !== ''
  }

  /** A line an agent may run. As a paste where the shell takes one: then no key of it is bound to anything. */
  type(line: string): void {
    this.#doing = 'running'
    this.process.write(Buffer.from(this.#paste ? `\x1b[200~${line}\x1b[201~\r` : `${line}\r`))
  }

  interrupt(): void {
    this.process.write(Buffer.from('\x03'))
  }

  /** An interrupt throws away what was not read yet, perhaps the end of what was pasted: the shell would wait for it. */
  interruptAgain(): void {
    this.process.write(Buffer.from(this.#paste ? '\x1b[201~\x03' : '\x03'))
  }

  /** What was typed was thrown away before the shell read it: it still stands at its prompt, with nothing behind it. */
  neverBegan(): void {
    if (this.#doing === 'running' && !this.#somethingBehindPrompt) this.#doing = 'ready'
  }

  /** Keys of a person. */
  write(bytes: Buffer): void {
    // While a prompt is on its way no command runs that could read them: they are for the prompt.
    if (this.#doing === 'ready' || this.#doing === 'prompting' || !this.hasMarks) this.#typing = true
    else this.#typedAhead = true
    this.process.write(bytes)
  }

  dispose(): void {
    this.#life.dispose()
  }

  #receive(chunk: PtyChunk): void {
    this.#speaks = true
    const marks = this.#marks?.read(chunk.at, chunk.bytes) ?? []
    for (const mark of marks) this.#note(mark)
    const ready = marks.findLast(({ kind }) => kind === 'ready')
    const { length } = chunk.bytes
    const text = chunk.bytes.toString('latin1', Math.max(0, ready ? ready.to - chunk.at : 0, length - MOST_SINCE_READY))
    this.#sinceReady = (ready ? text : this.#sinceReady + text).slice(-MOST_SINCE_READY)
    this.#listeners.notify(chunk, marks)
  }

  #note(mark: ShellMark): void {
    switch (mark.kind) {
      case 'prompt':
        // A prompt that is drawn anew with nothing run in between is the same prompt.
        if (this.#doing !== 'prompting') this.#typing = false
        if (this.#doing !== 'ready') this.#doing = 'prompting'
        this.#maybeTyped = this.#typedAhead
        this.#typedAhead = false
        this.#bang = mark.bang
        return
      case 'ready':
        if (this.#doing === 'prompting') this.#doing = 'ready'
        return
      case 'begins':
        this.#doing = 'running'
        return
      case 'paste':
        this.#paste = mark.on
        return
      case 'finished':
        this.#doing = 'prompting'
        this.#typing = false
        return
    }
  }
}
