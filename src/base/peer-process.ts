import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Environment names that everything we start carries. */
const MARK = 'INTERACTIVE_TERMINAL_RUN='

/**
 * Whether the process at the other end of a loopback connection was started by one of our runs. Best effort: it sees
 * children, grandchildren and those who left their group, as long as they kept their environment or their parents.
 * `starters`: the processes that start runs; whoever descends from one of them is inside a run.
 */
export function isInsideRun(peerPort: number, platform: NodeJS.Platform, starters: readonly number[] = []): boolean {
  if (platform !== 'linux') return false
  const inode = socketInode(peerPort)
  if (inode === null) return false
  // Environments first: hardly any process is one of ours, and looking through all that each has open takes long.
  const all = readNames('/proc').filter(name => /^\d+$/.test(name))
  const marked = all.filter(isMarked)
  if (marked.some(pid => holds(pid, inode))) return true
  const suspects = new Set([...starters.map(String), ...marked])
  const below = all.filter(pid => parentsOf(pid).some(parent => suspects.has(parent)))
  return below.some(pid => holds(pid, inode))
}

const isMarked = (pid: string): boolean =>
  readText(`/proc/${pid}/environ`)
    .split('\0')
    .some(entry => entry.startsWith(MARK))

function parentsOf(pid: string): string[] {
  const parents: string[] = []
  for (let at = pid; parents.length < 64; ) {
    const stat = readText(`/proc/${at}/stat`)
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent === undefined || parent === '0' || parent === '') break
    parents.push(parent)
    at = parent
  }
  return parents
}

/** The socket whose own port this is, from the kernel's table. */
function socketInode(port: number): string | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readText(table).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (fields[1]?.endsWith(`:${hex}`) && fields[9] !== undefined && fields[9] !== '0') return fields[9]
    }
  return null
}

const holds = (pid: string, inode: string): boolean =>
  readNames(`/proc/${pid}/fd`).some(fd => linkOf(join('/proc', pid, 'fd', fd)) === `socket:[${inode}]`)

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
