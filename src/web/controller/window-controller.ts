import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Choice } from '../../approving/choices.ts'
import type { FromWindow, ToWindow } from '../../contract/window/window-frames.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { PreferenceChanges } from '../../contract/window/window-preferences.ts'
import { HostRequests, type Reply, type Unnumbered } from '../feed/host-requests.ts'
import { type StreamListener, StreamListeners } from '../feed/stream-listeners.ts'
import {
  type Attention,
  attentionTo,
  isSettled,
  type Noticed,
  notice,
  type Press,
  type Readiness,
  readiness,
  SHORTEST_ARMING_MS,
} from '../state/attention.ts'
import { type Card, type Decision, type Draft, isOpen, yesOf } from '../state/card.ts'
import {
  cardOf,
  type LinkState,
  openCards,
  openState,
  reduce,
  type Showing,
  type WindowEvent,
  type WindowState,
} from '../state/window-state.ts'

export interface ControllerDeps {
  readonly now: () => number
  readonly wallNow: () => number
  readonly send: (frame: FromWindow) => boolean
  /** The person is typing somewhere: nothing may come to the front. */
  readonly busy: () => boolean
}

/** Stands for a question where several are declined at once. */
const BATCH = 'several'

/** Where everything meets: what the host says, what the person does, and what they see of it. */
export class WindowController {
  readonly #deps: ControllerDeps
  readonly #state = signal(openState())
  readonly #attention: Signal<Attention | null> = signal(null)
  readonly #ready: Signal<Readiness> = signal('hidden')
  readonly #batch = signal<readonly Card[] | null>(null)
  /** The terminal whose runs would end, while the person is asked whether they mean it. */
  readonly ending = signal<{ readonly terminalId: string; readonly and: 'close' | 'restart' } | null>(null)
  /** The list of keys is open. */
  readonly showsKeys = signal(false)
  readonly #settled = signal(false)
  readonly #requests: HostRequests
  readonly #streams = new StreamListeners()
  /** What the host was told of the card that is before the person. */
  readonly #said = new Set<string>()
  #press: Press | null = null
  /** When a letter was last typed that meant nothing here. */
  #strayAt = Number.NEGATIVE_INFINITY
  #arms: ReturnType<typeof setTimeout> | undefined

  constructor(deps: ControllerDeps) {
    this.#deps = deps
    this.#requests = new HostRequests(deps.send, () => this.say('bad', 'Not connected to the host.'))
  }

  get state(): ReadonlySignal<WindowState> {
    return this.#state
  }
  get attention(): ReadonlySignal<Attention | null> {
    return this.#attention
  }
  get ready(): ReadonlySignal<Readiness> {
    return this.#ready
  }

  /** Those that are being declined at once: that is what the person attends to then, and no card. */
  get batch(): ReadonlySignal<readonly Card[] | null> {
    return this.#batch
  }
  /** Those that are there now. What comes later was not meant. */
  openBatch(): void {
    this.#batch.value = openCards(this.#state.value).filter(({ phase }) => phase.at === 'open')
    this.#attend()
  }
  closeBatch(): void {
    this.#batch.value = null
    this.#attend()
  }

  /** No key for a while: a letter that opens something is meant for the card. */
  get settled(): ReadonlySignal<boolean> {
    return this.#settled
  }

  dispatch(event: WindowEvent): void {
    const before = this.#state.value
    const next = reduce(before, event)
    if (next === before) return
    this.#state.value = next
    this.#attend()
  }

