import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { linkIn, textIn } from './quiet-reads.ts'

/** Who listens on a port of this machine. `somebody`: it is open, and the system does not say by whom. */
export type Listener = 'these' | 'others' | 'somebody' | 'nobody'

const ANSWER_WITHIN_MS = 500

/** Whether one of these processes listens. On Linux /proc says so and the port is not touched; elsewhere it is dialled on loopback. */
export async function listenerOn(
  port: number,
  pids: () => readonly number[],
  platform: NodeJS.Platform,
): Promise<Listener> {
  if (platform !== 'linux') return (await isOpen(port)) ? 'somebody' : 'nobody'
  const inodes = listeningInodes('self', port)
  const members = pids()
  // A process may be in a network of its own.
  for (const pid of members) for (const inode of listeningInodes(pid, port)) inodes.add(inode)
  if (inodes.size === 0) return 'nobody'
  const holds = members.map(pid => holdsSocket(pid, inodes))
  return holds.includes('yes') ? 'these' : holds.includes('not_told') ? 'somebody' : 'others'
}

/** A quick look at the network of this process, where the system has such a list: somebody listens. */
export const isListenedOn = (port: number, platform: NodeJS.Platform): boolean =>
  platform === 'linux' && listeningInodes('self', port).size > 0

const LISTENING = '0A'

/** The sockets that listen on the port, by their number in the kernel. */
function listeningInodes(pid: number | 'self', port: number): Set<string> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const tables = ['tcp', 'tcp6']
    .map(name => textIn(`/proc/${pid}/net/${name}`, 'latin1'))
    .filter(text => text.includes(wanted))
  const rows = tables.flatMap(text => text.split('\n').slice(1))
  return new Set(
    rows.flatMap(row => {
      const [, local, , state, , , , , , inode] = row.trim().split(/\s+/)
      return state === LISTENING && local?.endsWith(wanted) && inode ? [inode] : []
    }),
  )
}

function holdsSocket(pid: number, inodes: ReadonlySet<string>): 'yes' | 'no' | 'not_told' {
  let names: string[]
  try {
    names = readdirSync(`/proc/${pid}/fd`)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EACCES' ? 'not_told' : 'no'
  }
  return names.some(name => inodes.has(/^socket:\[(\d+)\]$/.exec(linkIn(`/proc/${pid}/fd/${name}`))?.[1] ?? ''))
    ? 'yes'
    : 'no'
}

/** Dials both loopback addresses and hangs up at once. */
async function isOpen(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map(host => answersAt(host, port)))
  return answers.includes(true)
}

function answersAt(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: ANSWER_WITHIN_MS })
    const done = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
}
