import { type ReadonlySignal, signal } from '@preact/signals'
import { TOO_FAST, UNSEEN } from '../../approving/arming.ts'
import { type Choice, isSpelledOut } from '../../approving/choices.ts'
import { type Decision, declineWith } from '../../approving/decision.ts'
import type { SavedCommand } from '../../contract/disk/saved-commands.ts'
import type { FromWindow, ToWindow } from '../../contract/window/window-frames.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { PreferenceChanges } from '../../contract/window/window-preferences.ts'
import { HostRequests, type Reply, type Unnumbered } from '../feed/host-requests.ts'
import { type StreamListener, StreamListeners } from '../feed/stream-listeners.ts'
import type { Press, Readiness } from '../state/attention.ts'
import { type Card, type Draft, isOpen, noOf, yesOf } from '../state/card.ts'
import {
  cardOf,
  type LinkState,
  openCards,
  openState,
  type Showing,
  type WindowEvent,
  type WindowState,
} from '../state/window-model.ts'
import { reduce } from '../state/window-state.ts'
import { AttentionWatch, BATCH } from './attention-watch.ts'

export interface ControllerDeps {
  readonly now: () => number
  readonly wallNow: () => number
  readonly send: (frame: FromWindow) => boolean
  /** The person is typing somewhere: nothing may come to the front. */
  readonly busy: () => boolean
  /** Whether a person can see this page now. */
  readonly isVisible: () => boolean
  readonly place: PagePlace
}

/** Where this page is. In an editor some things are done by the editor. */
export type PagePlace =
  | { readonly kind: 'window' }
  | {
      readonly kind: 'editor'
      openLink(url: string): void
      save(file: { readonly name: string; readonly text: string }): void
    }

/** A terminal with all that is in it, or one command of it. */
export type WouldEnd =
  | { readonly terminalId: string; readonly and: 'close' }
  | { readonly terminalId: string; readonly and: 'stop'; readonly runId: string; readonly line: string }

/** What is to be saved, and for which project if that is known; `saved`: the one that it is to replace. */
export interface Saving {
  readonly saved: SavedCommand | null
  readonly command: string
  readonly workspaceId: string | null
}

/** Where everything meets: what the host says, what the person does, and what they see of it. */
export class WindowController {
  readonly #deps: ControllerDeps
  readonly #state = signal(openState())
  readonly watch: AttentionWatch
  readonly #batch = signal<readonly Card[] | null>(null)
  /** What would end, while the person is asked whether they mean it. */
  readonly ending = signal<WouldEnd | null>(null)
  /** A shell is being chosen: a new one, or one instead of what is in a terminal. */
  readonly choosingShell = signal<{ readonly instead: string | null } | null>(null)
  /** A command is being saved for a project. */
  readonly saving = signal<Saving | null>(null)
  /** The list of keys is open. */
  readonly showsKeys = signal(false)
  /** The question that was last said to be waiting still. */
  readonly reminded = signal<Extract<ToWindow, { type: 'reminder' }> | null>(null)
  readonly #requests: HostRequests
  readonly #streams = new StreamListeners()

  constructor(deps: ControllerDeps) {
    this.#deps = deps
    this.watch = new AttentionWatch({
      now: deps.now,
      send: deps.send,
      current: () => this.#current(),
      armingMs: () => this.#state.value.armingMs,
      isConnected: () => this.#isConnected,
      isVisible: deps.isVisible,
    })
    this.#requests = new HostRequests(deps.send, () => this.say('bad', 'Not connected to the host.'))
  }

  get place(): PagePlace {
    return this.#deps.place
  }
  get isVisible(): boolean {
    return this.#deps.isVisible()
  }

  get state(): ReadonlySignal<WindowState> {
    return this.#state
  }

  /** Those that are being declined at once: that is what the person attends to then, and no card. */
  get batch(): ReadonlySignal<readonly Card[] | null> {
    return this.#batch
  }
  /** Those that are there now. What comes later was not meant. */
  openBatch(): void {
    this.#batch.value = openCards(this.#state.value).filter(({ phase }) => phase.at === 'open')
    this.watch.attend()
  }
  closeBatch(): void {
    this.#batch.value = null
    this.watch.attend()
  }

  dispatch(event: WindowEvent): void {
    const before = this.#state.value
    const next = reduce(before, event)
    if (next === before) return
    this.#state.value = next
    this.watch.attend()
  }

