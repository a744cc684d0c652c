/**
 * How much looking one line may cost. The loose scans meet what is nested again on every level, so a line made for it could
 * keep them busy for seconds. What they do is counted instead, about one step per character, and a line that has used up
 * all of it needs approval.
 */
export class Effort {
  #left: number

  constructor(steps = MOST_STEPS) {
    this.#left = steps
  }

  /** As much is left of it, and what is spent of one is not spent of the other. */
  copy(): Effort {
    return new Effort(this.#left)
  }

  /** False once nothing is left: the scan stops. */
  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left >= 0
  }

  /** Something is nested deeper than anybody looks. */
  giveUp(): void {
    this.#left = -1
  }

  get spent(): boolean {
    return this.#left < 0
  }
}

const MOST_STEPS = 32 * 1024
