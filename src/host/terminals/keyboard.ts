import type { Disposable } from '../../base/disposable.ts'
import { Watchers } from '../../base/watchers.ts'

/** So long after the last key, whoever typed it is still at it. */
const LEASE_MS = 3000

/** What a terminal answers by itself when a program asks it something: nobody has typed that. */
const REPORT =
  /^(?:\x1b\[[?>=]?[\d;]*[cnRtuy]|\x1b\[\?[\d;]+\$y|\x1b\[[IO]|\x1b\](?:\d+;)[^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\)+$/

/** Ctrl+C, Ctrl+\ and Ctrl+Z. */
const INTERRUPTS = [0x03, 0x1c, 0x1a]

/** Who types into a terminal. The person wins: while they do, nothing is typed for an agent. Times are of one clock. */
export class Keyboard {
  #person = Number.NEGATIVE_INFINITY
  #agent = Number.NEGATIVE_INFINITY
  readonly #onPerson = new Watchers()
  readonly #onInterrupt = new Watchers()

  /** False: the bytes are an answer of the terminal itself. */
  personTyped(bytes: Buffer, now: number): boolean {
    if (REPORT.test(bytes.toString('latin1'))) return false
    this.#person = now
    this.#onPerson.notify()
    this.#noteInterrupt(bytes)
    return true
  }

  agentTyped(bytes: Uint8Array, now: number): void {
    this.#agent = now
    this.#noteInterrupt(bytes)
  }

  onPerson(listener: () => void): Disposable {
    return this.#onPerson.add(listener)
  }

  /** Somebody wants an end of what runs. */
  onInterrupt(listener: () => void): Disposable {
    return this.#onInterrupt.add(listener)
  }

  /** How long the person still has it; 0: they do not. */
  personForMs(now: number): number {
    return Math.max(0, this.#person + LEASE_MS - now)
  }

  holder(now: number): 'person' | 'agent' | null {
    if (this.personForMs(now) > 0) return 'person'
    return this.#agent + LEASE_MS > now ? 'agent' : null
  }

  #noteInterrupt(bytes: Uint8Array): void {
    if (INTERRUPTS.some(key => bytes.includes(key))) this.#onInterrupt.notify()
  }
}
