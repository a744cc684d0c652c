import { readFileSync, readlinkSync } from 'node:fs'

/** What the system says about a process. */
export function linkOf(pid: number, name: 'cwd' | 'exe'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return null // gone, or no /proc here
  }
}

/** What it was started with: it has taken it out of its environment, but the system remembers. */
export function nonceOf(pid: number): string | null {
  try {
    return (
      /(?:^|\0)INTERACTIVE_TERMINAL_NONCE=([0-9a-f]{32})\0/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1] ??
      null
    )
  } catch {
    return null // gone, or no /proc here
  }
}
