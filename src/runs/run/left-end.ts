import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { LeftEnd, leftEndFile } from '../../contract/disk/left-end.ts'
import type { RunState } from './run-state.ts'

/** What a pty-host has left beside the output of a run, because it waited in vain for a host; null: nothing. */
export function endLeftIn(directory: string): RunState | null {
  const { data: left } = LeftEnd.safeParse(jsonIn(leftEndFile(directory)))
  if (!left) return null
  const { exit_code: exitCode, signal, at: endedAt, started_at: startedAt, killed } = left
  const ended = { startedAt, endedAt, tookMs: Math.max(0, endedAt - startedAt) }
  if (killed) return { at: 'killed', by: 'server_end', survivors: [], ...ended }
  // Nobody but a server could end it while there was no host.
  if (signal !== null && killNoted(directory)) return { at: 'killed', by: 'kill', survivors: [], ...ended }
  return { at: 'exited', exitCode, signal, ...ended }
}

/** Leaves word for whoever sees the end of this run: it was a kill. */
export function noteKill(directory: string): void {
  try {
    writeFileSync(noteOf(directory), '', { mode: 0o600 })
  } catch {
    // Without the note its end is reported with the signal instead, which is true as well.
  }
}

export const killNoted = (directory: string): boolean => existsSync(noteOf(directory))

const noteOf = (directory: string): string => `${directory}.killed`

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null // nothing was left
  }
}
