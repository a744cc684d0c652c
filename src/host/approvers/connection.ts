import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import type { Peer } from '../../base/process/peer-process.ts'
import type { ApproverJoined } from '../../contract/wire/admission-frames.ts'
import { APPROVER_PROTOCOL_VERSION, FromApprover } from '../../contract/wire/approver-frames.ts'
import { ApproverEntrance, type EntranceDeps } from './entrance.ts'
import { ApproverSession, NOT_ADMITTED, refuse, type SessionDeps, UNKNOWN_FRAME } from './session.ts'

export interface ApproverDeps extends EntranceDeps, SessionDeps {}

/** The session of an editor's panel, and the page that comes and goes in it. */
export interface PanelHolder extends Disposable {
  receive(raw: object): void
}

/** challenge: anybody who connects · own_terminal: the terminal this host was started in. */
export type AdmissionPath =
  | {
      readonly kind: 'challenge'
      readonly process: Peer['process']
      /** None where no editor calls: at the terminal of the host itself. */
      readonly openPanel?: (link: Link, session: ApproverSession) => PanelHolder
    }
  | { readonly kind: 'own_terminal' }

/** An approver in a terminal: proves first that a person is there. What it may do then is its session's. */
export class ApproverConnection implements Disposable {
  readonly #deps: ApproverDeps
  readonly #link: Link
  readonly #admission: AdmissionPath
  readonly #life = new Disposables()
  readonly #entrance: ApproverEntrance
  #who: Pick<ApproverJoined, 'name' | 'surface'> = { name: 'approver', surface: 'terminal' }
  #receiver: { receive(frame: object): void } | null = null

  constructor(deps: ApproverDeps, link: Link, admission: AdmissionPath) {
    this.#deps = deps
    this.#link = link
    this.#admission = admission
    this.#entrance = this.#life.add(
      new ApproverEntrance(deps, {
        link,
        process: admission.kind === 'challenge' ? admission.process : null,
        send: frame => void (link.open && link.send(frame)),
        admit: how => this.#admit(how),
        refuse: reason => refuse(link, reason),
      }),
    )
    link.onClose(() => this.dispose())
    link.onFrame(frame => (this.#receiver ? this.#receiver.receive(frame) : this.#receive(frame)))
  }

  dispose(): void {
    this.#life.dispose()
  }

  #receive(raw: object): void {
    const parsed = FromApprover.safeParse(raw)
    if (!parsed.success) {
      refuse(this.#link, UNKNOWN_FRAME)
      return
    }

    const frame = parsed.data
    switch (frame.type) {
      case 'attach':
        this.#attach(frame)
        return
      case 'prove':
        this.#entrance.prove(frame.signature, frame.seal_signature)
        return
      case 'ask_code':
        this.#entrance.askCode(frame.opening)
        return
      case 'enter_code':
        this.#entrance.enterCode(frame.secret)
        return

      case 'detach':
        this.#link.close('detached')
        return
      // A person may need a while for the passphrase: signs of life are wanted from admission on.
      case 'heartbeat':
      case 'refuse_admission':
      case 'in_view':
      case 'shown':
        return

      default:
        refuse(this.#link, NOT_ADMITTED)
    }
  }

  #attach(frame: Extract<FromApprover, { type: 'attach' }>): void {
    this.#who = { name: frame.name, surface: frame.surface }
    if (frame.protocol_version !== APPROVER_PROTOCOL_VERSION)
      refuse(this.#link, `The host speaks approver protocol ${APPROVER_PROTOCOL_VERSION}. Update the older one.`)
    else if (this.#admission.kind === 'challenge') this.#entrance.attach(frame)
    else this.#admit('own_terminal')
  }

  #admit(how: ApproverJoined['how']): void {
    const session = ApproverSession.admit(this.#deps, this.#link, { ...this.#who, how })
    if (!session) return
    this.#entrance.dispose()
    this.#life.add(session)
    this.#receiver = this.#openPanel(session) ?? session
    session.greet()
    session.begin()
  }

  #openPanel(session: ApproverSession): PanelHolder | null {
    if (this.#admission.kind !== 'challenge' || this.#who.surface !== 'vscode') return null
    const panel = this.#admission.openPanel?.(this.#link, session)
    return panel ? this.#life.add(panel) : null
  }
}
