import { processTable } from '../../src/base/process/process-table.ts'

const table = processTable(process.platform)

/** One process and no other: pids wrap on a busy machine, and the next one of that number is somebody else's. */
export class KnownProcess {
  readonly pid: number
  readonly #start: string | null

  constructor(pid: number, start = table.row(pid)?.start ?? null) {
    this.pid = pid
    this.#start = start
  }

  get lives(): boolean {
    const row = table.row(this.pid)
    return row !== null && row.start === this.#start
  }

  kill(signal: NodeJS.Signals): void {
    if (this.lives) process.kill(this.pid, signal)
  }
}
