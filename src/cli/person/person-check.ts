import { systemClock } from '../../base/clock.ts'
import { processTable } from '../../base/process/process-table.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { RUN_VARIABLE } from '../../runs/run/run-registry.ts'
import { RunStore } from '../../runs/store/run-store.ts'

/** Widening policy is a person's act: it needs their terminal, and it is refused from inside a command we run. */
export function needPerson(stateDir: string): void {
  refuseInsideRun(stateDir)
  needTerminal()
}

/** `what`: what only a person can do. */
export function refuseInsideRun(stateDir: string, what = 'widen what may run'): void {
  if (insideARun(stateDir))
    throw new TermError(
      'PM_TERM_APPROVAL_REQUIRED',
      `A command that runs here cannot ${what}. Use a terminal of your own.`,
    )
}

export function needTerminal(): void {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a person can widen what may run: use a terminal.')
}

/** A run may hide its mark from its children, but not that they descend from it or from a server that runs commands. */
function insideARun(stateDir: string): boolean {
  const table = processTable(process.platform)
  const store = new RunStore({ stateDir, serverId: 'policy', now: systemClock.now })
  const servers = store.unclosedByOthers().flatMap(ledger => ledger.first()?.opened.server ?? [])
  let row = table.row(process.pid)
  for (let depth = 0; row && depth < 256; depth++) {
    const { pid, start, ppid } = row
    if (table.hasVariable(pid, RUN_VARIABLE)) return true
    if (servers.some(server => server.pid === pid && server.start === start)) return true
    row = table.row(ppid)
  }
  return process.env[RUN_VARIABLE] !== undefined
}
