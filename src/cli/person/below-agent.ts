import { namesIn, textIn } from '../../base/process/quiet-reads.ts'

/** What is known of processes; passed in, so that a test can be any family. */
export interface Family {
  all(): readonly number[]
  parentOf(pid: number): number | null
  /** Its argument list; empty when it is not ours to see. */
  commandOf(pid: number): readonly string[]
  hasVariable(pid: number, name: string): boolean
}

const OURS = new Set(['mcp', 'host', 'pty-host', 'bridge'])
const MOST_PARENTS = 256

/**
 * Whether a process was started by an agent rather than by a person, as far as its family shows: below a run, below a server or
 * host of ours, or below a program that has started an MCP server of ours as well. null: nothing says so.
 */
export function belowAgent(pid: number, family: Family, runVariable: string): string | null {
  const above = parentsOf(pid, family)
  if ([pid, ...above].some(each => family.hasVariable(each, runVariable))) return 'it runs inside a command of an agent'
  const server = above.find(each => commandOfOurs(family.commandOf(each)) !== null)
  if (server !== undefined)
    return `it was started by "interactive-terminal ${commandOfOurs(family.commandOf(server))}" (process ${server})`
  for (const each of family.all()) {
    if (commandOfOurs(family.commandOf(each)) !== 'mcp') continue
    const client = family.parentOf(each)
    // Process 1 takes over whoever has lost its parent: that says nothing.
    if (client !== null && client > 1 && above.includes(client))
      return `it was started by process ${client}, which has also started an MCP server of ours: that is an agent`
  }
  return null
}

function parentsOf(pid: number, family: Family): number[] {
  const parents: number[] = []
  for (let at = family.parentOf(pid); at !== null && at > 0 && parents.length < MOST_PARENTS; at = family.parentOf(at))
    parents.push(at)
  return parents
}

/** The subcommand, if this is our program: `node …/interactive-terminal.cjs mcp`, or by the name npm gives it. */
function commandOfOurs(command: readonly string[]): string | null {
  const at = command.findIndex(word => /(^|[\\/])interactive-terminal(\.cjs)?$/.test(word))
  const word = at < 0 ? undefined : command.slice(at + 1).find(each => OURS.has(each))
  return word ?? null
}

/** The family on this machine. Where there is no /proc nothing is known; a terminal and a code are needed all the same. */
export const procFamily: Family = {
  all: () =>
    namesIn('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number),
  parentOf(pid) {
    const stat = textIn(`/proc/${pid}/stat`, 'latin1')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return stat === '' || !Number.isInteger(parent) ? null : parent
  },
  commandOf: pid => textIn(`/proc/${pid}/cmdline`, 'latin1').split('\0').filter(Boolean),
  hasVariable: (pid, name) => `\0${textIn(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${name}=`),
}
