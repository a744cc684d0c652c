import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { OutputLog } from '../../base/output/output-log.ts'
import { killTree, membersOf, type TreeKillerDeps } from '../../base/process/kill-tree.ts'
import type { InputWait, PtyChunk, PtyEnd, PtyExit } from '../../base/process/pty.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { RunTerminal } from '../../runs/run/run.ts'
import { OwnOutput } from './own-output.ts'
import type { ShellMark } from './shell-marks.ts'
import type { ShellSession } from './shell-session.ts'

/** Longer than this without output, and a shell that gives no marks is taken to have said all. */
const SILENCE_MS = 1500
/** Nothing comes any more from keys that were pressed before. */
const QUIET_MS = 300

/** Why a line cannot be typed into a shell at all; null: it can. */
export function unsendable(line: string, shell: Pick<ShellSession, 'expandsHistory'>): string | null {
  if (/\p{Cc}/u.test(line)) return 'must be one line of printable text: control characters are keys there'
  if (shell.expandsHistory && line.includes('!')) return 'holds a "!", and history expansion is on in this shell'
  return null
}

export const shellBusy = (why: string): TermError =>
  new TermError('PM_TERM_INVALID_MODE', `Nothing was typed: ${why}. Try again when the shell shows its prompt.`, {
    details: { reason: 'shell_busy', why },
  })

/** A line typed into the person's shell: it ends where the shell's marks say so, and its output is what lies between them. */
export class SentLine implements RunTerminal {
  readonly ended: Promise<PtyEnd>
  readonly #shell: ShellSession
  readonly #log: OutputLog
  readonly #deps: { readonly clock: Clock; readonly killer: TreeKillerDeps }
  readonly #life = new Disposables()
  #finish: (end: PtyEnd) => void = () => {}
  #hasOutput = false
  #began = false
  readonly #own = new OwnOutput()
  #silence: Disposable = { dispose() {} }

  constructor(
    shell: ShellSession,
    how: { readonly line: string; readonly log: OutputLog },
    deps: { readonly clock: Clock; readonly killer: TreeKillerDeps },
  ) {
    this.#shell = shell
    this.#log = how.log
    this.#deps = deps
    this.ended = new Promise(resolve => {
      this.#finish = end => {
        this.#life.dispose()
        this.#silence.dispose()
        this.#append(this.#own.rest())
        resolve(end)
      }
    })
    this.#life.add(shell.listen((chunk, marks) => this.#receive(chunk, marks)))
    // The shell itself may end: by `exit`, or because somebody closed it.
    void shell.process.ended.then(end => this.#finish(end === 'lost' ? end : { ...end, carried: null }))
    shell.type(how.line)
    if (!shell.hasMarks) this.#waitForSilence()
  }

  get output(): OutputLog {
    return this.#log
  }

  waits(): Promise<InputWait | null> {
    return this.#shell.process.waits()
  }

  /** Nobody but this host knows of it. */
  forget(): void {}

  /** First what a person would press, then by force; the shell itself lives on. */
  async kill(graceMs: number): Promise<readonly number[]> {
    await this.#read(graceMs)
    this.#shell.interrupt()
    if (await this.#within(graceMs)) return []
    const { killer } = this.#deps
    const { pid, pidStart } = this.#shell.process
    const below = { pid, start: pidStart, mark: null, leads: false }
    const survivors = await killTree(killer, below, 0)
    if (!(await this.#within(graceMs))) await this.#insist(graceMs)
    return survivors.filter(pid => membersOf(killer.table, below).some(row => row.pid === pid))
  }

  /** Nothing runs below the shell, and still its line goes on: it is a loop of the shell itself, or it was never begun. */
  async #insist(graceMs: number): Promise<void> {
    this.#shell.interruptAgain()
    if (!(await this.#within(graceMs))) {
      if (!this.#began) this.#shell.neverBegan()
      this.#finish(this.#exit(null))
    }
    // A prompt that this interrupt draws belongs to nobody's line.
    await this.#shell.quiet(QUIET_MS)
  }

  /**
   * Until the shell has read what was typed: an interrupt throws away the rest, perhaps the end of what was pasted, and the
   * shell would take the next line for more of it.
   */
  #read(withinMs: number): Promise<void> {
    if (this.#began || !this.#shell.hasMarks) return Promise.resolve()
    const { clock } = this.#deps
    return new Promise(resolve => {
      const life = new Disposables()
      const done = () => {
        life.dispose()
        resolve()
      }
      const soon = () => clock.after(QUIET_MS, done)
      let quiet: Disposable = this.#hasOutput ? soon() : { dispose() {} }
      life.add({ dispose: () => quiet.dispose() })
      life.add(clock.after(withinMs, done))
      life.add(
        this.#shell.listen(() => {
          quiet.dispose()
          if (this.#began) done()
          else quiet = soon()
        }),
      )
      void this.ended.then(done)
    })
  }

  #within(ms: number): Promise<boolean> {
    return new Promise(resolve => {
      const late = this.#deps.clock.after(ms, () => resolve(false))
      void this.ended.then(() => {
        late.dispose()
        resolve(true)
      })
    })
  }

  #receive({ at, bytes }: PtyChunk, marks: readonly ShellMark[]): void {
    this.#hasOutput = true
    if (!this.#shell.hasMarks) {
      this.#keep(bytes)
      this.#waitForSilence()
      return
    }
    let from = at
    for (const mark of marks) {
      if (mark.kind === 'begins' && !this.#began) {
        this.#began = true
        from = mark.to
      } else if (mark.kind === 'finished') {
        if (this.#began && mark.from > from) this.#keep(bytes.subarray(Math.max(0, from - at), mark.from - at))
        // A line the shell could not read never begins; its complaint is in the terminal.
        this.#finish(this.#exit(mark.exitCode))
        return
      } else if (mark.kind === 'prompt') {
        // Given up before it began: there is no exit code.
        this.#finish(this.#exit(null))
        return
      }
    }
    if (this.#began) this.#keep(bytes.subarray(Math.max(0, from - at)))
  }

  #keep(bytes: Buffer): void {
    this.#append(this.#own.of(bytes))
  }

  #append(bytes: Buffer): void {
    if (bytes.length > 0) this.#log.append('stdout', bytes)
  }

  #exit(exitCode: number | null): PtyExit {
    return { exitCode, signal: null, drained: true, carried: null, at: this.#deps.clock.now() }
  }

  #waitForSilence(): void {
    this.#silence.dispose()
    this.#silence = this.#deps.clock.after(SILENCE_MS, () => this.#finish(this.#exit(null)))
  }
}

export const NO_MARKS =
  'This shell does not report where its commands end, so the exit code is not known; the output is what it printed until it fell silent.'
