/**
 * Joins chunks so that no character is cut in two: the first bytes of an unfinished character wait for the rest.
 * Bytes that are no UTF-8 at all pass through unchanged.
 */
export class Utf8Joint {
  #waiting: Buffer | null = null

  /** The bytes that can go on now. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#waiting ? Buffer.concat([this.#waiting, chunk]) : chunk
    const whole = bytes.length - unfinished(bytes)
    this.#waiting = whole === bytes.length ? null : Buffer.from(bytes.subarray(whole))
    return bytes.subarray(0, whole)
  }

  /** Nothing more comes: what waited is returned as it is. */
  end(): Buffer {
    const rest = this.#waiting ?? Buffer.alloc(0)
    this.#waiting = null
    return rest
  }
}

/** How many bytes at the end begin a character whose rest is missing: 0 to 3. */
export function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return width > back ? back : 0
    }
  }
  return 0
}
