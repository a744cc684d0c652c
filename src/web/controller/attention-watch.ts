import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { armingTime } from '../../approving/arming.ts'
import type { FromWindow } from '../../contract/window/window-frames.ts'
import {
  type Attention,
  attentionTo,
  isSettled,
  type Noticed,
  notice,
  type Press,
  type Readiness,
  readiness,
} from '../state/attention.ts'

interface AttentionDeps {
  readonly now: () => number
  readonly send: (frame: FromWindow) => boolean
  /** What is before the person now; null: nothing that could be answered. */
  readonly current: () => { readonly askId: string; readonly revision: number } | null
  readonly armingMs: () => number
  readonly isConnected: () => boolean
  readonly isVisible: () => boolean
}

/** Stands for a question where several are declined at once. */
export const BATCH = 'several'

/** Follows what the person has before them, reports it to the host once, and says when a press may decide. */
export class AttentionWatch {
  readonly #deps: AttentionDeps
  readonly #attention: Signal<Attention | null> = signal(null)
  readonly #ready: Signal<Readiness> = signal('hidden')
  readonly #settled = signal(false)
  readonly attention: ReadonlySignal<Attention | null> = this.#attention
  readonly ready: ReadonlySignal<Readiness> = this.#ready
  /** No key for a while: a letter that opens something is meant for the card. */
  readonly settled: ReadonlySignal<boolean> = this.#settled
  /** What the host has heard of the card that is before the person. */
  readonly #said = new Set<string>()
  #press: Press | null = null
  /** When a letter was last typed that meant nothing here. */
  #strayAt = Number.NEGATIVE_INFINITY
  #arms: ReturnType<typeof setTimeout> | undefined

  constructor(deps: AttentionDeps) {
    this.#deps = deps
  }

  /** Kept from when a key or button went down until it is up again. */
  get lastPress(): Press | null {
    return this.#press
  }
  /** A click counts as it was meant when the button or key went down. */
  get pressNow(): Press | null {
    return this.#press ?? this.press()
  }

  /** Turns to what is before the person now, if that is another than before. */
  attend(): void {
    const current = this.#deps.current()
    if ((current?.askId ?? null) === (this.#attention.value?.askId ?? null)) return
    this.#attention.value =
      current && attentionTo(current.askId, this.#deps.isVisible(), this.#deps.now(), current.revision)
    this.#said.clear()
    this.arm()
  }

  /** It was not read yet: what is on the card has changed, or another admission starts anew. */
  readAnew(): void {
    this.#attention.value = null
    this.attend()
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
    this.arm()
  }

  /** What a key or button that goes down now may decide. Null: nothing; there is no card, or no host to hear it. */
  press(now = this.#deps.now()): Press | null {
    const attention = this.#attention.value
    if (!attention || !this.#deps.isConnected()) return null
    const armingMs = this.#deps.armingMs()
    const ready = readiness(attention, now, armingMs)
    const settled = isSettled(attention, now, armingMs) && ready !== 'hidden'
    return { askId: attention.askId, ready, settled, amidWords: now - this.#strayAt < armingTime() }
  }

  /** A letter that meant nothing here: an Enter right behind it was not meant either. */
  stray(): void {
    this.#strayAt = this.#deps.now()
  }
  /** `at`: a page that is busy hears of it later. */
  keepPress(at: number): void {
    this.#press = this.press(at)
  }
  forgetPress(): void {
    this.#press = null
  }

  arm(): void {
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
    if (!this.#settled.value || this.#ready.value === 'arming') this.#arms = setTimeout(() => this.arm(), 50)
  }

  #sayOnce(frame: Extract<FromWindow, { type: 'in_view' | 'shown' }>): void {
    if (!this.#said.has(frame.type) && this.#deps.send(frame)) this.#said.add(frame.type)
  }
}
