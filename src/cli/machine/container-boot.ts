import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Which start of which container this is: what was declared in another one, or before the last start, counts for nothing. */
export interface ContainerBoot {
  readonly boot: string
  readonly hostname: string
}

export function containerBoot(): ContainerBoot {
  const kernel = textOf('/proc/sys/kernel/random/boot_id').trim()
  const stat = textOf('/proc/1/stat')
  // When process 1 was started, counted from the kernel's start: field 22.
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return { boot: `${kernel}:${start}`, hostname: hostname() }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // a system without /proc: the host name is what there is
  }
}
