import type { Clock } from '../clock.ts'
import { type ProcessRow, type ProcessTable, taskkill } from './process-table.ts'

/** What a run started, what runs below a shell, or all that a server started. */
export interface Tree {
  readonly pid: number
  readonly start: string | null
  /** NAME=value that is in the environment of everything below the root; null: nothing does, only descent counts. */
  readonly mark: string | null
  /** The root leads a group and session of its own and is itself part of the tree; of a shell only what is below it. */
  readonly leads: boolean
}

/** Whoever carries the mark, and all below: a server has other children too, a browser say, and they are not its runs. */
export const markedTree = (mark: string): Tree => ({ pid: NOBODY, start: null, mark, leads: true })

const NOBODY = -1

export interface TreeKillerDeps {
  readonly table: ProcessTable
  readonly platform: NodeJS.Platform
  readonly clock: Clock
}

const LOOK_EVERY_MS = 15
const RESCAN_EVERY = 8
const FORCED_ROUNDS = 100

/**
 * Ends every process of a tree, politely first: SIGTERM to the group and to whoever left it, SIGKILL after the grace,
 * again and again until a look finds nobody. Returns who is still there all the same.
 */
export async function killTree(deps: TreeKillerDeps, tree: Tree, graceMs: number): Promise<readonly number[]> {
  if (deps.platform === 'win32') {
    if (tree.pid === NOBODY) return []
    taskkill(tree.pid)
    return deps.table.row(tree.pid) ? [tree.pid] : []
  }
  const deadline = deps.clock.elapsed() + graceMs
  let known = membersOf(deps.table, tree)
  signal(known, 'SIGTERM')
  for (let look = 1; known.length > 0 && deps.clock.elapsed() < deadline; look++) {
    await pause(deps.clock)
    // A full look reads all of /proc: mostly those we know are enough.
    known = look % RESCAN_EVERY === 0 ? membersOf(deps.table, tree) : known.filter(row => stillThere(deps.table, row))
    if (known.length === 0) known = membersOf(deps.table, tree)
  }
  for (let round = 0; known.length > 0 && round < FORCED_ROUNDS; round++) {
    signal(known, 'SIGKILL')
    await pause(deps.clock)
    known = membersOf(deps.table, tree)
  }
  return known.map(row => row.pid)
}

/** The processes of a tree: the root's group and session, whoever carries the mark, and the descendants of them all. */
export function membersOf(table: ProcessTable, tree: Tree): ProcessRow[] {
  const rows = table.rows()
  const root = rows.find(row => row.pid === tree.pid)
  // The pid may belong to somebody else by now. Group and session ids stay reserved while a member lives.
  const reused = root !== undefined && tree.start !== null && root.start !== tree.start
  const leads = tree.leads && !reused
  const { mark } = tree
  const below = new Set(mark === null ? [] : rows.filter(row => table.carries(row.pid, mark)).map(row => row.pid))
  if (!reused) below.add(tree.pid)
  for (let grown = -1; grown !== below.size; ) {
    grown = below.size
    for (const row of rows) if (below.has(row.ppid)) below.add(row.pid)
  }
  return rows.filter(
    row =>
      (row.pid !== tree.pid || leads) &&
      (below.has(row.pid) || (leads && (row.group === tree.pid || row.session === tree.pid))),
  )
}

/** Ends at once, without waiting: for the last moment of a process. */
export function killAtOnce(deps: TreeKillerDeps, tree: Tree): void {
  if (deps.platform !== 'win32') signal(membersOf(deps.table, tree), 'SIGKILL')
  else if (tree.pid !== NOBODY) taskkill(tree.pid)
}

const stillThere = (table: ProcessTable, { pid, start }: ProcessRow): boolean => table.row(pid)?.start === start

function signal(rows: readonly ProcessRow[], name: 'SIGTERM' | 'SIGKILL'): void {
  for (const { pid } of rows) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended between the look and the signal.
    }
  }
}

const pause = (clock: Clock): Promise<void> => new Promise(resolve => void clock.after(LOOK_EVERY_MS, resolve))
