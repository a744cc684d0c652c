import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import type { Peer } from '../../base/process/peer-process.ts'
import { WINDOW_PROTOCOL_VERSION, WindowFrame } from '../../contract/window/window-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { ApproverSession } from '../approvers/session.ts'
import type { WebCodeEntrance } from './code-entrance.ts'
import type { FedWindow, WindowFeed } from './feed.ts'
import type { WebLink } from './link.ts'
import { receiveFromPage } from './page-frames.ts'
import type { PageCredential, ProofAttempt, WindowTickets } from './tickets.ts'
import type { Windows } from './windows.ts'

export interface WebConnectionDeps {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Journal
  readonly tickets: WindowTickets
  readonly windows: Windows
  readonly feed: WindowFeed
  readonly origin: string
  /** The page's end of the connection. */
  readonly peerPort: number
  /** Admits a page that has no ticket; null: no page without one is admitted. */
  readonly byCode: ((link: WebLink) => WebCodeEntrance) | null
  readonly alarm: (message: string) => void
  /** From here on it is an approver like any other; null: it was refused. */
  readonly admit: (link: Link) => ApproverSession | null
}

type State =
  | { readonly at: 'greeting' }
  | { readonly at: 'proving'; readonly credential: PageCredential; readonly attempt: ProofAttempt }
  | { readonly at: 'code'; readonly entrance: WebCodeEntrance }
  | { readonly at: 'admitted'; readonly receive: (frame: object) => void }
  | { readonly at: 'over' }

const ADMITTED_WITHIN_MS = 10_000
const UNKNOWN = 'This window was admitted by another host, or too long ago. Ask the host to open a new one.'
const TWICE = 'Two windows used the same ticket, so both were shut out. Ask the host to open a new one.'
const FOREIGN = 'This ticket was made for another browser. It is void now. Ask the host to open a new window.'

/** A page on the feed: the host proves itself, the page does, and then it is an approver with terminals. */
export class WebConnection implements Disposable {
  readonly #deps: WebConnectionDeps
  readonly #link: WebLink
  readonly #life = new Disposables()
  #state: State = { at: 'greeting' }

  constructor(deps: WebConnectionDeps, link: WebLink) {
    this.#deps = deps
    this.#link = link
    this.#life.add(
      deps.clock.after(ADMITTED_WITHIN_MS, () => {
        if (this.#state.at === 'greeting' || this.#state.at === 'proving') link.close('not proved in time')
      }),
    )
    link.onClose(() => this.dispose())
    link.onFrame(frame => this.#receive(frame))
  }

  dispose(): void {
    this.#state = { at: 'over' }
    this.#life.dispose()
  }

  #receive(raw: object): void {
    if (this.#state.at === 'admitted') {
      this.#state.receive(raw)
      return
    }
    if (this.#state.at === 'greeting' && (raw as { type?: unknown }).type === 'window_ask_code' && this.#deps.byCode)
      this.#state = { at: 'code', entrance: this.#life.add(this.#deps.byCode(this.#link)) }
    if (this.#state.at === 'code') {
      this.#state.entrance.receive(raw)
      return
    }
    const parsed = WindowFrame.safeParse(raw)
    const frame = parsed.success ? parsed.data : null
    if (this.#state.at === 'greeting' && frame?.type === 'window_hello') this.#challenge(frame)
    else if (this.#state.at === 'proving' && frame?.type === 'window_prove') this.#prove(frame.proof, this.#state)
    else this.#link.refuse('A window says hello first, and proves itself.')
  }

  #challenge(hello: Extract<WindowFrame, { type: 'window_hello' }>): void {
    const { tickets, origin, peerPort } = this.#deps
    const { credential, nonce } = hello
    const attempt = tickets.attempt(credential, nonce, { origin, peerPort })
    if (hello.protocol_version !== WINDOW_PROTOCOL_VERSION)
      this.#link.refuse(`The host speaks window protocol ${WINDOW_PROTOCOL_VERSION}. Load the page again.`)
    else if (attempt === null) this.#link.refuse(UNKNOWN)
    else {
      this.#state = { at: 'proving', credential, attempt }
      this.#link.send({ type: 'window_challenge', nonce: attempt.hostNonce, proof: attempt.hostProof })
    }
  }

  #prove(proof: string, { attempt, credential }: Extract<State, { at: 'proving' }>): void {
    const proved = attempt.prove(proof)
    switch (proved.kind) {
      case 'right':
        this.#admit(credential, proved.sessionSecret)
        return
      case 'wrong':
        this.#record({ name: 'window', why: 'wrong proof' })
        this.#link.refuse(UNKNOWN)
        return
      case 'twice':
        this.#record({ name: 'window', why: 'ticket used twice' })
        this.#shutOut(proved.sessionId)
        this.#link.refuse(TWICE)
        return
      case 'foreign':
        this.#record({ name: 'window', why: 'not the browser that the host started', process: proved.process })
        this.#foreign(proved.process)
        this.#link.refuse(FOREIGN)
    }
  }

  /** It had the secret all the same: something on this machine reads what is meant for the window. */
  #foreign(process: Peer['process']): void {
    const who = process ? `${process.program} (pid ${process.pid})` : 'a program that could not be seen'
    this.#deps.log.warn('a ticket was used by another program than the browser it was made for', { process })
    this.#deps.alarm(
      `Somebody on this machine tried to answer for you: ${who} came with the ticket of a window, but is not the browser that the host started. It was not admitted, and the ticket is void.`,
    )
  }

  /** One of the two is not the window we opened, and nobody can tell which. */
  #shutOut(sessionId: string | null): void {
    const { tickets, windows, log } = this.#deps
    log.warn('a ticket for the window was used twice; both windows were shut out')
    if (sessionId !== null) {
      tickets.end(sessionId)
      windows.find(sessionId)?.refuse(TWICE)
    }
    this.#deps.alarm(`${TWICE} Somebody on this machine tried to answer for you.`)
  }

  #admit(credential: PageCredential, secret: string): void {
    const { tickets, windows, feed } = this.#deps
    const link = this.#link
    if (credential.kind === 'session') windows.find(credential.id)?.close('the page came back')
    const session = this.#deps.admit(link)
    if (!session) return
    this.#life.add(session)

    // Its name as an approver is the name of its session, known before the page hears of it.
    const { id } = session
    tickets.begin({ id, secret, origin: this.#deps.origin, from: credential })
    let window: FedWindow | null = null
    this.#life.add(
      windows.add(id, {
        get visible() {
          return window?.visible ?? false
        },
        send: frame => void link.send(frame),
        refuse: reason => link.refuse(reason),
        close: reason => link.close(reason),
      }),
    )
    session.greet()
    feed.greet(link)
    session.begin()

    const fed = this.#life.add(feed.open(link, session.signature))
    window = fed
    this.#state = {
      at: 'admitted',
      receive: raw => {
        // It knows that it was admitted, so it has the new secret.
        if (credential.kind === 'session') tickets.end(credential.id)
        receiveFromPage(raw, { page: fed, session, refuse: reason => link.refuse(reason) })
        if ((raw as { type?: unknown }).type === 'detach') tickets.end(id)
      },
    }
  }

  #record(body: Record<string, unknown>): void {
    this.#deps.journal.append({ kind: 'approver_refused', requester: null, runId: null, body })
  }
}
