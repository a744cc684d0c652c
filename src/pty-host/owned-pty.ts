import type { Clock } from '../base/clock.ts'
import type { LogBudget } from '../base/output/log-budget.ts'
import { OutputLog } from '../base/output/output-log.ts'
import { killTree, type TreeKillerDeps } from '../base/process/kill-tree.ts'
import type { InputWait, PtyCommand, PtyExit, PtyProcess } from '../base/process/pty.ts'
import type { CarryPipe } from './carry-pipes.ts'
import type { LosslessPty, StartPty } from './lossless-pty.ts'
import { PrintedLast } from './waiting/printed-last.ts'
import { probeHere, WaitProbe } from './waiting/wait-probe.ts'

interface OwnedPtyDeps {
  readonly clock: Clock
  readonly killer: TreeKillerDeps
  readonly budget: LogBudget
  readonly start: StartPty
}

interface OwnedPtyMade {
  readonly ptyId: string
  readonly command: PtyCommand
  readonly pipe: CarryPipe | null
  readonly onGrown: () => void
  readonly onTaken: (bytes: number) => void
  readonly onForget: () => void
}

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
  readonly #printed: PrintedLast
  readonly #probe: WaitProbe

  /** Rejects when it cannot be started: then nothing ran. */
  static async start(deps: OwnedPtyDeps, made: OwnedPtyMade): Promise<OwnedPty> {
    const { command, pipe, onGrown, onTaken } = made
    const startedAt = deps.clock.now()
    const output = new OutputLog({ ...command.log, budget: deps.budget, onGrown, now: () => deps.clock.now() })
    const printed = new PrintedLast()
    const whole = pipe ? { ...command, args: [...command.args, ...pipe.args] } : command
    try {
      const onOutput = (chunk: Buffer) => {
        printed.add(chunk)
        output.append('stdout', chunk)
      }
      const pty = await deps.start(whole, onOutput, onTaken)
      return new OwnedPty(deps, made, { startedAt, output, printed, pty })
    } catch (cause) {
      output.close()
      throw cause
    }
  }

  private constructor(
    deps: OwnedPtyDeps,
    { ptyId, command, pipe, onForget }: OwnedPtyMade,
    {
      startedAt,
      output,
      printed,
      pty,
    }: { startedAt: number; output: OutputLog; printed: PrintedLast; pty: LosslessPty },
  ) {
    this.#onForget = onForget
    this.ptyId = ptyId
    this.command = command
    this.startedAt = startedAt
    this.#killer = deps.killer
    this.output = output
    this.#pty = pty
    this.#printed = printed
    this.#probe = new WaitProbe(probeHere(process.platform), pty)
    this.pid = pty.pid
    this.pidStart = pty.start ?? deps.killer.table.row(pty.pid)?.start ?? null
    this.ended = pty.ended.then(end => {
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