  readonly receive = (frame: ToWindow): void => {
    const { now, wallNow, busy } = this.#deps
    if (frame.type === 'done' || frame.type === 'failed') this.#requests.reply(frame)
    if (this.#streams.take(frame)) return
    this.dispatch({ type: 'frame', frame, now: now(), wallNow: wallNow(), busy: busy() })
    if (frame.type === 'judged') this.notice({ type: 'changed' })
    if (frame.type === 'shown_heard') this.notice(frame)
    if (frame.type === 'question' && frame.revision && this.#attention.value?.askId === frame.ask_id) this.#readAnew()
    if (frame.type !== 'admitted') return
    // Another admission is another approver: the host has to hear again what is on the screen.
    this.#deps.send({ type: 'visibility', visible: document.visibilityState === 'visible' })
    this.#attention.value = null
    this.#attend()
    this.#streams.admitted()
  }

  /** What stands on the card has changed: it was not read yet. */
  #readAnew(): void {
    this.#attention.value = null
    this.#attend()
  }

  readonly link = (link: LinkState): void => {
    this.dispatch({ type: 'link', link })
    this.#arm()
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
    this.notice({ type: 'changed' })
  }

  notice(noticed: Noticed): void {
    if (noticed.type === 'page') {
      this.#deps.send({ type: 'visibility', visible: noticed.visible })
      this.#said.clear()
    }
    const attention = this.#attention.value
    // A card that can be seen behind the list of several is not what is read.
    if (!attention || (attention.askId === BATCH && noticed.type === 'viewed')) return
    this.#attention.value = notice(attention, noticed, this.#deps.now())
    this.#arm()
  }

  /** What a key or button that goes down now may decide. Null: nothing; there is no card, or no host to hear it. */
  press(now = this.#deps.now()): Press | null {
    const attention = this.#attention.value
    if (!attention || !this.#isConnected) return null
    const { armingMs } = this.#state.value
    const ready = readiness(attention, now, armingMs)
    const settled = isSettled(attention, now, armingMs) && ready !== 'hidden'
    return { askId: attention.askId, ready, settled, amidWords: now - this.#strayAt < SHORTEST_ARMING_MS }
  }

  /** A letter that meant nothing here: an Enter right behind it was not meant either. */
  stray(): void {
    this.#strayAt = this.#deps.now()
  }

  /** Kept from when a key or button goes down until it is up again. `at`: a page that is busy hears of it later. */
  keepPress(at: number): void {
    this.#press = this.press(at)
  }
  forgetPress(): void {
    this.#press = null
  }
  get lastPress(): Press | null {
    return this.#press
  }

  #attend(): void {
    const { showing } = this.#state.value
    const card = showing.view === 'card' ? cardOf(this.#state.value, showing.askId) : undefined
    const askId = this.#batch.value ? BATCH : card && isOpen(card) ? card.question.ask_id : null
    if (askId === (this.#attention.value?.askId ?? null)) return
    const visible = document.visibilityState === 'visible'
    const revision = card?.question.revision ?? 0
    this.#attention.value = askId === null ? null : attentionTo(askId, visible, this.#deps.now(), revision)
    this.#said.clear()
    this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#arms)
    const attention = this.#attention.value
    const press = this.press()
    this.#ready.value = press?.ready ?? 'hidden'
    this.#settled.value = press?.settled ?? false
    if (!attention || !press) return
    if (press.ready === 'armed') this.#attention.value = notice(attention, { type: 'armed' }, this.#deps.now())
    const { askId: ask_id, revision, height, seenAt, pageVisible } = attention
    if (height !== null && pageVisible) this.#sayOnce({ type: 'in_view', ask_id })
    if (seenAt !== null && pageVisible) this.#sayOnce({ type: 'shown', ask_id, revision })
    if (!this.#settled.value || this.#ready.value === 'arming') this.#arms = setTimeout(() => this.#arm(), 50)
  }

  #sayOnce(frame: Extract<FromWindow, { type: 'in_view' | 'shown' }>): void {
    if (!this.#said.has(frame.type) && this.#deps.send(frame)) this.#said.add(frame.type)
  }

  /** As the draft says, or as this choice does. */
  approve(card: Card, press: Press | null, choice: Choice | null = null): void {
    const { ask_id } = card.question
    const decision = yesOf(card, this.#state.value.graveText, choice)
    if (!this.#isConnected) this.#unheard()
    else if (press?.askId !== ask_id || press.ready !== 'armed') this.#tooFast(press?.ready ?? 'arming')
    else if (decision) this.#answer(card, decision)
  }

  decline(card: Card, press: Press | null): void {
    const { ask_id } = card.question
    if (!this.#isConnected) this.#unheard()
    else if (this.#meant(ask_id, press))
      this.#answer(card, { kind: 'decline', reason: card.draft.reason.trim() || null })
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
      for (const card of cards) this.#answer(card, { kind: 'decline', reason: reason.trim() || null })
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
    const askId = this.#attention.value?.askId ?? null
    return askId === BATCH ? null : askId
  }

  get #isConnected(): boolean {
    return this.#state.value.link.at === 'open'
  }

  #unheard(): void {
    this.say('bad', 'Not connected to the host: nothing was decided.', this.#attended)
  }

  #tooFast(ready: Readiness): void {
    const why = ready === 'unseen' ? 'Not all of it was on the screen yet.' : 'That was too fast to have been read.'
    this.say('plain', `${why} Nothing was decided.`, this.#attended)
  }

  say(tone: 'plain' | 'bad', text: string, askId: string | null = null): void {
    this.dispatch({ type: 'notice', tone, text, askId })
  }

  /** Asks the host to do something. What goes wrong is said in a notice. */
  ask(frame: Unnumbered): Promise<Reply | null> {
    return this.#requests.ask(frame)
  }

  readonly prefer = (changes: PreferenceChanges): void => void this.ask({ type: 'preferences_set', changes })

  nextId(): string {
    return this.#requests.nextId()
  }

  send(frame: FromWindow): boolean {
    return this.#deps.send(frame)
  }
}
