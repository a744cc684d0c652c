import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Environment names that everything we start carries. */
const MARK = 'INTERACTIVE_TERMINAL_RUN='

/** Who is at the other end of a loopback connection, as far as the machine tells. */
export interface Peer {
  /**
   * It was started by one of our runs. Best effort: it sees children, grandchildren and those who left their group, as
   * long as they kept their environment.
   */
  readonly insideRun: boolean
  readonly process: { readonly pid: number; readonly program: string } | null
}

export function peerAt(peerPort: number, platform: NodeJS.Platform): Peer {
  // All of them: the same port on 127.0.0.1 and on ::1 may be two programs, and one of them may be a run.
  const pids = platform === 'linux' ? socketInodes(peerPort).flatMap(processesHolding) : []
  const [pid] = pids
  return {
    insideRun: pids.some(each => environOf(each).some(entry => entry.startsWith(MARK))),
    process: pid === undefined ? null : { pid, program: linkOf(`/proc/${pid}/exe`) || 'unknown' },
  }
}

/** The sockets whose own port this is, from the kernel's tables. */
function socketInodes(port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(table =>
    readText(table)
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/))
      .filter(fields => fields[1]?.endsWith(`:${hex}`) && fields[9] !== '0')
      .flatMap(fields => fields[9] ?? []),
  )
}

function processesHolding(inode: string): number[] {
  return readNames('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid =>
      readNames(`/proc/${pid}/fd`).some(fd => linkOf(join('/proc', pid, 'fd', fd)) === `socket:[${inode}]`),
    )
    .map(Number)
}

const environOf = (pid: number): string[] => readText(`/proc/${pid}/environ`).split('\0')

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // gone, or not ours to look at
  }
}

function readNames(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return [] // gone, or not ours to look at
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // closed meanwhile
  }
}
