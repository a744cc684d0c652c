import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'

/** A line of the log, to wherever it belongs. */
export type LogPlace = (line: string) => void

export const toStderr: LogPlace = line => void process.stderr.write(line)

/** On a screen where questions are answered nothing else may be written: it would stand in the middle of a question. */
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
