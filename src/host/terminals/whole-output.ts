import { unfinished } from '../../base/output/utf8-joint.ts'

const ESCAPE = 0x1b
const LOOK_BACK = 4096
/** CSI, string sequences with their end, and the short ones. */
const COMPLETE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ\\`-~])/

/** How many of these bytes can be shown to a terminal without leaving it in the middle of a character or an escape sequence. */
export function wholeUpTo(bytes: Buffer): number {
  const end = bytes.length - unfinished(bytes)
  const from = Math.max(0, end - LOOK_BACK)
  let whole = end
  for (let at = escapeBefore(bytes, end); at >= from; at = escapeBefore(bytes, at)) {
    const tail = bytes.toString('latin1', at, end)
    // The end of a string sequence (ESC \) belongs to one that began before it, also when only half of it is there.
    if (tail === '\x1b') whole = at
    else if (!tail.startsWith('\x1b\\')) return COMPLETE.test(tail) ? whole : at
  }
  return whole
}

const escapeBefore = (bytes: Buffer, at: number): number => (at === 0 ? -1 : bytes.lastIndexOf(ESCAPE, at - 1))
