import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'

/** A line of the log, to wherever it belongs. */
export type LogPlace = (line: string) => void

/**
 * To whoever reads stderr, a file on a full disk and a pipe whose reader is gone included: what cannot be logged is lost, and
 * what runs goes on. A log that throws would end the process, whose end is logged again.
 */
export function toStderr(line: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  try {
    process.stderr.write(line)
  } catch {
    // A full disk: see above.
  }
}

/** On a screen where questions are answered nothing else may be written: it would be in the middle of a question. */
export const isAnsweredHere = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

export function toFile(file: string): LogPlace {
  privateDirectory(dirname(file))
  return line => {
    try {
      appendFileSync(file, line, { mode: 0o600 })
    } catch {
      // A full disk: what is logged is lost, what runs goes on.
    }
  }
}
