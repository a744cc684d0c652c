import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { PtyHealth, PtySuccession } from '../../base/process/pty.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { type FirstRun, type HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import { FROM_PERSON, type TerminalCommand } from '../../contract/wire/terminal-frames.ts'
import type { SessionSeal } from '../../runs/journal/decisions-seal.ts'
import { unlockWith } from '../approvers/predecessor.ts'
import { protectionOn } from '../approvers/protection.ts'
import type { ApproverRecordFile } from '../approvers/record.ts'
import { ptyHostHealth } from '../clients/host-status.ts'
import type { PairedClients } from '../clients/paired-clients.ts'
import type { ClientSessions } from '../clients/sessions.ts'
import type { OutputSink } from '../desk/output-stream.ts'
import { TerminalViewer, type ViewerDeps } from '../desk/terminal-viewer.ts'
import type { HostTimes } from '../host-times.ts'
import { done, failed, type HostPage, soon } from '../pages/page.ts'
import type { PreferencesFile } from './preferences-file.ts'
import type { Windows } from './windows.ts'

export interface WindowFeedDeps {
  readonly terminals: ViewerDeps
  readonly ptyHealth: PtyHealth
  readonly windows: Windows
  readonly pages: readonly HostPage[]
  readonly sessions: ClientSessions
  readonly paired: PairedClients
  readonly preferences: PreferencesFile
  readonly times: Pick<HostTimes, 'inForce'>
  readonly version: string
  readonly instanceId: string
  readonly platform: NodeJS.Platform
  readonly inContainer: boolean
  readonly passphrase: Pick<ApproverRecordFile, 'isSet' | 'current' | 'set' | 'signed'>
  readonly succession: PtySuccession | null
  readonly seal: Pick<SessionSeal, 'isFor'>
  readonly firstRun: Pick<FirstRun, 'entries'>
  /** Sends the harmless command as a client would. */
  readonly demo: () => Promise<void>
}

/** Where the page is: behind a WebSocket, or in an editor's panel. */
export interface PageSink extends OutputSink {
  send(frame: HostToWindow): void
}

/** A window that was admitted, as far as it is more than an approver. */
export interface FedWindow extends Disposable {
  /** Whether the person could see the page just now. */
  readonly visible: boolean
  /** False: no frame that we know. */
  receive(raw: object): boolean
}

/** Harmless, short, and nothing a default rule allows: it needs approval. */
export const DEMO_COMMAND = '/bin/echo "Hello from your agent"'
export const DEMO_CONTEXT = 'You asked to see how this works. Nothing on your machine is changed.'

/** What each window is sent beyond the questions: lists, sent whole, whenever something in them changes. */
export class WindowFeed {
  readonly #deps: WindowFeedDeps

  constructor(deps: WindowFeedDeps) {
    this.#deps = deps
  }

