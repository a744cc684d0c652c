import { closeSync, openSync, readSync } from 'node:fs'
import { textIn } from '../../base/process/quiet-reads.ts'

/** How a thread of another process is blocked, as far as it concerns files it could read from. */
export interface BlockedCall {
  readonly how: 'read' | 'watch'
  /** What it waits for: descriptors of that process. */
  readonly descriptors: readonly number[]
  /** It goes on by itself after a while. */
  readonly hasLimit: boolean
}

type CallKind = 'read' | 'poll' | 'ppoll' | 'select' | 'pselect' | 'epoll'

const CALLS: Readonly<Record<string, Readonly<Record<number, CallKind>>>> = {
  x64: {
    0: 'read',
    19: 'read',
    7: 'poll',
    271: 'ppoll',
    23: 'select',
    270: 'pselect',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll',
  },
  arm64: { 63: 'read', 65: 'read', 73: 'ppoll', 72: 'pselect', 22: 'epoll', 441: 'epoll' },
}

// More than this is no program that waits for a person.
const MOST_WATCHED = 1024
const POLL_BYTES = 8
const POLLIN = 1
const NEVER = 0xffffffffffffffffn

/**
 * From /proc/<pid>/task/<tid>/syscall: number of the call and its arguments. Null: it runs, sleeps or is blocked in something else.
 * 'hidden': the system does not let us look, as at a program that runs as somebody else.
 */
export function blockedCall(pid: number, thread: string, arch: string): BlockedCall | null | 'hidden' {
  const line = textIn(`/proc/${pid}/task/${thread}/syscall`, 'latin1')
  if (line === '') return 'hidden'
  const [number = '', ...rest] = line.trim().split(' ')
  const kind = CALLS[arch]?.[Number(number)]
  if (kind === undefined || number === 'running') return null
  const args = rest.map(word => BigInt(word))
  const [first = 0n, second = 0n, third = 0n, , fifth = 0n] = args

  switch (kind) {
    case 'read':
      return { how: 'read', descriptors: [Number(first)], hasLimit: false }
    case 'poll':
      return watch(polled(pid, first, Number(second)), Number(BigInt.asIntN(32, third)) >= 0)
    case 'ppoll':
      return watch(polled(pid, first, Number(second)), third !== 0n)
    case 'select':
    case 'pselect':
      return watch(selected(pid, Number(first), second), fifth !== 0n)
    case 'epoll': {
      const [, , , limit = NEVER] = args
      return watch(epolled(pid, Number(first)), Number(BigInt.asIntN(32, limit)) >= 0)
    }
  }
}

const watch = (descriptors: readonly number[], hasLimit: boolean): BlockedCall => ({
  how: 'watch',
  descriptors,
  hasLimit,
})

/** struct pollfd: int fd, short events, short revents. */
function polled(pid: number, address: bigint, count: number): number[] {
  const bytes = memory(pid, address, Math.min(count, MOST_WATCHED) * POLL_BYTES)
  const found: number[] = []
  for (let at = 0; at + POLL_BYTES <= bytes.length; at += POLL_BYTES)
    if (bytes.readInt32LE(at) >= 0 && (bytes.readInt16LE(at + 4) & POLLIN) !== 0) found.push(bytes.readInt32LE(at))
  return found
}

/** fd_set: one bit each. The kernel has not written its answer into it while the call is blocked. */
function selected(pid: number, count: number, address: bigint): number[] {
  if (address === 0n || count <= 0) return []
  const size = Math.min(count, MOST_WATCHED)
  const bytes = memory(pid, address, Math.ceil(size / 8))
  return Array.from({ length: Math.min(size, bytes.length * 8) }, (_, fd) => fd).filter(
    fd => ((bytes[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0,
  )
}

/** The system lists what an epoll descriptor watches; events in hex. */
function epolled(pid: number, descriptor: number): number[] {
  const lines = textIn(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1').matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)
  return [...lines]
    .filter(([, , events = '']) => (Number.parseInt(events, 16) & POLLIN) !== 0)
    .map(([, fd]) => Number(fd))
}

function memory(pid: number, address: bigint, size: number): Buffer {
  if (size <= 0) return Buffer.alloc(0)
  try {
    const file = openSync(`/proc/${pid}/mem`, 'r')
    try {
      const bytes = Buffer.alloc(size)
      return bytes.subarray(0, readSync(file, bytes, 0, size, address))
    } finally {
      closeSync(file)
    }
  } catch {
    return Buffer.alloc(0) // gone meanwhile, or not ours to look at
  }
}
