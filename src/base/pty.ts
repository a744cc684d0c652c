import type { Disposable } from './disposable.ts'

/**
 * A command in a terminal, as the host sees it. Who owns the terminal and writes its output down is decided where the host
 * is built: pty-host, or the host's own process.
 */
export interface PtyStarter {
  /** Resolves once it runs. Rejects when it could not be started: then nothing ran. `onGrown`: it has printed more. */
  start(command: PtyCommand, onGrown: () => void): Promise<PtyProcess>
}

export interface PtyCommand {
  readonly runId: string
  readonly terminalId: string
  readonly executable: string
  /** What follows the program's own name. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** NAME=value of `env` that stands in everything the command starts. */
  readonly mark: string
  readonly cols: number
  readonly rows: number
  /** Where the owner of the terminal writes what is printed: an output log, see output-log.ts. */
  readonly log: { readonly directory: string; readonly quotaBytes: number }
  /** Whether the command tells at its end where it stands, on a pipe of its own. */
  readonly carry: boolean
}

export interface PtyProcess {
  readonly pid: number
  /** Tells a reused pid apart; null where the system does not say. */
  readonly pidStart: string | null
  /** What is in its log by now. Final once it has ended. */
  readonly output: PtyOutput
  readonly ended: Promise<PtyEnd>
  write(bytes: Buffer): void
  resize(cols: number, rows: number): void
  /** Ends its whole tree, politely and then by force. Resolves with who is still there. */
  kill(graceMs: number): Promise<readonly number[]>
  /**
   * Bytes as they come, from now on. What came before is in the log; `at` says where a chunk stands in it. The command is
   * held up while too much is not acknowledged.
   */
  follow(onOutput: (chunk: PtyChunk) => void): PtyFollower
}

export interface PtyOutput {
  readonly size: number
  readonly lost: number
}

export interface PtyChunk {
  readonly at: number
  readonly bytes: Buffer
}

export interface PtyFollower extends Disposable {
  /** Everything before this offset has been dealt with. */
  acknowledge(upTo: number): void
}

export interface PtyExit {
  readonly exitCode: number | null
  readonly signal: string | null
  /** false: the terminal was stopped or flooded at the end, and the wait for its last bytes was given up. */
  readonly drained: boolean
  /** Null: it was not asked to, or ended in a way that told nothing. */
  readonly carried: Carried | null
}

/** Where a command stood when it ended. */
export interface Carried {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** lost: whoever owned the terminal died, so nobody saw the end. */
export type PtyEnd = PtyExit | 'lost'
