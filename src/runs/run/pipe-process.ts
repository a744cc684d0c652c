import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../../base/clock.ts'
import type { Stream } from '../../base/output/output-segments.ts'

/** A command as a child process with stdout and stderr apart and nothing on stdin. */
export interface PipeCommand {
  /** The resolved file, and what the program sees as its own name. */
  readonly executable: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface PipeEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** false: something it left in the background still holds the output open. */
  readonly drained: boolean
}

export interface PipeProcess {
  readonly pid: number
  readonly ended: Promise<PipeEnd>
}

export interface PipeListener {
  output(stream: Stream, chunk: Buffer): void
  streamEnd(stream: Stream): void
  /** Both streams have ended, maybe long after the process. */
  closed(): void
}

// After exit: how long a silent pipe that somebody still holds is waited for.
const DRAIN_SILENCE_MS = 50
const LONGEST_DRAIN_MS = 2000

/** Resolves once the process really runs; rejects with the system's error when it cannot start. */
export function startPipeProcess(command: PipeCommand, listener: PipeListener, clock: Clock): Promise<PipeProcess> {
  const child = spawn(command.executable, command.argv.slice(1), {
    argv0: command.argv[0] ?? command.executable,
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group and session of its own: a signal to it reaches all of it and none of us.
    detached: process.platform !== 'win32',
    windowsHide: true,
    shell: false,
  })

  let received = 0
  for (const stream of ['stdout', 'stderr'] as const) {
    // Without a file descriptor left there is no pipe; then 'error' reports it.
    const pipe = child[stream] as Readable | undefined
    pipe?.on('data', (chunk: Buffer) => {
      received += chunk.length
      listener.output(stream, chunk)
    })
    pipe?.once('end', () => listener.streamEnd(stream))
    // A broken pipe is an end, reported by 'close'.
    pipe?.on('error', () => {})
  }

  child.once('close', () => listener.closed())
  const ended = untilEnd(child, clock, () => received)

  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => {
      child.off('error', reject)
      child.on('error', () => {}) // a failed signal; kill-tree looks for itself
      resolve({ pid: child.pid as number, ended })
    })
  })
}

/** `exit` alone loses output still in the pipe; `close` alone waits for every background child. So: exit, then drain. */
function untilEnd(child: ChildProcess, clock: Clock, received: () => number): Promise<PipeEnd> {
  return new Promise(resolve => {
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, drained: true }))
    child.once('exit', (exitCode, signal) => {
      const giveUpAt = clock.elapsed() + LONGEST_DRAIN_MS
      const look = (before: number) => {
        // Through one poll of the event loop: if we were busy, what is in the pipe has not been read yet.
        clock.after(DRAIN_SILENCE_MS, () =>
          setImmediate(() => {
            const now = received()
            if (now === before || clock.elapsed() > giveUpAt) resolve({ exitCode, signal, drained: false })
            else look(now)
          }),
        )
      }
      look(received())
    })
  })
}
