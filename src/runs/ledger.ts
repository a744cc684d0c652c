import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'
import {
  type AllowedLine,
  type EndedLine,
  type OpenedLine,
  RecordLine,
  type StartedLine,
} from '../contract/run-record.ts'

/** A run as its lines in a ledger tell it. */
export interface StoredRun {
  readonly opened: OpenedLine
  readonly allowed: AllowedLine | null
  readonly started: StartedLine | null
  readonly ended: EndedLine | null
  /** Where its output is, if it had any. */
  readonly directory: string
}

interface Lines {
  opened?: OpenedLine
  allowed: AllowedLine | null
  started: StartedLine | null
  ended: EndedLine | null
}

/**
 * The runs one server opened on one day: `ledger.jsonl`, only ever appended to, with a directory beside it for each run
 * that printed something. A file `closed` says that no line will follow.
 */
export class Ledger {
  readonly directory: string
  #fd: number | null = null

  constructor(directory: string) {
    this.directory = directory
  }

  append(line: RecordLine): void {
    if (this.#fd === null) {
      privateDirectory(this.directory)
      const torn = !/^$|\n$/.test(this.#text())
      this.#fd = openSync(this.#file, 'a', 0o600)
      // A crash may have cut the last line short: ours must not be swallowed by it.
      if (torn) writeSync(this.#fd, '\n')
    }
    writeFileSync(this.#fd, `${JSON.stringify(line)}\n`)
  }

  outputDirectory(runId: string): string {
    return join(this.directory, `run-${fileNameOf(runId)}`)
  }

  /** No line will follow. Says whether we were the one to close it. */
  close(): boolean {
    this.release()
    try {
      writeFileSync(join(this.directory, 'closed'), '', { flag: 'wx', mode: 0o600 })
      return true
    } catch {
      return false // closed before, or never written to
    }
  }

  release(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  get closed(): boolean {
    return existsSync(join(this.directory, 'closed'))
  }

  /** All runs, oldest first; or only the one with this id. */
  read(id?: string): StoredRun[] {
    const text = this.#text()
    // Most ledgers do not hold the id asked for: that is told without parsing them.
    if (id !== undefined && !text.includes(`"id":${JSON.stringify(id)}`)) return []
    const runs = new Map<string, Lines>()
    for (const line of text.split('\n')) {
      if (id !== undefined && !line.includes(`"id":${JSON.stringify(id)}`)) continue
      const parsed = RecordLine.safeParse(parseJson(line))
      // The last line may be cut short by a crash: what it announced did not happen.
      if (!parsed.success) continue
      const run: Lines = runs.get(parsed.data.id) ?? { allowed: null, started: null, ended: null }
      runs.set(parsed.data.id, run)
      if (parsed.data.type === 'opened') run.opened = parsed.data
      else if (parsed.data.type === 'allowed') run.allowed = parsed.data
      else if (parsed.data.type === 'started') run.started = parsed.data
      else run.ended = parsed.data
    }
    return [...runs.entries()].flatMap(([runId, { opened, allowed, started, ended }]) =>
      opened && (id === undefined || runId === id)
        ? [{ opened, allowed, started, ended, directory: this.outputDirectory(runId) }]
        : [],
    )
  }

  get #file(): string {
    return join(this.directory, 'ledger.jsonl')
  }

  #text(): string {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch {
      return '' // evicted meanwhile, or nothing written yet
    }
  }
}

/** An id as a file name that every system takes: no colon, no dot at either end, and no longer than the id. */
export const fileNameOf = (id: string): string => id.replaceAll(':', ',').replace(/^\.|\.$/g, '~')

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // fails the schema like any other line that is not ours
  }
}
