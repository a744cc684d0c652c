import { spawn } from 'node:child_process'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import type { Clock } from '../../base/clock.ts'
import { diskRoom, leastRoom } from '../../base/output/disk-room.ts'
import { LAUNCHED_HOST_GRACE_MS } from '../../base/process/grace.ts'
import type { HostCandidate } from './find-host-binary.ts'

/** A host this server has started and not yet seen ready. */
export interface LaunchedHost {
  readonly pid: number
  /** Resolves when it ends, with what it said last. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly lastWords: string }>
  /** Ends this one process: polite, then forced. */
  terminate(): Promise<void>
}

export interface LaunchPlace {
  readonly env: Readonly<Record<string, string>>
  /** The person's home: never the workspace of an agent. */
  readonly cwd: string
  readonly logFile: string
  /** What the host is started with: its subcommand and where to listen. */
  readonly args: readonly string[]
}

const LAST_WORDS_BYTES = 2000

/**
 * Starts the host so that it outlives this server: a session of its own, nothing of ours open, an environment we made.
 * Rejects when the program cannot be started at all.
 */
export function launchHost(candidate: HostCandidate, place: LaunchPlace, clock: Clock): Promise<LaunchedHost> {
  privateDirectory(dirname(place.logFile))
  const log = openSync(place.logFile, 'a', 0o600)
  const from = statSync(place.logFile).size

  return new Promise((resolve, reject) => {
    const child = spawn(candidate.program, [...candidate.args, ...place.args], {
      detached: true,
      cwd: place.cwd,
      env: place.env,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    child.unref()

    const ended: LaunchedHost['ended'] = new Promise(over =>
      child.once('exit', (code, signal) => over({ code, signal, lastWords: lastWords(place.logFile, from) })),
    )

    child.once('error', reject)
    child.once('spawn', () =>
      resolve({
        pid: child.pid ?? -1,
        ended,
        async terminate() {
          child.kill('SIGTERM')
          const force = clock.after(LAUNCHED_HOST_GRACE_MS, () => void child.kill('SIGKILL'))
          await ended
          force.dispose()
        },
      }),
    )
  })
}

/** On a full disk it cannot leave any, or only a part of them: then that is what is said last. */
function lastWords(logFile: string, from: number): string {
  const words = wordsSince(logFile, from)
  const directory = dirname(logFile)
  const room = diskRoom(directory)
  if (room.free >= leastRoom(room)) return words
  return `${words}\nThe disk of ${directory} is full. Make room, then try again.`.trim()
}

/** What it wrote since it was started: the end of it, because the reason comes last. */
function wordsSince(logFile: string, from: number): string {
  try {
    const { size } = statSync(logFile)
    // A smaller one is another one: what it was became too large meanwhile.
    const start = Math.max(size < from ? 0 : from, size - LAST_WORDS_BYTES)
    const bytes = Buffer.alloc(size - start)
    const fd = openSync(logFile, 'r')
    readSync(fd, bytes, 0, bytes.length, start)
    closeSync(fd)
    return bytes.toString('utf8').trim()
  } catch {
    // The log is gone; there is nothing to quote.
    return ''
  }
}
