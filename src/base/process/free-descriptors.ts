import { closeSync, openSync } from 'node:fs'

/**
 * Throws when this process may not open so many more files. Called before something is started that will need them: later there
 * is nobody to refuse, and output that cannot be written is lost.
 */
export function needDescriptors(count: number, platform: NodeJS.Platform = process.platform): void {
  // Windows has no such limit.
  if (platform === 'win32') return
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
