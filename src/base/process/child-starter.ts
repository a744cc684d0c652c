/** A command as a child process with stdout and stderr apart and nothing on stdin. */
export interface PipeCommand {
  /** The resolved file, and what the program sees as its own name. */
  readonly executable: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ChildListener {
  output(stream: 'stdout' | 'stderr', chunk: Buffer): void
  streamEnd(stream: 'stdout' | 'stderr'): void
  /** So much more of what was typed is in its terminal. */
  inputTaken?(bytes: number): void
  /** Its first process has ended. */
  exited(exitCode: number | null, signal: string | null): void
  /** It has ended, and so have both streams, maybe long after it. */
  closed(): void
  /** Whoever watched it is gone, so nobody sees how it ends. */
  lost(): void
}

export interface StartedChild {
  readonly pid: number
  /** Tells a reused pid apart; undefined: whoever started it did not say. */
  readonly start?: string
}

/**
 * Starts children that lead a group and session of their own: a signal to one reaches all of it and none of us. Rejects with the
 * system's error when it cannot start, with PtyStartLost when nobody knows whether it did.
 */
export interface ChildStarter {
  start(command: PipeCommand, listener: ChildListener): Promise<StartedChild>
}
