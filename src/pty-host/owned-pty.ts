import type { Clock } from '../base/clock.ts'
import type { LogBudget } from '../base/output/log-budget.ts'
import { OutputLog } from '../base/output/output-log.ts'
import { killTree, type TreeKillerDeps } from '../base/process/kill-tree.ts'
import type { InputWait, PtyCommand, PtyExit, PtyProcess } from '../base/process/pty.ts'
import type { CarryPipe } from './carry-pipes.ts'
import { type LosslessPty, startPty } from './lossless-pty.ts'
import { PrintedLast } from './waiting/printed-last.ts'
import { probeHere, WaitProbe } from './waiting/wait-probe.ts'

/** A command in a terminal of this process, with its log. */
export class OwnedPty implements PtyProcess {
  readonly ptyId: string
  readonly command: PtyCommand
  readonly startedAt: number
  readonly pid: number
  readonly pidStart: string | null
  readonly owner = null
  readonly ended: Promise<PtyExit>
  readonly output: OutputLog
  exit: PtyExit | null = null
  readonly #killer: TreeKillerDeps
  readonly #pty: LosslessPty
  readonly #onForget: () => void
  readonly #printed = new PrintedLast()
  readonly #probe: WaitProbe

  constructor(
    deps: { readonly clock: Clock; readonly killer: TreeKillerDeps; readonly budget: LogBudget },
    made: { ptyId: string; command: PtyCommand; pipe: CarryPipe | null; onGrown: () => void; onForget: () => void },
  ) {
    const { ptyId, command, pipe, onGrown } = made
    this.#onForget = made.onForget
    this.ptyId = ptyId
    this.command = command
    this.startedAt = deps.clock.now()
    this.#killer = deps.killer

    const { budget } = deps
    this.output = new OutputLog({ ...command.log, budget, onGrown })
    this.#pty = startPty(
      pipe ? { ...command, args: [...command.args, ...pipe.args] } : command,
      chunk => {
        this.#printed.add(chunk)
        this.output.append('stdout', chunk)
      },
      deps.clock,
    )
    this.#probe = new WaitProbe(probeHere(process.platform), this.#pty)
    this.pid = this.#pty.pid
    this.pidStart = deps.killer.table.row(this.pid)?.start ?? null
    this.ended = this.#pty.ended.then(end => {
      this.output.close()
      const carried = pipe?.report() ?? null
      pipe?.dispose()
      this.exit = { ...end, carried, at: deps.clock.now() }
      return this.exit
    })
  }

  write(bytes: Buffer): void {
    if (this.exit === null) this.#pty.write(bytes)
  }

  resize(cols: number, rows: number): void {
    if (this.exit === null) this.#pty.resize(cols, rows)
  }

  kill(graceMs: number): Promise<readonly number[]> {
    const { pid, pidStart: start } = this
    return killTree(this.#killer, { pid, start, mark: this.command.marks.run, leads: true }, graceMs)
  }

  /** Null: it has ended. */
  async waits(): Promise<InputWait | null> {
    return this.exit === null ? this.#probe.look(this.#printed.text) : null
  }

  forget(): void {
    this.#onForget()
  }
}
