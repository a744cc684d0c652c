/** How much one preview may look at. What it does not get to is said to be unknown, never guessed. */
export class LookBudget {
  readonly #now: () => number
  readonly #until: number
  #entries: number

  constructor(now: () => number, { ms, entries }: { readonly ms: number; readonly entries: number }) {
    this.#now = now
    this.#until = now() + ms
    this.#entries = entries
  }

  get leftMs(): number {
    return Math.max(0, this.#until - this.#now())
  }

  /** One more file is looked at. False: that was enough. */
  spend(): boolean {
    this.#entries -= 1
    return !this.isSpent
  }

  get isSpent(): boolean {
    return this.#entries < 0 || this.#now() >= this.#until
  }
}