  /** Before the questions: how they are announced depends on it. */
  greet(link: PageSink): void {
    link.send({ type: 'preferences', ...this.#deps.preferences.now, times: this.#deps.times.inForce() })
  }

  /** `by`: under which name is written down what the person does here. */
  open(link: PageSink, by: string): FedWindow {
    const { windows, sessions, paired, firstRun, preferences } = this.#deps
    const life = new Disposables()
    const send = (frame: HostToWindow) => void link.send(frame)

    const status = soon(() => send(this.#status()))
    const pairedNow = soon(() => send({ type: 'paired', items: paired.list() }))

    life.add(windows.watch(status))
    life.add(sessions.watch(status))
    life.add(paired.watch(pairedNow))
    life.add(this.#deps.ptyHealth.watch(status))
    // Whoever made the change has it already: hearing it again, late, would undo a second one.
    life.add(preferences.watch(changer => void (changer !== link && this.greet(link))))

    let visible = false
    send({ type: 'first_run', entries: firstRun.entries, demo_command: DEMO_COMMAND })
    send(this.#status())
    send({ type: 'paired', items: paired.list() })

    const pages = this.#deps.pages.map(page => life.add(page.open({ by, send })))
    const terminals = life.add(new TerminalViewer(this.#deps.terminals, link, by))

    return {
      get visible() {
        return visible
      },
      dispose: () => life.dispose(),
      receive: raw => {
        const parsed = WindowFrame.safeParse(raw)
        if (!parsed.success) return false

        const frame = parsed.data
        switch (frame.type) {
          case 'visibility':
            visible = frame.visible
            return true
          case 'cut_off':
          case 'demo':
            void this.#answer(frame, by, send)
            return true

          case 'passphrase_set':
            this.#setPassphrase(frame, by, send)
            return true
          case 'terminals_unlock':
            this.#unlock(frame, send)
            return true
          case 'preferences_set':
            this.#prefer(frame, link, send)
            return true

          // Those were said, and answered, before it was admitted.
          case 'window_hello':
          case 'window_prove':
            return false
          default:
            if (isTerminalCommand(frame)) terminals.receive(frame)
            else return pages.some(page => page.receive(frame))
            return true
        }
      },
    }
  }

  async #answer(
    frame: Extract<WindowFrame, { type: 'cut_off' | 'demo' }>,
    by: string,
    send: (frame: HostToWindow) => void,
  ): Promise<void> {
    switch (frame.type) {
      case 'cut_off':
        try {
          this.#deps.paired.cutOff(frame.name, by)
          send(done(frame.request_id))
        } catch (cause) {
          if (cause instanceof TermError) send(failed(frame.request_id, cause.code, cause.message))
          else
            send(
              failed(frame.request_id, 'PM_TERM_INTERNAL', `${frame.name} is not cut off: ${(cause as Error).message}`),
            )
        }
        return
      case 'demo':
        await this.#deps.demo().then(
          () => send(done(frame.request_id)),
          (cause: Error) => send(failed(frame.request_id, 'PM_TERM_INTERNAL', cause.message)),
        )
        return
    }
  }

  #prefer(
    { changes, request_id }: Extract<WindowFrame, { type: 'preferences_set' }>,
    by: PageSink,
    send: (frame: HostToWindow) => void,
  ): void {
    try {
      this.#deps.preferences.change(changes, by)
      send(done(request_id))
    } catch (cause) {
      const { message } = cause as Error
      send(failed(request_id, 'PM_TERM_INTERNAL', `This is kept only until the host ends: ${message}`))
    }
  }

  #setPassphrase(
    { passphrase, request_id }: Extract<WindowFrame, { type: 'passphrase_set' }>,
    by: string,
    send: (frame: HostToWindow) => void,
  ): void {
    try {
      this.#deps.passphrase.set(passphrase, by)
      send(done(request_id))
      this.#deps.windows.sendAll(this.#status())
    } catch (cause) {
      send(failed(request_id, 'PM_TERM_INTERNAL', `The passphrase is not set: ${(cause as Error).message}`))
    }
  }

  #unlock(
    { passphrase, request_id }: Extract<WindowFrame, { type: 'terminals_unlock' }>,
    send: (frame: HostToWindow) => void,
  ): void {
    const { passphrase: record, succession, windows } = this.#deps
    if (!unlockWith(passphrase, record, succession)) {
      send(failed(request_id, 'PM_TERM_APPROVAL_REQUIRED', 'That was not the passphrase.'))
      return
    }
    send(done(request_id))
    windows.sendAll(this.#status())
  }

  #status(): HostToWindow {
    const { version, instanceId, platform, inContainer, sessions, windows } = this.#deps
    const protection = protectionOn(platform, inContainer)
    return {
      type: 'host_status',
      version,
      instance_id: instanceId,
      in_container: inContainer,
      pty_host: ptyHostHealth(this.#deps.ptyHealth.now()),
      protection: { ...protection, not_stopped: [...protection.not_stopped] },
      clients: sessions.clients(),
      windows: windows.count,
      passphrase: this.#deps.passphrase.isSet,
      locked: this.#deps.succession?.locked != null,
      unsealed: this.#deps.passphrase.isSet && !this.#deps.seal.isFor(this.#deps.passphrase.current),
    }
  }
}

const TERMINAL_COMMANDS = new Set<string>(FROM_PERSON.map(({ shape }) => shape.type.value))
const isTerminalCommand = (frame: WindowFrame): frame is TerminalCommand => TERMINAL_COMMANDS.has(frame.type)
