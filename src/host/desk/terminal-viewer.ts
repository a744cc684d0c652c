import { Announcer } from '../../base/announcer.ts'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { TerminalCommand, ToPerson } from '../../contract/wire/terminal-frames.ts'
import { outcomeOf } from '../../runs/run/run-status.ts'
import { OutputFollower } from '../terminals/output-reader.ts'
import type { Terminal } from '../terminals/terminals.ts'
import type { TerminalActions } from './terminal-actions.ts'

/** Sent and not yet seen: beyond this, a slow viewer waits alone. */
const MOST_UNSEEN = 256 * 1024
/** Of the list of terminals: no person reads a hundred of them a second. */
const LIST_EVERY_MS = 50
/** How much of what was printed before somebody joins is shown. */
const SHOWN_AT_FIRST = 128 * 1024

/** One person's view of the terminals: what they joined, and what they do there. */
export class TerminalViewer implements Disposable {
  readonly #desk: TerminalActions
  readonly #send: (frame: ToPerson) => void
  readonly #by: string
  readonly #life = new Disposables()
  readonly #joined = new Map<string, ViewedTerminal>()
  #sentList = ''

  constructor(
    { clock, desk }: { readonly clock: Clock; readonly desk: TerminalActions },
    by: string,
    send: (frame: ToPerson) => void,
  ) {
    this.#desk = desk
    this.#by = by
    this.#send = send
    const list = this.#life.add(new Announcer(clock, LIST_EVERY_MS, () => this.#sendList()))
    const look = () => {
      list.changed('terminals')
      this.#lookOn()
    }
    this.#life.add(desk.watch(look))
    this.#life.defer(() => {
      for (const joined of this.#joined.values()) joined.dispose()
    })
    look()
  }

  dispose(): void {
    this.#life.dispose()
  }

  receive(frame: TerminalCommand): void {
    try {
      const later = this.#act(frame)
      later?.catch((cause: unknown) => this.#complain(frame, cause))
    } catch (cause) {
      this.#complain(frame, cause)
    }
  }

  #act(frame: TerminalCommand): Promise<void> | undefined {
    const desk = this.#desk
    switch (frame.type) {
      case 'terminal_open': {
        const { profile, cwd, name, workspace_id: workspaceId } = frame
        desk.open(
          {
            ...(profile !== undefined && { profile }),
            ...(cwd !== undefined && { cwd }),
            ...(name !== undefined && { name }),
            ...(workspaceId !== undefined && { workspaceId }),
          },
          this.#by,
        )
        return
      }

      case 'terminal_join':
        this.#joined.get(frame.terminal_id)?.dispose()
        this.#joined.set(
          frame.terminal_id,
          new ViewedTerminal(desk, desk.find(frame.terminal_id), this.#send, frame.cursor),
        )
        return
      case 'terminal_leave':
        this.#joined.get(frame.terminal_id)?.dispose()
        this.#joined.delete(frame.terminal_id)
        return
      case 'terminal_seen':
        this.#joined.get(frame.terminal_id)?.seen(frame.run_id, frame.up_to)
        return

      case 'terminal_input':
        desk.write(frame.terminal_id, Buffer.from(frame.data, 'base64'), this.#by)
        return
      case 'terminal_resize':
        desk.resize(frame.terminal_id, frame.cols, frame.rows)
        return
      case 'terminal_rename':
        desk.rename(frame.terminal_id, frame.name, this.#by)
        return

      case 'terminal_profile':
        return desk.setProfile(frame.terminal_id, frame.profile, this.#by)
      case 'terminal_restart':
        return desk.restart(frame.terminal_id, this.#by)
      case 'terminal_close':
        return desk.close(frame.terminal_id, this.#by)
    }
  }

  #complain(frame: TerminalCommand, cause: unknown): void {
    const problem = cause instanceof Error ? cause.message : String(cause)
    const terminal_id = 'terminal_id' in frame ? frame.terminal_id : null
    this.#send({ type: 'terminal_problem', terminal_id, problem })
  }

  #sendList(): void {
    const terminals = this.#desk.all()
    const now = JSON.stringify(terminals)
    if (now !== this.#sentList) this.#send({ type: 'terminals', terminals })
    this.#sentList = now
  }

  /** Never later than it happens: a run may be over soon, and what it printed is shown all the same. */
  #lookOn(): void {
    if (this.#joined.size === 0) return
    const terminals = this.#desk.all()
    for (const [id, joined] of this.#joined) {
      if (terminals.some(({ terminal_id }) => terminal_id === id)) joined.look()
      else {
        joined.dispose()
        this.#joined.delete(id)
        this.#sendList()
        this.#send({ type: 'terminal_left', terminal_id: id, why: 'the terminal was closed' })
      }
    }
  }
}

/** Looks on at one terminal, run by run. */
class ViewedTerminal implements Disposable {
  readonly #desk: TerminalActions
  readonly #terminal: Terminal
  readonly #send: (frame: ToPerson) => void
  #run: { readonly id: string; readonly follower: OutputFollower; readonly life: Disposables } | null = null
  #sent = 0
  #seen = 0
  #state = ''

  constructor(desk: TerminalActions, terminal: Terminal, send: (frame: ToPerson) => void, cursor: number | undefined) {
    this.#desk = desk
    this.#terminal = terminal
    this.#send = send
    this.look(cursor)
  }

  /** Whether another run is in it now, or the one in it has gone on. */
  look(cursor?: number): void {
    const view = this.#desk.runIn(this.#terminal)
    if (view === null) return
    const { id, command } = view.opened
    const now = view.status()
    const { outputBytes: output_bytes } = now
    const outcome = outcomeOf(now)
    const news = `${id} ${outcome.state}`
    const about = { terminal_id: this.#terminal.id, run_id: id }
    const sendRun = () => this.#send({ type: 'terminal_run', ...about, command, outcome, output_bytes })

    if (this.#run?.id !== id) {
      this.#run?.life.dispose()
      const { size } = view.source()
      const first = this.#run === null
      const from = Math.min(size, cursor ?? (first ? Math.max(0, size - SHOWN_AT_FIRST) : 0))
      sendRun()
      this.#state = news
      this.#sent = from
      this.#seen = from

      const life = new Disposables()
      const follower = life.add(
        new OutputFollower(view, from, ({ at, bytes }) => {
          this.#send({ type: 'terminal_output', ...about, at, data: bytes.toString('base64') })
          this.#sent = at + bytes.length
          return this.#sent - this.#seen < MOST_UNSEEN ? 'more' : 'wait'
        }),
      )
      life.add(view.watch(() => this.look()))
      this.#run = { id, follower, life }
    } else if (news !== this.#state) {
      this.#state = news
      sendRun()
    }
  }

  seen(runId: string, upTo: number): void {
    if (this.#run?.id !== runId) return
    this.#seen = Math.min(this.#sent, Math.max(this.#seen, upTo))
    if (this.#sent - this.#seen < MOST_UNSEEN) this.#run.follower.resume()
  }

  dispose(): void {
    this.#run?.life.dispose()
  }
}
