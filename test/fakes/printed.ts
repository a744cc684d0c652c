import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OutputLog } from '../../src/base/output/output-log.ts'
import type { RunView } from '../../src/runs/run/run-view.ts'

/** What a command has printed so far, on disk as it would be, without the command. */
export class Printed {
  readonly directory = mkdtempSync(join(tmpdir(), 'it-printed-'))
  readonly #watchers = new Set<() => void>()
  readonly #log = new OutputLog({
    directory: join(this.directory, 'run'),
    quotaBytes: 64 * 1024 * 1024,
    onGrown: () => this.#notify(),
  })
  #over = false
  /** It is about to start. */
  received = false

  out(text: string): void {
    this.#log.append('stdout', Buffer.from(text))
  }

  err(text: string): void {
    this.#log.append('stderr', Buffer.from(text))
  }

  end(): void {
    this.#over = true
    this.#notify()
  }

  begin(): void {
    this.received = false
    this.#notify()
  }

  get source(): { directory: string; size: number; over: boolean } {
    return { directory: join(this.directory, 'run'), size: this.#log.size, over: this.#over }
  }

  get view(): RunView {
    const watch = (watcher: () => void) => {
      this.#watchers.add(watcher)
      return { dispose: () => void this.#watchers.delete(watcher) }
    }
    const status = () => ({ state: { at: this.received ? 'received' : this.#over ? 'exited' : 'running' } })
    return { over: () => this.#over, source: () => this.source, status, watch } as never
  }

  get watchers(): number {
    return this.#watchers.size
  }

  remove(): void {
    this.#log.close()
    rmSync(this.directory, { recursive: true, force: true })
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}
