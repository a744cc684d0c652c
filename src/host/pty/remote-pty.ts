import type { FoundPty, InputWait, PtyEnd, PtyExit, PtyOutput, PtyProcess } from '../../base/process/pty.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { FromPtyHost, KnownPty, ToPtyHost } from '../../contract/wire/pty-frames.ts'

// A longer frame would hold up everything behind it.
const INPUT_BYTES = 32 * 1024
/** Less than pty-host keeps for a program that reads nothing, by more than is untold. */
const MOST_WAITING_INPUT = 7 * 1024 * 1024
/** A key always goes: Ctrl+C ends what reads nothing. */
const FEW_KEYS = 1024

type ProbedWait = NonNullable<Extract<FromPtyHost, { type: 'probed' }>['waits']>
type PtyRequest = Extract<ToPtyHost, { pty_id: string }>
type PtyRequestBody = PtyRequest extends infer Each ? (Each extends PtyRequest ? Omit<Each, 'pty_id'> : never) : never

/** A command in a terminal of pty-host, as this host knows it. */
export class RemotePty implements PtyProcess, FoundPty {
  readonly ptyId: string
  readonly requester: string
  readonly runId: string
  readonly terminalId: string
  readonly startedAt: number
  readonly pid: number
  readonly pidStart: string | null
  readonly owner: PtyProcess['owner']
  readonly ended: Promise<PtyEnd>
  readonly #locked: () => boolean
  readonly #probes: () => boolean
  readonly #countsInput: () => boolean
  readonly #send: (frame: ToPtyHost) => void
  readonly #onForget: () => void
  #output: PtyOutput
  #onGrown: () => void = () => {}
  #end: (end: PtyEnd) => void = () => {}
  #over = false
  /** It has grown, and whoever started it was not told yet. */
  #untold = false
  /** What was typed and is not in the terminal yet, as far as it is known. */
  #waitingInput = 0
  #probing: ((waits: InputWait | null) => void)[] = []
  #killing: { readonly graceMs: number; readonly resolve: (survivors: readonly number[]) => void }[] = []

  constructor(
    known: KnownPty,
    deps: {
      readonly owner: PtyProcess['owner']
      readonly locked: () => boolean
      readonly probes: () => boolean
      readonly countsInput: () => boolean
      readonly send: (frame: ToPtyHost) => void
      readonly onForget: () => void
    },
  ) {
    this.ptyId = known.pty_id
    this.requester = known.requester
    this.runId = known.run_id
    this.terminalId = known.terminal_id
    this.startedAt = known.started_at
    this.pid = known.pid
    this.pidStart = known.start
    this.owner = deps.owner
    this.#locked = deps.locked
    this.#probes = deps.probes
    this.#countsInput = deps.countsInput
    this.#send = deps.send
    this.#onForget = deps.onForget
    this.#output = { size: known.size, lost: known.lost }
    this.ended = new Promise(resolve => {
      this.#end = resolve
    })
  }

  get process(): PtyProcess {
    return this
  }

  get locked(): boolean {
    return this.#locked()
  }

  get output(): PtyOutput {
    return this.#output
  }

  onGrown(listener: () => void): void {
    this.#onGrown = listener
  }

  write(bytes: Buffer): void {
    const waiting = this.#waitingInput + bytes.length
    if (this.#countsInput() && bytes.length > FEW_KEYS && waiting > MOST_WAITING_INPUT) throw readsNothing(waiting)
    this.#waitingInput = waiting
    for (let at = 0; at < bytes.length; at += INPUT_BYTES)
      this.#say({ type: 'input', data: bytes.toString('base64', at, Math.min(bytes.length, at + INPUT_BYTES)) })
  }

  resize(cols: number, rows: number): void {
    this.#say({ type: 'resize', cols, rows })
  }

  kill(graceMs: number): Promise<readonly number[]> {
    if (this.#over) return Promise.resolve([])
    return new Promise(resolve => {
      this.#killing.push({ graceMs, resolve })
      this.#say({ type: 'kill', grace_ms: graceMs })
    })
  }

  waits(): Promise<InputWait | null> {
    if (this.#over || !this.#probes()) return Promise.resolve(null)
    return new Promise(resolve => {
      this.#probing.push(resolve)
      if (this.#probing.length === 1) this.#say({ type: 'probe' })
    })
  }

  /** The connection is a new one: what it does not know is said again. */
  reconnected(known: KnownPty): void {
    // What was told meanwhile is not known: counted anew.
    this.#waitingInput = 0
    this.#grow(known)
    this.#probed(null)
    // Nobody knows whether it arrived.
    const [killing] = this.#killing
    if (killing) this.#say({ type: 'kill', grace_ms: killing.graceMs })
    if (known.ended) this.#finish(exitOf(known.ended))
  }

  receive(frame: Extract<FromPtyHost, { type: 'ended' | 'killed' | 'input_taken' | 'probed' }>): void {
    switch (frame.type) {
      case 'ended':
        this.#grow(frame)
        this.#finish(exitOf(frame.exit))
        break
      case 'killed':
        for (const { resolve } of this.#killing.splice(0)) resolve(frame.survivors)
        break
      case 'input_taken':
        this.#waitingInput = Math.max(0, this.#waitingInput - frame.bytes)
        break
      case 'probed': {
        const { waits } = frame
        this.#probed(waits && waitOf(waits))
      }
    }
  }

  /** While this host is busy, word of a flood heaps up: it is acted on once for all that has come. */
  grown({ size, lost }: PtyOutput): void {
    this.#output = { size, lost }
    if (this.#untold) return
    this.#untold = true
    setImmediate(() => this.#notifyGrown())
  }

  forget(): void {
    this.#onForget()
  }

  /** Its owner died. */
  lost(): void {
    this.#finish('lost')
  }

  #grow({ size, lost }: PtyOutput): void {
    this.#untold ||= size !== this.#output.size || lost !== this.#output.lost
    this.#output = { size, lost }
    this.#notifyGrown()
  }

  #notifyGrown(): void {
    if (!this.#untold) return
    this.#untold = false
    this.#onGrown()
  }

  #probed(waits: InputWait | null): void {
    for (const resolve of this.#probing.splice(0)) resolve(waits)
  }

  #finish(end: PtyEnd): void {
    this.#over = true
    this.#probed(null)
    this.#end(end)
    if (end === 'lost') for (const { resolve } of this.#killing.splice(0)) resolve([])
  }

  #say(frame: PtyRequestBody): void {
    this.#send({ ...frame, pty_id: this.ptyId } as ToPtyHost)
  }
}

function readsNothing(waiting: number): TermError {
  const mb = Math.round(waiting / 1024 / 1024)
  return new TermError(
    'PM_TERM_INVALID_MODE',
    `The program in this terminal does not read what is typed: with this ${mb} MB would wait for it. This was not typed.`,
    { details: { reason: 'input_waits' } },
  )
}

const waitOf = ({ only_input: onlyInput, ...same }: ProbedWait): InputWait => ({ ...same, onlyInput })

const exitOf = (exit: NonNullable<KnownPty['ended']>): PtyExit => ({
  exitCode: exit.exit_code,
  signal: exit.signal,
  drained: exit.drained,
  carried: exit.carried,
  at: exit.at,
})
