import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { FromWindow, ToWindow } from '../contract/window-frames.ts'
import type { OutputPiece } from '../contract/window-output.ts'
import {
  type Attention,
  attentionTo,
  isSettled,
  type Noticed,
  notice,
  type Readiness,
  readiness,
} from './state/attention.ts'
import { type Card, type Decision, type Draft, isOpen, yesOf } from './state/card.ts'
import {
  cardOf,
  type LinkState,
  openCards,
  openState,
  reduce,
  type Showing,
  type WindowEvent,
  type WindowState,
} from './state/window-state.ts'

export interface DeskDeps {
  readonly now: () => number
  readonly wallNow: () => number
  readonly send: (frame: FromWindow) => boolean
  /** The person is typing somewhere: nothing may come to the front. */
  readonly busy: () => boolean
}

/** What was true when a key or a button went down: a click counts as it was meant then, not as it lands. */
export interface Press {
  readonly askId: string
  readonly ready: Readiness
  readonly settled: boolean
}

/** Stands for a question where several are declined at once. */
const BATCH = 'several'

type Asking = Extract<FromWindow, { request_id: string }>
type Without<T> = T extends unknown ? Omit<T, 'request_id'> : never
type Reply = Extract<ToWindow, { type: 'done' | 'failed' }>
export type StreamFrame = Extract<ToWindow, { type: 'watching' | 'snapshot' | 'stream_end' }>

export interface StreamListener {
  frame(frame: StreamFrame): void
  output(piece: OutputPiece): void
  /** The host let this page in, again: what was watched has to be asked for anew. */
  admitted(): void
}

/** Where everything meets: what the host says, what the person does, and what they see of it. */
export class Desk {
  readonly #deps: DeskDeps
  readonly #state = signal(openState())
  readonly #attention: Signal<Attention | null> = signal(null)
  readonly #ready: Signal<Readiness> = signal('hidden')
  readonly #batch = signal<readonly Card[] | null>(null)
  /** The terminal that would be closed, while the person is asked whether they mean it. */
  readonly closing = signal<string | null>(null)
  readonly #settled = signal(false)
  readonly #waiting = new Map<string, (reply: Reply) => void>()
  readonly #listeners = new Set<StreamListener>()
  /** Questions whose whole text was on this screen, as the host was told. */
  readonly #shown = new Set<string>()
  #asked = 0
  #press: Press | null = null
  #arms: ReturnType<typeof setTimeout> | undefined

