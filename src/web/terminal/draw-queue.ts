/** What draws: xterm, as far as it is needed here. */
interface ByteDrawer {
  write(bytes: Uint8Array, drawn: () => void): void
}

type QueuedDraw = { readonly bytes: Uint8Array; readonly drawn: () => void } | (() => void)

/** A few milliseconds of drawing. */
const SLICE_BYTES = 32 * 1024

/**
 * What waits to be drawn, in order. xterm is given one slice at a time, because it cannot be told to leave out what it has: so what
 * waits can still be skipped, and a screen that begins anew shows nothing of before.
 */
export class DrawQueue {
  readonly #screen: ByteDrawer
  #steps: QueuedDraw[] = []
  #drawing = false

  constructor(screen: ByteDrawer) {
    this.#screen = screen
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const last = at + SLICE_BYTES >= bytes.length
      this.#steps.push({ bytes: bytes.subarray(at, at + SLICE_BYTES), drawn: last ? drawn : () => {} })
    }
    if (bytes.length === 0) this.#steps.push(drawn)
    this.#goOn()
  }

  /** Leaves out whatever waits; `begin` comes after the slice that is being drawn and before all that is written from now on. */
  restart(begin: () => void): void {
    this.#steps = [begin]
    this.#goOn()
  }

  #goOn(): void {
    while (!this.#drawing) {
      const step = this.#steps.shift()
      if (step === undefined) return
      if (typeof step === 'function') step()
      else this.#draw(step)
    }
  }

  #draw({ bytes, drawn }: Exclude<QueuedDraw, () => void>): void {
    this.#drawing = true
    this.#screen.write(bytes, () => {
      this.#drawing = false
      drawn()
      this.#goOn()
    })
  }
}
