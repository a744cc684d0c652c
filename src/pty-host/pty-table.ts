import type { Clock } from '../base/clock.ts'
import { killTree, type TreeKillerDeps } from '../base/kill-tree.ts'
import { OutputLog } from '../base/output-log.ts'
import type { PtyChunk, PtyCommand, PtyEnd, PtyFollower, PtyProcess, PtyStarter } from '../base/pty.ts'
import type { CarryPipe, CarryPipes } from './carry-pipes.ts'
import { FloodGate } from './flood-gate.ts'
import { type LosslessPty, startPty } from './lossless-pty.ts'

export interface PtyTableDeps {
  readonly clock: Clock
  readonly killer: TreeKillerDeps
  readonly pipes: CarryPipes
}

/** Every terminal this process owns: starts commands in them and writes their output down. */
export class PtyTable implements PtyStarter {
  readonly #deps: PtyTableDeps
  readonly #all = new Map<string, OwnedPty>()

  constructor(deps: PtyTableDeps) {
    this.#deps = deps
  }

  async start(command: PtyCommand, onGrown: () => void): Promise<PtyProcess> {
    if (this.#all.has(command.runId)) throw new Error(`${command.runId} runs already`)
    const pipe = command.carry ? await this.#deps.pipes.take() : null
    const owned = new OwnedPty(this.#deps, { command, pipe }, onGrown)
    this.#all.set(command.runId, owned)
    void owned.ended.then(() => this.#all.delete(command.runId))
    return owned
  }
}

class OwnedPty implements PtyProcess {
  readonly pid: number
  readonly pidStart: string | null
  readonly ended: Promise<PtyEnd>
  readonly output: OutputLog
  readonly #deps: PtyTableDeps
  readonly #mark: string
  readonly #pty: LosslessPty
  readonly #gate: FloodGate
  readonly #followers = new Set<(chunk: PtyChunk) => void>()

  constructor(
    deps: PtyTableDeps,
    { command, pipe }: { readonly command: PtyCommand; readonly pipe: CarryPipe | null },
    onGrown: () => void,
  ) {
    this.#deps = deps
    this.#mark = command.mark
    this.output = new OutputLog({ ...command.log, onGrown, onWritten: chunk => this.#written(chunk) })
    this.#pty = startPty(
      pipe ? { ...command, args: [...command.args, ...pipe.args] } : command,
      chunk => this.output.append('stdout', chunk),
      deps.clock,
    )
    this.#gate = new FloodGate(this.#pty)
    this.pid = this.#pty.pid
    this.pidStart = deps.killer.table.row(this.pid)?.start ?? null
    this.ended = this.#pty.ended.then(end => {
      this.output.close()
      const carried = pipe?.report() ?? null
      pipe?.dispose()
      return { ...end, carried }
    })
  }

  write(bytes: Buffer): void {
    this.#pty.write(bytes)
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows)
  }

  kill(graceMs: number): Promise<readonly number[]> {
    const { pid, pidStart: start } = this
    return killTree(this.#deps.killer, { pid, start, mark: this.#mark, leads: true }, graceMs)
  }

  follow(onOutput: (chunk: PtyChunk) => void): PtyFollower {
    this.#gate.enter(onOutput, this.output.size)
    this.#followers.add(onOutput)
    return {
      acknowledge: upTo => this.#gate.acknowledged(onOutput, upTo),
      dispose: () => {
        this.#followers.delete(onOutput)
        this.#gate.leave(onOutput)
      },
    }
  }

  #written(chunk: PtyChunk): void {
    if (this.#followers.size === 0) return
    for (const follower of [...this.#followers]) follower(chunk)
    this.#gate.sent(chunk.at + chunk.bytes.length)
  }
}
