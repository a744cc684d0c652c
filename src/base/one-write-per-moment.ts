import type { Writable } from 'node:stream'

/**
 * Writes the first of a moment at once and all that follows in the same moment together: whoever reads at the other end is woken
 * twice at most, however much comes at the same time.
 */
export function oneWritePerMoment(output: Writable): (bytes: string | Buffer) => void {
  let held = false
  const release = () => {
    held = false
    output.uncork()
  }
  return bytes => {
    output.write(bytes)
    if (held) return
    held = true
    output.cork()
    process.nextTick(release)
  }
}
