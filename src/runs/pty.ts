/** How the host starts a command in a terminal; who does it is decided where the host is built. */
export interface PtyStarter {
  start(command: PtyCommand, onOutput: (chunk: Buffer) => void): PtyProcess
}

export interface PtyCommand {
  readonly executable: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly cols: number
  readonly rows: number
}

export interface PtyProcess {
  readonly pid: number
  readonly ended: Promise<{
    readonly exitCode: number | null
    readonly signal: string | null
    readonly drained: boolean
  }>
}
