import { fstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'
import { appendRotating } from '../base/rotating-file.ts'
import type { Configuration } from '../config/settings.ts'

const MB = 1024 * 1024

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

/** host.log, of which so much is kept. */
export function toHostLog({ paths, settings }: Configuration): LogPlace {
  const file = paths.hostLogFile
  const limits = { bytes: settings.PM_TERM_HOST_LOG_MB * MB, files: settings.PM_TERM_HOST_LOG_FILES }
  privateDirectory(dirname(file))
  return line => {
    try {
      appendRotating(file, line, limits)
    } catch {
      // A full disk: what is logged is lost, what runs goes on.
    }
  }
}

/** A host that a server has started has host.log as its stderr: it writes there by name, so that it can begin another. */
export function toLaunchedLog(configuration: Configuration): LogPlace {
  const named = statSync(configuration.paths.hostLogFile, { throwIfNoEntry: false })
  const own = fstatSync(2)
  return named?.ino === own.ino && named.dev === own.dev ? toHostLog(configuration) : toStderr
}
