import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { smallText, textIn } from './quiet-reads.ts'

/** A living process. `start` tells two processes with the same, reused pid apart; null where the platform hides it. */
export interface ProcessRow {
  readonly pid: number
  readonly ppid: number
  readonly group: number
  readonly session: number
  readonly start: string | null
}

export interface ProcessTable {
  /** Every process that still does something; a zombie does not. */
  rows(): ProcessRow[]
  row(pid: number): ProcessRow | null
  /** Whether the process was started with this text in its environment. */
  carries(pid: number, mark: string): boolean
  /** Whether it was started with this variable, whatever its value. */
  hasVariable(pid: number, name: string): boolean
}

export function processTable(platform: NodeJS.Platform): ProcessTable {
  return platform === 'linux' ? procTable : platform === 'win32' ? blindTable : psTable
}

/** Which boot of the machine this is; null where the platform needs none, because start times are times of day. */
export function bootId(platform: NodeJS.Platform): string | null {
  return platform === 'linux' ? textIn('/proc/sys/kernel/random/boot_id').trim() || null : null
}

/** Whether the very process that wrote this down lives: pid, start time and boot must all be what they were, where they are known. */
export function isAlive(
  table: ProcessTable,
  { pid, start, boot }: { readonly pid: number; readonly start: string | null; readonly boot: string | null },
  bootNow = bootId(process.platform),
): boolean {
  const row = table.row(pid)
  if (row === null) return false
  const isSame = (then: string | null, now: string | null) => then === null || now === null || then === now
  return isSame(start, row.start) && isSame(boot, bootNow)
}

/** Linux: /proc knows everything, without starting anything. */
const procTable: ProcessTable = {
  rows: () =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => procTable.row(Number(name)) ?? []),
  row(pid) {
    const stat = textIn(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may itself hold spaces and parentheses: fields count from the last one.
    const [state, ppid, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === undefined || state === '' || state === 'X') return null
    // A first thread that has ended is shown as a zombie while others of the process still run and hold its files.
    if (state === 'Z' && Number(rest[13]) <= 1) return null
    return { pid, ppid: Number(ppid), group: Number(group), session: Number(session), start: rest[15] ?? null }
  },
  carries: (pid, mark) => environment(pid).includes(`\0${mark}\0`),
  hasVariable: (pid, name) => environment(pid).includes(`\0${name}=`),
}

function environment(pid: number): string {
  try {
    return `\0${smallText(`/proc/${pid}/environ`, 'latin1')}`
  } catch (cause) {
    // Its first thread has ended: what is left of the process shows it.
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') return ''
    return `\0${threads(pid).reduce((so, thread) => so || textIn(`/proc/${pid}/task/${thread}/environ`, 'latin1'), '')}`
  }
}

function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** macOS and the BSDs: ps, which does not show environments of others. */
const psTable: ProcessTable = {
  rows: () =>
    execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,sess=,stat=,lstart='], { encoding: 'utf8', timeout: 5000 })
      .split('\n')
      .flatMap(line => {
        const [pid, ppid, group, session, state, ...start] = line.trim().split(/\s+/)
        if (!pid || state?.startsWith('Z')) return []
        return [
          { pid: +pid, ppid: Number(ppid), group: Number(group), session: Number(session), start: start.join(' ') },
        ]
      }),
  row: pid => psTable.rows().find(row => row.pid === pid) ?? null,
  carries: () => false,
  hasVariable: () => false,
}

/** Windows: taskkill knows trees by itself, so only life and death are checked here. */
const blindTable: ProcessTable = {
  rows: () => [],
  row(pid) {
    try {
      process.kill(pid, 0)
      return { pid, ppid: 0, group: 0, session: 0, start: null }
    } catch {
      return null
    }
  },
  carries: () => false,
  hasVariable: () => false,
}

/** Windows ends a whole tree with one program. */
export function taskkill(pid: number): void {
  try {
    execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', timeout: 10_000 })
  } catch {
    // Already gone, or not ours to end: the caller looks afterwards and reports what is left.
  }
}
