import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

/** More than this is plenty: then nobody has to try. */
const PLENTY = 1024
/** So often nobody looks: what is opened between two looks is far less than plenty. */
const LOOK_EVERY = 64

let room = 0
let asked = LOOK_EVERY

/**
 * Throws when this process may not open so many more files. Called before something is started that will need them: later there
 * is nobody to refuse, and output that cannot be written is lost.
 */
export function needDescriptors(count: number, platform: NodeJS.Platform = process.platform): void {
  // Windows has no such limit.
  if (platform === 'win32') return
  if (platform === 'linux' && hasPlenty(count)) return
  const held: number[] = []
  try {
    while (held.length < count) held.push(openSync('/dev/null', 'r'))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EMFILE' && code !== 'ENFILE') throw cause
    throw new Error(
      `too many files are open (${code}): ${held.length} more could be, ${count} may be needed. End commands that run, or raise the limit (ulimit -n)`,
    )
  } finally {
    for (const fd of held) closeSync(fd)
  }
}

/** Where there is plenty it is counted now and then; where there is not, trying says it exactly. */
function hasPlenty(count: number): boolean {
  if (asked >= LOOK_EVERY) {
    room = roomLeft()
    asked = 0
  }
  asked += 1
  if (room - count >= PLENTY) return true
  asked = LOOK_EVERY
  return false
}

function roomLeft(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return Number(limit ?? 0) - readdirSync('/proc/self/fd').length
  } catch {
    return 0 // not known: it is tried
  }
}
