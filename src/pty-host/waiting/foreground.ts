import { linkIn, namesIn, textIn } from '../../base/process/quiet-reads.ts'
import { type BlockedCall, blockedCall } from './blocked-call.ts'

/** A program of the terminal's foreground that waits for the terminal. */
export interface Reader {
  readonly pid: number
  readonly program: string
  readonly call: BlockedCall
  /** Changes whenever it has run in between: with the same one it is still the same wait. */
  readonly turn: string
}

export interface Foreground {
  /** The group of processes in the foreground; 0: there is none. */
  readonly group: number
  readonly readers: readonly Reader[]
  /** A program there that may not be looked at, because it runs as somebody else. */
  readonly hidden: string | null
  /** A program there passes keys on to a terminal of its own: the first process in that one. */
  readonly relay: { readonly pid: number; readonly tty: string } | null
}

// A pipeline of more programs, or a program of more threads, is not one that waits for a person.
const MOST_PROCESSES = 64
const MOST_THREADS = 64
const MOST_FILES = 256

interface Stat {
  readonly pid: number
  readonly program: string
  readonly state: string
  readonly group: number
  readonly tty: number
  readonly foreground: number
}

/** Linux: who is in the foreground of this terminal, and what it is blocked in. `root`: the first process in it. */
export function foregroundOf(root: number, tty: string, arch: string = process.arch): Foreground {
  const first = statOf(root)
  if (first === null || first.foreground <= 0) return { group: 0, readers: [], hidden: null, relay: null }
  const members = descendants(root).filter(each => each.group === first.foreground && each.tty === first.tty)

  const readers: Reader[] = []
  let hidden: string | null = null
  let relay: Foreground['relay'] = null
  for (const { pid, program, state } of members) {
    // Stopped, or a zombie: it reads nothing.
    if (state === 'T' || state === 't' || state === 'Z') continue
    const calls = threadsOf(pid).map(thread => ({ thread, call: blockedCall(pid, thread, arch) }))
    if (calls.some(({ call }) => call === 'hidden')) hidden ??= program

    for (const { thread, call } of calls) {
      if (call === null || call === 'hidden' || !readsFrom(pid, call, tty)) continue
      // The name of now: it may have become another program since it was first looked at.
      const now = statOf(pid)?.program ?? program
      readers.push({ pid, program: now, call, turn: `${pid}/${thread}/${switches(pid, thread)}` })
      if (call.how === 'watch') relay ??= ownTerminal(pid)
    }
  }
  return { group: first.foreground, readers, hidden, relay }
}

function readsFrom(pid: number, { descriptors }: BlockedCall, tty: string): boolean {
  return descriptors.some(fd => {
    const file = linkIn(`/proc/${pid}/fd/${fd}`)
    return file === tty || file === '/dev/tty'
  })
}

/** The program and all it has started, as far as the system lists children. */
function descendants(root: number): Stat[] {
  const found: Stat[] = []
  const todo = [root]
  for (let pid = todo.shift(); pid !== undefined && found.length < MOST_PROCESSES; pid = todo.shift()) {
    const stat = statOf(pid)
    if (stat === null) continue
    found.push(stat)
    for (const thread of threadsOf(pid))
      todo.push(...textIn(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number))
  }
  return found
}

function statOf(pid: number): Stat | null {
  const text = textIn(`/proc/${pid}/stat`, 'latin1')
  // The name in parentheses may itself hold spaces and parentheses: fields count from the last one.
  const close = text.lastIndexOf(')')
  if (close < 0) return null
  const [state = '', , group, , tty, foreground] = text.slice(close + 2).split(' ')
  const program = text.slice(text.indexOf('(') + 1, close)
  return { pid, program, state, group: Number(group), tty: Number(tty), foreground: Number(foreground) }
}

const threadsOf = (pid: number): string[] => namesIn(`/proc/${pid}/task`).slice(0, MOST_THREADS)

const switches = (pid: number, thread: string): string =>
  /^voluntary_ctxt_switches:\s*(\d+)/m.exec(textIn(`/proc/${pid}/task/${thread}/status`, 'latin1'))?.[1] ?? ''

/** script, expect and the like: what is typed here goes to whatever runs in the terminal that they made. */
function ownTerminal(pid: number): Foreground['relay'] {
  for (const fd of namesIn(`/proc/${pid}/fd`).slice(0, MOST_FILES)) {
    if (!/^\/dev\/(pts\/)?ptmx$/.test(linkIn(`/proc/${pid}/fd/${fd}`))) continue
    const index = /^tty-index:\s*(\d+)/m.exec(textIn(`/proc/${pid}/fdinfo/${fd}`, 'latin1'))?.[1]
    const inside = index === undefined ? undefined : descendants(pid).find(each => each.tty === device(Number(index)))
    if (inside) return { pid: inside.pid, tty: `/dev/pts/${index}` }
  }
  return null
}

/** The file of the terminal that a process is in, by the number that the system gives it. */
export function terminalOf(pid: number): string | null {
  const tty = statOf(pid)?.tty ?? 0
  const index = (tty & 0xff) | ((tty >>> 12) & ~0xff)
  return device(index) === tty ? `/dev/pts/${index}` : null
}

/** The number under which the system knows a terminal: major 136, and its index in two pieces. */
const device = (index: number): number => (index & 0xff) | (136 << 8) | ((index & ~0xff) << 12)
