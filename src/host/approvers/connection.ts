import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import type { Peer } from '../../base/process/peer-process.ts'
import type { ApproverJoined, Surface } from '../../contract/wire/admission-frames.ts'
import {
  type AnswerFrame,
  APPROVER_PROTOCOL_VERSION,
  FromApprover,
  type ToApprover,
} from '../../contract/wire/approver-frames.ts'
import type { TerminalActions } from '../desk/terminal-actions.ts'
import { TerminalViewer } from '../desk/terminal-viewer.ts'
import { GRAVE_TEXT } from '../gate/ask-person.ts'
import { ApproverEntrance, type EntranceDeps } from './entrance.ts'
import { type FollowDeps, followQuestions } from './follow-questions.ts'
import type { ScreenEnv, Shown } from './shown.ts'

export interface ApproverDeps extends EntranceDeps, FollowDeps {
  readonly ids: Ids
  readonly desk: TerminalActions
  readonly heartbeatMs: number
  readonly armingMs: number
  readonly instanceId: string
  /** Opens the window where a person said, or says why not. */
  readonly showWindow: (screen: ScreenEnv) => Promise<Shown>
}

/** What only a person sends, by pressing something. */
const PRESSED: ReadonlySet<string> = new Set(['answer', 'judge', 'end_run', 'refuse_admission', 'use_screen'])

/** challenge: anybody who connects · own_terminal: the terminal this host was started in · ticket: a window the host opened. */
export type AdmissionPath =
  | { readonly kind: 'challenge'; readonly process: Peer['process'] }
  | { readonly kind: 'own_terminal' | 'ticket' }

/** Somebody who may answer: proves it first, then sees every open question and may answer each. */
export class ApproverConnection implements Disposable {
  readonly #deps: ApproverDeps
  readonly #link: Link
  readonly #admission: AdmissionPath
  readonly #life = new Disposables()
  readonly #entrance: ApproverEntrance
  /** A person may need a while for the passphrase, so signs of life are wanted from admission on. */
  #alive: { received(): void } = { received() {} }
  #name = 'approver'
  #surface: Surface = 'terminal'
  #viewer: TerminalViewer | null = null
  #id: string | null = null

  constructor(deps: ApproverDeps, link: Link, admission: AdmissionPath) {
    this.#deps = deps
    this.#link = link
    this.#admission = admission
    this.#entrance = this.#life.add(
      new ApproverEntrance(deps, {
        link,
        process: admission.kind === 'challenge' ? admission.process : null,
        send: frame => this.#send(frame),
        admit: how => this.#admit(how),
        refuse: reason => this.#refuse(reason),
      }),
    )
    link.onClose(() => this.dispose())
    link.onFrame(frame => this.#receive(frame))
  }

  dispose(): void {
    this.#life.dispose()
  }

  #receive(raw: object): void {
    this.#alive.received()
    const parsed = FromApprover.safeParse(raw)
    if (!parsed.success) {
      this.#refuse('The host does not know this frame.')
      return
    }

