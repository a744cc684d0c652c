import { join } from 'node:path'
import { linkIn, namesIn, textIn } from './quiet-reads.ts'

/** Environment names that everything we start carries. */
const MARK = 'INTERACTIVE_TERMINAL_RUN='

/** Who is at the other end of a loopback connection, as far as the machine shows. */
export interface Peer {
  readonly insideRun: boolean
  readonly process: { readonly pid: number; readonly program: string } | null
}

export function peerAt(peerPort: number, platform: NodeJS.Platform, starters: readonly number[]): Peer {
  // All of them: the same port on 127.0.0.1 and on ::1 may be two programs, and one of them may be a run.
  const inodes = platform === 'linux' ? socketInodes(peerPort) : []
  if (inodes.length === 0) return { insideRun: false, process: null }
  const pid = allPids().find(each => holds(each, inodes))
  return {
    insideRun: isHeldByRun(inodes, starters),
    process: pid === undefined ? null : { pid: Number(pid), program: linkIn(`/proc/${pid}/exe`) || 'unknown' },
  }
}

/**
 * Everybody who holds the other end of a loopback connection to `ownPort`, so that nobody hides behind one who may. Null: this
 * system does not say.
 */
export function holdersAt(
  { peerPort, ownPort }: { readonly peerPort: number; readonly ownPort: number },
  platform: NodeJS.Platform,
): readonly NonNullable<Peer['process']>[] | null {
  if (platform !== 'linux') return null
  const inodes = socketInodes(peerPort, ownPort)
  return allPids()
    .filter(pid => holds(pid, inodes))
    .map(pid => ({ pid: Number(pid), program: linkIn(`/proc/${pid}/exe`) || 'unknown' }))
}

/** Whether a process is this one, or was started by it, or by one that was. */
export const isBelow = (pid: number, ancestor: number): boolean =>
  pid === ancestor || parentsOf(String(pid), parentOf).includes(String(ancestor))

/**
 * Whether the process at the other end of a loopback connection was started by one of our runs. Best effort: it sees
 * children, grandchildren and those who left their group, as long as they kept their environment or their parents.
 * `starters`: the processes that start runs; whoever descends from one of them is inside a run.
 */
export function isInsideRun(peerPort: number, platform: NodeJS.Platform, starters: readonly number[] = []): boolean {
  const inodes = platform === 'linux' ? socketInodes(peerPort) : []
  return inodes.length > 0 && isHeldByRun(inodes, starters)
}

function isHeldByRun(inodes: readonly string[], starters: readonly number[]): boolean {
  // Environments first: hardly any process is one of ours, and looking through all that each has open takes long.
  const all = allPids()
  const marked = all.filter(isMarked)
  if (marked.some(pid => holds(pid, inodes))) return true
  const suspects = new Set([...starters.map(String), ...marked])
  // They have most ancestors in common: each process is looked at once.
  const known = new Map<string, string>()
  const parentOnce = (pid: string): string => {
    const parent = known.get(pid) ?? parentOf(pid)
    known.set(pid, parent)
    return parent
  }
  const below = all.filter(pid => parentsOf(pid, parentOnce).some(parent => suspects.has(parent)))
  return below.some(pid => holds(pid, inodes))
}

const allPids = (): string[] => namesIn('/proc').filter(name => /^\d+$/.test(name))

const isMarked = (pid: string): boolean =>
  textIn(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .some(entry => entry.startsWith(MARK))

function parentsOf(pid: string, parentOf: (pid: string) => string): string[] {
  const parents: string[] = []
  for (let at = pid; parents.length < 64; ) {
    const parent = parentOf(at)
    if (parent === '') break
    parents.push(parent)
    at = parent
  }
  return parents
}

/** Empty: it has none, or is gone. */
function parentOf(pid: string): string {
  const stat = textIn(`/proc/${pid}/stat`, 'latin1')
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  return parent === undefined || parent === '0' ? '' : parent
}

/** The sockets whose own port this is, from the kernel's tables; `to`: only those that are connected to this one. */
function socketInodes(port: number, to: number | null = null): string[] {
  const hex = asHex(port)
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(table =>
    textIn(table, 'latin1')
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/))
      .filter(fields => fields[1]?.endsWith(`:${hex}`) && fields[9] !== '0')
      .filter(fields => to === null || fields[2]?.endsWith(`:${asHex(to)}`))
      .flatMap(fields => fields[9] ?? []),
  )
}

const asHex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

function holds(pid: string, inodes: readonly string[]): boolean {
  const sockets = inodes.map(inode => `socket:[${inode}]`)
  return namesIn(`/proc/${pid}/fd`).some(fd => sockets.includes(linkIn(join('/proc', pid, 'fd', fd))))
}
