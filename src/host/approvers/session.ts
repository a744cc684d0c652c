import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { ApproverJoined } from '../../contract/wire/admission-frames.ts'
import {
  type AnswerFrame,
  APPROVER_PROTOCOL_VERSION,
  FromApprover,
  type ToApprover,
} from '../../contract/wire/approver-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { TerminalViewer, type ViewerDeps } from '../desk/terminal-viewer.ts'
import { GRAVE_TEXT } from '../gate/ask-person.ts'
import { type FollowDeps, followQuestions } from './follow-questions.ts'
import type { ScreenEnv, Shown } from './shown.ts'

export interface SessionDeps extends FollowDeps, ViewerDeps {
  readonly log: Log
  readonly journal: Journal
  readonly ids: Ids
  readonly heartbeatMs: number
  readonly armingMs: number
  readonly instanceId: string
  /** Opens the window where a person said, or says why not. */
  readonly showWindow: (screen: ScreenEnv) => Promise<Shown>
}

export type AdmittedApprover = Pick<ApproverJoined, 'name' | 'surface' | 'how'>

/** What only a person sends, by pressing something. */
const PRESSED: ReadonlySet<string> = new Set(['answer', 'judge', 'end_run', 'refuse_admission', 'use_screen'])

/** An approver that was admitted, however: sees every open question and may answer each. Its frames are handed to it. */
export class ApproverSession implements Disposable {
  readonly id: string
  readonly #deps: SessionDeps
  readonly #link: Link
  readonly #who: AdmittedApprover
  readonly #life = new Disposables()
  readonly #alive: { received(): void }
  #viewer: TerminalViewer | null = null
  #questions: Disposable = { dispose() {} }

  /** null: that it was admitted cannot be written down, so it is refused. */
  static admit(deps: SessionDeps, link: Link, who: AdmittedApprover): ApproverSession | null {
    const id = deps.ids.make('apr')
    const { name, surface, how: admission } = who
    try {
      const body = { approver_id: id, name, surface, admission }
      deps.journal.append({ kind: 'approver_admitted', requester: null, runId: null, body })
      return new ApproverSession(deps, link, who, id)
    } catch (cause) {
      deps.log.error('the journal cannot be written', { kind: 'approver_admitted', cause })
      refuse(link, 'The host cannot write down that you were admitted, so you are not.')
      return null
    }
  }

  private constructor(deps: SessionDeps, link: Link, who: AdmittedApprover, id: string) {
    this.#deps = deps
    this.#link = link
    this.#who = who
    this.id = id
    this.#alive = this.#life.add(keepAlive(link, { clock: deps.clock, intervalMs: deps.heartbeatMs }))
  }

  /** Under which name an answer is written down: two approvers may call themselves the same. */
  get signature(): string {
    return `${this.#who.name} (${this.id})`
  }