  constructor(deps: DeskDeps) {
    this.#deps = deps
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

  /** A no would count now. */
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
    if (frame.type === 'done' || frame.type === 'failed') this.#reply(frame)
    if (frame.type === 'watching' || frame.type === 'snapshot' || frame.type === 'stream_end') {
      for (const listener of this.#listeners) listener.frame(frame)
      return
    }
    this.dispatch({ type: 'frame', frame, now: now(), wallNow: wallNow(), busy: busy() })
    if (frame.type === 'judged') this.notice({ type: 'changed' })
    if (frame.type !== 'admitted') return
    // Another admission is another approver: the host has to hear again what was on the screen.
    this.#shown.clear()
    this.#deps.send({ type: 'visibility', visible: document.visibilityState === 'visible' })
    this.#attention.value = null
    this.#attend()
    for (const listener of this.#listeners) listener.admitted()
  }

  readonly link = (link: LinkState): void => {
    this.dispatch({ type: 'link', link })
    this.#arm()
  }

  readonly output = (piece: OutputPiece): void => {
    for (const listener of this.#listeners) listener.output(piece)
  }

  listen(listener: StreamListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  show(showing: Showing): void {
    this.dispatch({ type: 'show', showing })
  }

  draft(askId: string, change: Partial<Draft>): void {
    this.dispatch({ type: 'draft', askId, change })
    this.notice({ type: 'changed' })
  }

  // ── attention ──────────────────────────────────────────────────────────────────────────────────

  notice(noticed: Noticed): void {
    if (noticed.type === 'page') this.#deps.send({ type: 'visibility', visible: noticed.visible })
    const attention = this.#attention.value
    // A card that can be seen behind the list of several is not what is read.
    if (!attention || (attention.askId === BATCH && noticed.type === 'viewed')) return
    this.#attention.value = notice(attention, noticed, this.#deps.now())
    this.#arm()
  }

  /** What a key or button that goes down now may decide. Null: nothing; there is no card, or no host to hear it. */
  press(): Press | null {
    const attention = this.#attention.value
    if (!attention || !this.#isConnected) return null
    const now = this.#deps.now()
    const { armingMs } = this.#state.value
    const ready = readiness(attention, now, armingMs)
    return { askId: attention.askId, ready, settled: isSettled(attention, now, armingMs) && ready !== 'hidden' }
  }

  /** Kept from when a key or button goes down until it is up again. */
  keepPress(): void {
    this.#press = this.press()
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
    this.#attention.value = askId === null ? null : attentionTo(askId, visible, this.#deps.now())
    this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#arms)
    const attention = this.#attention.value
    const press = this.press()
    this.#ready.value = press?.ready ?? 'hidden'
    this.#settled.value = press?.settled ?? false
    if (!attention || !press) return
    if (attention.seenAt !== null && attention.pageVisible && !this.#shown.has(attention.askId))
      if (this.#deps.send({ type: 'shown', ask_id: attention.askId })) this.#shown.add(attention.askId)
    if (!this.#settled.value || this.#ready.value === 'arming') this.#arms = setTimeout(() => this.#arm(), 50)
  }

  // ── answers ────────────────────────────────────────────────────────────────────────────────────

  approve(card: Card, press: Press | null): void {
    const { ask_id } = card.question
    const decision = yesOf(card, this.#state.value.graveText)
    if (!this.#isConnected) this.#unheard()
    else if (press?.askId !== ask_id || press.ready !== 'armed') this.#tooFast(press?.ready ?? 'arming')
    else if (decision) this.#answer(card, decision)
  }

  decline(card: Card, press: Press | null): void {
    const { ask_id } = card.question
    if (!this.#isConnected) this.#unheard()
    else if (press?.askId !== ask_id || !press.settled) this.#tooFast('arming')
    else this.#answer(card, { kind: 'decline', reason: card.draft.reason.trim() || null })
  }

  /** A no to several at once: it starts nothing, so none of them has to be read first. */
  declineAll(cards: readonly Card[], reason: string, press: Press | null): void {
    if (!this.#isConnected) this.#unheard()
    else if (press?.askId !== BATCH || !press.settled) this.#tooFast('arming')
    else for (const card of cards) this.#answer(card, { kind: 'decline', reason: reason.trim() || null })
  }

  #answer(card: Card, decision: Decision): void {
    if (card.phase.at !== 'open') return
    const { ask_id, plan_hash } = card.question
    if (this.#deps.send({ type: 'answer', ask_id, plan_hash, decision }))
      this.dispatch({ type: 'sent', askId: ask_id, decision })
    else this.#unheard()
  }

  get #isConnected(): boolean {
    return this.#state.value.link.at === 'open'
  }

  #unheard(): void {
    this.say('bad', 'Not connected to the host: nothing was decided.')
  }

  #tooFast(ready: Readiness): void {
    const why = ready === 'unseen' ? 'Not all of it was on the screen yet.' : 'That was too fast to have been read.'
    this.say('plain', `${why} Nothing was decided.`)
  }

  say(tone: 'plain' | 'bad', text: string): void {
    this.dispatch({ type: 'notice', tone, text })
  }

  // ── requests to the host ───────────────────────────────────────────────────────────────────────

  /** Asks the host to do something. What goes wrong is said in a notice. */
  ask(frame: Without<Asking>): Promise<Reply | null> {
    const request_id = this.nextId()
    return new Promise(resolve => {
      this.#waiting.set(request_id, resolve)
      if (this.#deps.send({ ...frame, request_id } as Asking)) return
      this.#waiting.delete(request_id)
      this.say('bad', 'Not connected to the host.')
      resolve(null)
    })
  }

  nextId(): string {
    this.#asked += 1
    return `w${this.#asked}`
  }

  send(frame: FromWindow): boolean {
    return this.#deps.send(frame)
  }

  #reply(frame: Reply): void {
    this.#waiting.get(frame.request_id)?.(frame)
    this.#waiting.delete(frame.request_id)
  }
}
