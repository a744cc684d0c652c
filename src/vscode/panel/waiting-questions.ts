/** Which questions wait, out of the frames an approver is sent. They are counted here and read nowhere but in the page. */
export class WaitingQuestions {
  readonly #open = new Set<string>()
  readonly #announced = new Set<string>()

  get count(): number {
    return this.#open.size
  }

  /** How many of them nobody was notified of yet; from now on they were. */
  takeFresh(): number {
    const fresh = [...this.#open].filter(id => !this.#announced.has(id))
    for (const id of fresh) this.#announced.add(id)
    return fresh.length
  }

  /** True: the count, or which they are, may be another now. */
  receive(frame: { readonly type?: unknown; readonly ask_id?: unknown }): boolean {
    // The host sends all of them anew.
    if (frame.type === 'admitted') this.#open.clear()
    if (typeof frame.ask_id !== 'string') return frame.type === 'admitted'
    if (frame.type === 'question') this.#open.add(frame.ask_id)
    else if (frame.type === 'answered' || frame.type === 'withdrawn') this.#open.delete(frame.ask_id)
    else return false
    return true
  }

  /** Nobody is there to ask any more. */
  forget(): void {
    this.#open.clear()
    this.#announced.clear()
  }
}
