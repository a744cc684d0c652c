import { Announcer } from '../base/announcer.ts'
import type { Clock } from '../base/clock.ts'
import { keepAlive } from '../base/link/heartbeat.ts'
import type { Link } from '../base/link/link.ts'
import type { Log } from '../base/log.ts'
import type { InputWait, PtyExit } from '../base/process/pty.ts'
import { type FromPtyHost, PTY_PROTOCOL_VERSION, ToPtyHost } from '../contract/wire/pty-frames.ts'
import type { OwnedPty } from './owned-pty.ts'
import type { PtyTable } from './pty-table.ts'
import type { Succession } from './succession.ts'

export interface HostSessionDeps {
  readonly table: PtyTable
  /** Of all sessions: who may type into what was there before. */
  readonly succession: Succession
  readonly clock: Clock
  readonly log: Log
  readonly heartbeatMs: number
  readonly self: {
    readonly instanceId: string
    readonly pid: number
    readonly start: string | null
    readonly version: string
  }
  /** A host has come to stay. */
  readonly onHello: () => void
  /** The host wants everything ended, and pty-host with it. */
  readonly onEnd: (graceMs: number) => void
}

const TELL_EVERY_MS = 8
/** A key more or less is nothing to whoever counts megabytes. */
const REPORT_TAKEN_BYTES = 64 * 1024

/** One host's connection, from its hello to its end. Terminals live on without it. */
export class HostSession {
  readonly #deps: HostSessionDeps
  readonly #link: Link
  readonly #announcer: Announcer<OwnedPty>
  readonly #alive: ReturnType<typeof keepAlive>
  /** What was typed and waits no longer, as far as the host does not know it. */
  readonly #taken = new WeakMap<OwnedPty, number>()
  #greeted = false

  constructor(deps: HostSessionDeps, link: Link) {
    this.#deps = deps
    this.#link = link
    this.#announcer = new Announcer(deps.clock, TELL_EVERY_MS, ptys =>
      this.#send({ type: 'grown', ptys: ptys.map(pty => ({ pty_id: pty.ptyId, ...counted(pty) })) }),
    )
    this.#alive = keepAlive(link, { clock: deps.clock, intervalMs: deps.heartbeatMs })
    link.onFrame(frame => this.#receive(frame))
    link.onClose(() => {
      this.#alive.dispose()
      this.#announcer.dispose()
    })
  }

  get open(): boolean {
    return this.#link.open
  }

