import { realpathSync, statSync } from 'node:fs'

/** Which directory it is, whatever it is called: another one put in its place is another one. null: there is none. */
export function directoryIdentity(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : null
}

/**
 * Which file it is and whether it was written to since. The time of its last change is the system's own: unlike that of the last
 * writing it cannot be set back. null: there is none.
 */
export function fileIdentity(path: string): string | null {
  try {
    const real = realpathSync.native(path)
    const { dev, ino, mtimeNs, ctimeNs, size } = statSync(real, { bigint: true })
    return `${real}:${dev}:${ino}:${mtimeNs}:${ctimeNs}:${size}`
  } catch {
    return null // not there, or not ours to look at
  }
}