  /** What it is sent first. */
  greet(): void {
    const { heartbeatMs, armingMs, instanceId } = this.#deps
    this.#send({
      type: 'admitted',
      protocol_version: APPROVER_PROTOCOL_VERSION,
      approver_id: this.id,
      instance_id: instanceId,
      heartbeat_interval_ms: heartbeatMs,
      grave_text: GRAVE_TEXT,
      arming_ms: armingMs,
    })
  }

  /** From now on it is sent every question, and counts as present. */
  begin(): void {
    const { admissions, presence } = this.#deps

    // A page has one of its own (window/feed.ts).
    if (!this.#hasPage) this.#viewer = this.#life.add(this.#openViewer())

    if (this.#who.surface === 'attach') return
    // The others are notified; this one from now on.
    admissions.notify({ type: 'approver_joined', ...this.#who })
    presence.add(this.id, this.#who.name)
    this.#life.defer(() => presence.remove(this.id))
    this.#life.defer(() => this.#questions.dispose())
    this.follow()
  }

  /** Once more from the beginning: a page that has just been opened knows of no question yet. */
  follow(): void {
    this.#questions.dispose()
    const { signature } = this
    this.#questions = followQuestions(this.#deps, { signature, ...this.#who }, frame => this.#send(frame))
  }

  dispose(): void {
    this.#life.dispose()
  }

  receive(raw: object): void {
    this.#alive.received()
    const parsed = FromApprover.safeParse(raw)
    if (!parsed.success) {
      refuse(this.#link, UNKNOWN_FRAME)
      return
    }

    const frame = parsed.data
    if (PRESSED.has(frame.type)) this.#deps.presence.pressed()
    switch (frame.type) {
      // Those were said, and answered, before it was admitted.
      case 'attach':
      case 'prove':
      case 'ask_code':
      case 'enter_code':
      case 'heartbeat':
        return
      // Only an editor's panel has a page, and its holder has taken these.
      case 'page_opened':
      case 'page_closed':
        refuse(this.#link, NOT_ADMITTED)
        return

      case 'refuse_admission':
        this.#deps.admissions.refuse(frame.admission_id)
        return
      case 'in_view':
        if (this.#seesQuestions) this.#deps.queue.inView(frame.ask_id)
        return
      case 'shown':
        this.#shown(frame)
        return
      case 'judge':
        this.#judge(frame.ask_id, frame.command)
        return
      case 'answer':
        this.#answer(frame)
        return

      case 'end_run':
        this.#endRun(frame)
        return
      case 'use_screen':
        this.#useScreen(frame.env)
        return
      case 'detach':
        this.#link.close('detached')
        return

      default:
        // Everything else is about terminals.
        if (this.#viewer) this.#viewer.receive(frame)
        else refuse(this.#link, NOT_ADMITTED)
    }
  }

  #openViewer(): TerminalViewer {
    const link = this.#link
    const to = {
      get open() {
        return link.open
      },
      mostUndrawn: 256 * 1024,
      send: (frame: ToApprover) => this.#send(frame),
      sendOutput: ({ stream, offset, bytes }: OutputPiece) =>
        this.#send({ type: 'terminal_output', stream, offset, data: Buffer.from(bytes).toString('base64') }),
    }
    return new TerminalViewer(this.#deps, to, this.signature)
  }

  /** A window, or the panel of an editor: what it does beyond answering goes through window/feed.ts. */
  get #hasPage(): boolean {
    return this.#who.how === 'ticket' || this.#who.surface === 'vscode'
  }

  get #seesQuestions(): boolean {
    return this.#who.surface !== 'attach'
  }

  #endRun({ requester, run_id }: Extract<FromApprover, { type: 'end_run' }>): void {
    if (!this.#mayAnswer()) return
    this.#deps.left
      .end(requester, run_id, this.signature)
      .catch((cause: unknown) => this.#deps.log.error('a run could not be ended', { run: run_id, cause }))
  }

  #judge(ask_id: string, command: string): void {
    if (!this.#mayAnswer()) return
    this.#carefully(ask_id, () => {
      const result = this.#deps.queue.judge(ask_id, command, this.id)
      if ('open' in result) this.#send({ type: 'answer_refused', ask_id, ...result })
      else {
        this.#send({ type: 'judged', ask_id, command, ...result })
        if (result.plan_hash !== null) this.#deps.previews.edited(ask_id, command, preview => this.#send(preview))
      }
    })
  }

  #shown({ ask_id, revision = 0 }: Extract<FromApprover, { type: 'shown' }>): void {
    if (this.#seesQuestions && this.#deps.queue.shown(ask_id, this.id, revision))
      this.#send({ type: 'shown_heard', ask_id, revision })
  }

  /** Whoever chooses the screen can press what is on it: never a window itself. */
  #useScreen(screen: ScreenEnv): void {
    if (this.#hasPage) {
      refuse(this.#link, 'Only an admitted approver in a terminal says where the window is shown.')
      return
    }
    const { log, showWindow } = this.#deps
    log.info('a person says where the window is shown', { by: this.signature, display: screen.DISPLAY ?? null })
    void showWindow(screen).then(({ shown, message }) => this.#send({ type: 'screen_used', shown, message }))
  }

  #answer(frame: AnswerFrame): void {
    if (!this.#mayAnswer()) return
    const { ask_id } = frame
    this.#carefully(ask_id, () => {
      const result = this.#deps.queue.answer(frame, { id: this.id, name: this.signature, surface: this.#who.surface })
      if ('problem' in result) this.#send({ type: 'answer_refused', ask_id, ...result })
    })
  }

  /** Whoever was shown no question has no say about any: it is refused. */
  #mayAnswer(): boolean {
    if (!this.#seesQuestions) refuse(this.#link, NOT_ADMITTED)
    return this.#seesQuestions
  }

  /** A verdict that cannot be had is no answer; the question stays, and the host does, too. */
  #carefully(ask_id: string, act: () => void): void {
    try {
      act()
    } catch (cause) {
      this.#deps.log.error('an answer could not be looked at', { ask_id, cause })
      this.#send({ type: 'answer_refused', ask_id, problem: 'The host failed; its log says why.', open: true })
    }
  }

  #send(frame: ToApprover): void {
    if (this.#link.open) this.#link.send(frame)
  }
}

export const NOT_ADMITTED = 'Only an admitted approver may do that.'
export const UNKNOWN_FRAME = 'The host does not know this frame.'

export function refuse(link: Link, reason: string): void {
  if (link.open) link.send({ type: 'refused', reason })
  link.close(reason)
}