    const frame = parsed.data
    if (this.#id !== null && PRESSED.has(frame.type)) this.#deps.presence.pressed()
    switch (frame.type) {
      case 'attach':
        if (this.#id === null) this.#attach(frame)
        return
      case 'prove':
        if (this.#id === null) this.#entrance.prove(frame.signature, frame.seal_signature)
        return
      case 'ask_code':
        if (this.#id === null) this.#entrance.askCode(frame.opening)
        return
      case 'enter_code':
        if (this.#id === null) this.#entrance.enterCode(frame.secret)
        return

      case 'refuse_admission':
        if (this.#id !== null) this.#deps.admissions.refuse(frame.admission_id)
        return
      case 'in_view':
        if (this.#id !== null && this.#surface !== 'attach') this.#deps.queue.inView(frame.ask_id)
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
      case 'heartbeat':
        return

      default:
        // Everything else is about terminals, and nobody who is not admitted has a say there.
        if (this.#viewer) this.#viewer.receive(frame)
        else this.#refuse('Only an admitted approver may do that.')
    }
  }

  #attach(frame: Extract<FromApprover, { type: 'attach' }>): void {
    this.#name = frame.name
    this.#surface = frame.surface
    if (frame.protocol_version !== APPROVER_PROTOCOL_VERSION)
      this.#refuse(`The host speaks approver protocol ${APPROVER_PROTOCOL_VERSION}. Update the older one.`)
    else if (this.#admission.kind === 'challenge') this.#entrance.attach(frame)
    else this.#admit(this.#admission.kind)
  }

  #admit(how: ApproverJoined['how']): void {
    const { clock, ids, journal, admissions, heartbeatMs, armingMs, instanceId, log } = this.#deps
    const id = ids.make('apr')
    const { name, surface } = { name: this.#name, surface: this.#surface }
    try {
      const body = { approver_id: id, name, surface, admission: how }
      journal.append({ kind: 'approver_admitted', requester: null, runId: null, body })
    } catch (cause) {
      log.error('the journal cannot be written', { kind: 'approver_admitted', cause })
      this.#refuse('The host cannot write down that you were admitted, so you are not.')
      return
    }

    this.#id = id
    this.#entrance.dispose()
    this.#alive = this.#life.add(keepAlive(this.#link, { clock, intervalMs: heartbeatMs }))
    this.#send({
      type: 'admitted',
      protocol_version: APPROVER_PROTOCOL_VERSION,
      approver_id: id,
      instance_id: instanceId,
      heartbeat_interval_ms: heartbeatMs,
      grave_text: GRAVE_TEXT,
      arming_ms: armingMs,
    })

    // A window sees terminals in its own way (window/terminals.ts).
    if (how !== 'ticket')
      this.#viewer = this.#life.add(
        new TerminalViewer({ clock, desk: this.#deps.desk }, this.#signature(), frame => this.#send(frame)),
      )

    if (this.#surface === 'attach') return
    // The others are notified; this one from now on.
    admissions.notify({ type: 'approver_joined', name, surface, how })
    const approver = { id, name, surface, signature: this.#signature() }
    this.#life.add(followQuestions(this.#deps, approver, frame => this.#send(frame)))
  }

  #endRun({ requester, run_id }: Extract<FromApprover, { type: 'end_run' }>): void {
    if (this.#mayAnswer('Only an admitted approver ends what was left running.') === null) return
    this.#deps.left
      .end(requester, run_id, this.#signature())
      .catch((cause: unknown) => this.#deps.log.error('a run could not be ended', { run: run_id, cause }))
  }

  #judge(ask_id: string, command: string): void {
    const id = this.#mayAnswer('Only an admitted approver asks for a verdict.')
    if (id === null) return
    this.#carefully(ask_id, () => {
      const result = this.#deps.queue.judge(ask_id, command, id)
      if ('open' in result) this.#send({ type: 'answer_refused', ask_id, ...result })
      else this.#send({ type: 'judged', ask_id, command, ...result })
    })
  }

  #shown({ ask_id, revision = 0 }: Extract<FromApprover, { type: 'shown' }>): void {
    if (this.#id === null || this.#surface === 'attach') return
    if (this.#deps.queue.shown(ask_id, this.#id, revision)) this.#send({ type: 'shown_heard', ask_id, revision })
  }

  /** Whoever chooses the screen can press what is on it: only somebody who was admitted does, and never a window itself. */
  #useScreen(screen: ScreenEnv): void {
    if (this.#id === null || this.#admission.kind === 'ticket') {
      this.#refuse('Only an admitted approver in a terminal says where the window is shown.')
      return
    }
    const { log, showWindow } = this.#deps
    log.info('a person says where the window is shown', { by: this.#signature(), display: screen.DISPLAY ?? null })
    void showWindow(screen).then(({ shown, message }) => this.#send({ type: 'screen_used', shown, message }))
  }

  #answer(frame: AnswerFrame): void {
    const { ask_id } = frame
    const id = this.#mayAnswer('Only an admitted approver answers.')
    if (id === null) return
    this.#carefully(ask_id, () => {
      const result = this.#deps.queue.answer(frame, { id, name: this.#signature() })
      if ('problem' in result) this.#send({ type: 'answer_refused', ask_id, ...result })
    })
  }

  /** The id of an admitted approver who sees questions; null: it is none, and was refused. */
  #mayAnswer(refusal: string): string | null {
    if (this.#id !== null && this.#surface !== 'attach') return this.#id
    this.#refuse(refusal)
    return null
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

  /** Under which name an answer is written down: two approvers may call themselves the same. */
  #signature(): string {
    return `${this.#name} (${this.#id})`
  }

  #refuse(reason: string): void {
    this.#send({ type: 'refused', reason })
    this.#link.close(reason)
  }

  #send(frame: ToApprover): void {
    if (this.#link.open) this.#link.send(frame)
  }
}