  readonly receive = (frame: ToWindow): void => {
    const { now, wallNow, busy } = this.#deps
    if ('request_id' in frame) this.#requests.reply(frame)
    if (this.#streams.take(frame)) return
    this.dispatch({ type: 'frame', frame, now: now(), wallNow: wallNow(), busy: busy() })
    if (frame.type === 'reminder') this.reminded.value = frame
    if (frame.type === 'judged') this.watch.notice({ type: 'changed' })
    if (frame.type === 'shown_heard') this.watch.notice(frame)
    if (frame.type === 'question' && frame.revision && this.watch.attention.value?.askId === frame.ask_id)
      this.watch.readAnew()
    if (frame.type !== 'admitted') return
    this.#requests.forget()
    // Another admission is another approver: the host has to hear again what is on the screen.
    this.#deps.send({ type: 'visibility', visible: this.isVisible })
    this.watch.readAnew()
    this.#streams.admitted()
  }

  readonly link = (link: LinkState): void => {
    this.dispatch({ type: 'link', link })
    this.watch.arm()
  }

  readonly output = (piece: OutputPiece): void => {
    this.#streams.output(piece)
  }

  listen(listener: StreamListener): () => void {
    return this.#streams.listen(listener)
  }

  show(showing: Showing): void {
    this.dispatch({ type: 'show', showing })
  }

  draft(askId: string, change: Partial<Draft>): void {
    this.dispatch({ type: 'draft', askId, change })
    this.watch.notice({ type: 'changed' })
  }

  /** What is before the person: several at once, or the card that is shown and open. */
  #current(): { readonly askId: string; readonly revision: number } | null {
    const { showing } = this.#state.value
    const card = showing.view === 'card' ? cardOf(this.#state.value, showing.askId) : undefined
    const revision = card?.question.revision ?? 0
    if (this.#batch.value) return { askId: BATCH, revision }
    return card && isOpen(card) ? { askId: card.question.ask_id, revision } : null
  }

  /** As the draft says, or as this choice does. */
  approve(card: Card, press: Press | null, choice: Choice | null = null): void {
    const { ask_id } = card.question
    const decision = yesOf(card, this.#state.value.graveText, choice)
    if (!this.#isConnected) this.#unheard()
    else if (press?.askId !== ask_id || press.ready !== 'armed') this.#tooFast(press?.ready ?? 'arming')
    else if (decision) this.#answer(card, decision)
  }

  /** Approves as this choice says. One that allows more than its words can name shows its rules first. */
  give(card: Card, choice: Choice, press: Press | null): void {
    const { question } = card
    if (question.kind !== 'command' || isSpelledOut(question, choice)) this.approve(card, press, choice)
    else this.draft(question.ask_id, { panel: 'scope', choice: choice.id, rules: choice.rules })
  }

  decline(card: Card, press: Press | null): void {
    const { ask_id } = card.question
    if (!this.#isConnected) this.#unheard()
    else if (this.#meant(ask_id, press)) this.#answer(card, noOf(card))
  }

  /** A no counts at once, if it was begun on this very question and not in the middle of words for something else. */
  #meant(askId: string, press: Press | null): boolean {
    if (press?.askId !== askId) return false
    if (press.amidWords) this.say('plain', 'That came in the middle of typing: nothing was declined.', this.#attended)
    return !press.amidWords
  }

  /** A no to several at once: it starts nothing, so none of them has to be read first. */
  declineAll(cards: readonly Card[], reason: string, press: Press | null): boolean {
    if (!this.#isConnected) this.#unheard()
    else if (this.#meant(BATCH, press)) {
      for (const card of cards) this.#answer(card, declineWith(reason))
      return true
    }
    return false
  }

  #answer(card: Card, decision: Decision): void {
    if (card.phase.at !== 'open') return
    const { ask_id, plan_hash } = card.question
    if (this.#deps.send({ type: 'answer', ask_id, plan_hash, decision }))
      this.dispatch({ type: 'sent', askId: ask_id, decision })
    else this.#unheard()
  }

  /** The question that is answered here, and none while several are declined at once. */
  get #attended(): string | null {
    const askId = this.watch.attention.value?.askId ?? null
    return askId === BATCH ? null : askId
  }

  get #isConnected(): boolean {
    return this.#state.value.link.at === 'open'
  }

  #unheard(): void {
    this.say('bad', 'Not connected to the host: nothing was decided.', this.#attended)
  }

  #tooFast(ready: Readiness): void {
    this.say('plain', ready === 'unseen' ? UNSEEN : TOO_FAST, this.#attended)
  }

  say(tone: 'plain' | 'bad', text: string, askId: string | null = null): void {
    this.dispatch({ type: 'notice', tone, text, askId })
  }

  /** Asks the host to do something. What goes wrong is said in a notice. */
  ask(frame: Unnumbered): Promise<Reply | null> {
    return this.#requests.ask(frame)
  }

  /** Asks the host for something and gives its answer; null: it failed (said in a notice), or there is no host. */
  async query<Type extends Reply['type']>(
    frame: Unnumbered,
    type: Type,
  ): Promise<Extract<Reply, { type: Type }> | null> {
    const reply = await this.#requests.ask(frame)
    return reply?.type === type ? (reply as Extract<Reply, { type: Type }>) : null
  }

  readonly prefer = (changes: PreferenceChanges): void => void this.ask({ type: 'preferences_set', changes })

  nextId(): string {
    return this.#requests.nextId()
  }

  send(frame: FromWindow): boolean {
    return this.#deps.send(frame)
  }
}