  grown(pty: OwnedPty): void {
    if (this.#greeted && this.open) this.#announcer.changed(pty)
  }

  taken(pty: OwnedPty, bytes: number): void {
    const unreported = (this.#taken.get(pty) ?? 0) + bytes
    const isDue = unreported >= REPORT_TAKEN_BYTES
    this.#taken.set(pty, isDue ? 0 : unreported)
    if (isDue && this.#greeted) this.#send({ type: 'input_taken', pty_id: pty.ptyId, bytes: unreported })
  }

  ended(pty: OwnedPty, exit: PtyExit): void {
    this.#announcer.forget(pty)
    if (this.#greeted) this.#send({ type: 'ended', pty_id: pty.ptyId, ...counted(pty), exit: exitFields(exit) })
  }

  #receive(raw: object): void {
    this.#alive.received()
    const parsed = ToPtyHost.safeParse(raw)
    if (!parsed.success) {
      // Both ends are ours: a frame nobody knows is a fault, and guessing on would be worse than starting over.
      this.#deps.log.error('a host sent a frame we do not know', { issues: parsed.error.issues.slice(0, 3) })
      this.#link.close('a frame we do not know')
      return
    }
    const frame = parsed.data
    if (frame.type === 'hello') void this.#hello(frame)
    else if (!this.#greeted) this.#link.close('no hello')
    else this.#act(frame)
  }

  /** Everything that is there is reported first, so that the host knows it all when it hears the acknowledgement. */
  async #hello({ protocol_version: version, token, approver }: Extract<ToPtyHost, { type: 'hello' }>): Promise<void> {
    if (version !== PTY_PROTOCOL_VERSION) {
      this.#send({ type: 'refused', reason: `This pty-host speaks version ${PTY_PROTOCOL_VERSION}, not ${version}.` })
      this.#link.close('another version')
      return
    }
    this.#deps.onHello()

    // What the host before this one had just asked for is part of all that is there.
    await this.#deps.table.settled()
    const { succession } = this.#deps
    const nonce = succession.come({ token, approver })
    for (const pty of this.#deps.table.all) {
      const { requester, runId: run_id, terminalId: terminal_id } = pty.command
      const { ptyId: pty_id, pid, pidStart: start, startedAt: started_at } = pty
      const ended = pty.exit && exitFields(pty.exit)
      const known = { pty_id, requester, run_id, terminal_id, pid, start, started_at, ...counted(pty), ended }
      this.#send({ type: 'pty', ...known })
    }
    const { instanceId: instance_id, pid, start, version: ours } = this.#deps.self
    const { locked } = succession
    const ack = {
      protocol_version: PTY_PROTOCOL_VERSION,
      instance_id,
      pid,
      start,
      version: ours,
      locked,
      nonce,
      probes: true,
      counts_input: true,
    }
    this.#send({ type: 'hello_ack', ...ack })
    this.#greeted = true
  }

  #act(frame: Exclude<ToPtyHost, { type: 'hello' }>): void {
    if (frame.type === 'end') this.#deps.onEnd(frame.grace_ms)
    else if (frame.type === 'trust') this.#deps.succession.trust(frame.approver)
    else if (frame.type === 'unlock') this.#unlock(frame)
    else if (frame.type === 'create') void this.#create(frame)
    else if (frame.type === 'forget') for (const ptyId of frame.pty_ids) this.#forget(ptyId)
    else if (frame.type !== 'heartbeat') {
      const pty = this.#deps.table.find(frame.pty_id)
      if (pty) this.#actOn(pty, frame)
      // It ended and was forgotten while the frame was on its way.
      else if (frame.type === 'kill') this.#killed(frame.pty_id, [])
      else if (frame.type === 'probe') this.#probed(frame.pty_id, null)
    }
  }

  #actOn(
    pty: OwnedPty,
    frame: Exclude<ToPtyHost, { type: 'hello' | 'end' | 'trust' | 'unlock' | 'create' | 'forget' | 'heartbeat' }>,
  ): void {
    const { ptyId } = pty
    switch (frame.type) {
      case 'input':
        if (this.#deps.succession.mayType(ptyId)) pty.write(Buffer.from(frame.data, 'base64'))
        break
      case 'resize':
        pty.resize(frame.cols, frame.rows)
        break
      case 'kill':
        void pty.kill(frame.grace_ms).then(survivors => this.#killed(ptyId, survivors))
        break
      case 'probe':
        void pty.waits().then(waits => this.#probed(ptyId, waits))
        break
    }
  }

  async #create(frame: Extract<ToPtyHost, { type: 'create' }>): Promise<void> {
    const { pty_id, requester, run_id: runId, terminal_id: terminalId, log, ...rest } = frame
    const { directory, quota_bytes: quotaBytes } = log
    // Before anything else: whoever connects next did not open it.
    this.#deps.succession.opened(pty_id)
    const command = { ...rest, requester, runId, terminalId, log: { directory, quotaBytes } }
    try {
      // A host that has died is sent nothing: what it wanted and had not got is not started for the next one.
      await this.#deps.table.create(
        pty_id,
        command,
        () => this.open,
        // Many commands are over before anybody could do something with them: then both are reported at once.
        ({ pid, pidStart: start }) =>
          this.#link.send({ type: 'created', pty_id, pid, start } satisfies FromPtyHost, 'soon'),
      )
    } catch (cause) {
      this.#deps.succession.forget(pty_id)
      this.#send({ type: 'not_created', pty_id, problem: cause instanceof Error ? cause.message : String(cause) })
    }
  }

  #unlock(proof: Extract<ToPtyHost, { type: 'unlock' }>): void {
    const right = this.#deps.succession.unlock(proof)
    this.#deps.log.info('a person was to be proved', { right })
    this.#send({ type: 'unlocked', right })
  }

  #forget(ptyId: string): void {
    this.#deps.succession.forget(ptyId)
    this.#deps.table.forget(ptyId)
  }

  #killed(pty_id: string, survivors: readonly number[]): void {
    this.#send({ type: 'killed', pty_id, survivors: [...survivors] })
  }

  #probed(pty_id: string, waits: InputWait | null): void {
    this.#send({ type: 'probed', pty_id, waits: waits && waitFields(waits) })
  }

  #send(frame: FromPtyHost): void {
    this.#link.send(frame)
  }
}

const counted = ({ output }: OwnedPty): { size: number; lost: number } => ({ size: output.size, lost: output.lost })

const waitFields = ({ onlyInput: only_input, ...same }: InputWait) => ({ ...same, only_input })

const exitFields = ({ exitCode: exit_code, signal, drained, carried, at }: PtyExit) => ({
  exit_code,
  signal,
  drained,
  carried: carried && {
    cwd: carried.cwd,
    env: { ...carried.env },
    ...(carried.pipestatus && { pipestatus: [...carried.pipestatus] }),
  },
  at,
})
