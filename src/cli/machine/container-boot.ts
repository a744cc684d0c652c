import { hostname } from 'node:os'
import { textIn } from '../../base/process/quiet-reads.ts'

/**
 * Which start of which container this is: what was declared in another one, or before the last start, counts for nothing. On a system
 * without /proc the host name is what there is.
 */
export interface ContainerBoot {
  readonly boot: string
  readonly hostname: string
}

export function containerBoot(): ContainerBoot {
  const kernel = textIn('/proc/sys/kernel/random/boot_id').trim()
  const stat = textIn('/proc/1/stat', 'latin1')
  // When process 1 was started, counted from the kernel's start: field 22.
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return { boot: `${kernel}:${start}`, hostname: hostname() }
}
