import { readFileSync, realpathSync, statSync } from 'node:fs'
import { linkIn, namesIn } from '../../base/process/quiet-reads.ts'
import { lockFile } from './host-lock.ts'

/**
 * The process that holds the host's place, as the kernel's own table of locks says: whoever writes another port into host.json, or
 * removes it, does not make a running host go away. null: nobody holds it · 'unknown': this system does not say.
 */
export function hostHolder(hostFile: string, platform: NodeJS.Platform): number | null | 'unknown' {
  if (platform !== 'linux') return 'unknown'
  const lock = placeOf(lockFile(hostFile))
  if (lock === null) return null
  const table = locks()
  if (table === null) return 'unknown'
  const holder = writersOf(table, lock.inode).find(pid =>
    namesIn(`/proc/${pid}/fd`).some(fd => linkIn(`/proc/${pid}/fd/${fd}`) === lock.real),
  )
  return holder ?? null
}

function placeOf(file: string): { readonly inode: number; readonly real: string } | null {
  try {
    return { inode: statSync(file).ino, real: realpathSync(file) }
  } catch {
    return null // no host has ever run here
  }
}

function locks(): string | null {
  try {
    return readFileSync('/proc/locks', 'latin1')
  } catch {
    return null // a system that hides it
  }
}

/** `1: POSIX  ADVISORY  WRITE 1234 08:01:131 1073741824 1073742335`; those who only wait for one have an arrow. */
function writersOf(table: string, inode: number): number[] {
  return table
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(
      ([, kind, , access, , file]) => kind === 'POSIX' && access === 'WRITE' && file?.split(':')[2] === `${inode}`,
    )
    .map(fields => Number(fields[4]))
}
