import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Stream } from '../../base/output/output-segments.ts'
import type { ChildStarter, PipeCommand } from '../../base/process/child-starter.ts'

export interface PipeEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** false: something it left in the background still holds the output open. */
  readonly drained: boolean
}

export interface PipeProcess {
  readonly pid: number
  /** Tells a reused pid apart; undefined: whoever started it did not say. */
  readonly start?: string
  /** lost: whoever watched it is gone, so nobody saw the end. */
  readonly ended: Promise<PipeEnd | 'lost'>
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
export async function startPipeProcess(
  starter: ChildStarter,
  command: PipeCommand,
  listener: PipeListener,
  clock: Clock,
): Promise<PipeProcess> {
  const end = new PipeEnding(clock)
  const child = await starter.start(command, {
    output: (stream, chunk) => {
      end.received += chunk.length
      listener.output(stream, chunk)
    },
    streamEnd: stream => {
      end.streamsEnded += 1
      listener.streamEnd(stream)
    },
    exited: (exitCode, signal) => end.exited(exitCode, signal),
    closed: () => {
      listener.closed()
      end.closed()
    },
    lost: () => {
      listener.closed()
      end.resolve('lost')
    },
  })
  return { ...child, ended: end.result }
}

/** `exit` alone loses output still in the pipe; `close` alone waits for every background child. So: exit, then drain. */
class PipeEnding {
  received = 0
  streamsEnded = 0
  resolve: (end: PipeEnd | 'lost') => void = () => {}
  readonly result = new Promise<PipeEnd | 'lost'>(resolve => {
    this.resolve = resolve
  })
  readonly #clock: Clock
  #exit: Omit<PipeEnd, 'drained'> = { exitCode: null, signal: null }
  #waiting: Disposable | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  exited(exitCode: number | null, signal: string | null): void {
    this.#exit = { exitCode, signal }
    // Nobody holds the output open: `closed` follows, and nothing has to be waited for.
    if (this.streamsEnded === 2) return
    this.#look(this.received, this.#clock.elapsed() + LONGEST_DRAIN_MS)
  }

  closed(): void {
    this.#waiting?.dispose()
    this.resolve({ ...this.#exit, drained: true })
  }

  #look(before: number, giveUpAt: number): void {
    // Through one poll of the event loop: if we were busy, what is in the pipe has not been read yet.
    this.#waiting = this.#clock.after(DRAIN_SILENCE_MS, () =>
      setImmediate(() => {
        const now = this.received
        if (now === before || this.#clock.elapsed() > giveUpAt) this.resolve({ ...this.#exit, drained: false })
        else this.#look(now, giveUpAt)
      }),
    )
  }
}
