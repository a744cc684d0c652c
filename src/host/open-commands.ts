import { join } from 'node:path'
import { processTable } from '../base/process/process-table.ts'
import type { FoundPty, PtyOwner } from '../base/process/pty.ts'
import { RuleFiles } from '../policy/files/rule-files.ts'
import { Jails, thisMachine } from '../runs/jail/jail.ts'
import { TryFirst } from '../runs/jail/try-first.ts'
import type { Pairings } from './clients/pairings.ts'
import { TerminalActions } from './desk/terminal-actions.ts'
import { askPerson } from './gate/ask-person.ts'
import { InteractiveGate } from './gate/gate.ts'
import { needShell } from './gate/need-shell.ts'
import type { HostDeps } from './host.ts'
import type { HostTimes } from './host-times.ts'
import type { HostRecords } from './open-records.ts'
import { openRuns } from './open-runs.ts'
import { OutsideChanges } from './outside/outside-changes.ts'
import { Permits } from './permits/permits.ts'
import { ApprovalQueue, QUESTION_LIMITS } from './questions/approval-queue.ts'
import { KeptDeclines } from './questions/kept-declines.ts'
import { Presence } from './questions/presence.ts'
import { Previews } from './questions/previews.ts'
import { FileAdditions } from './questions/rule-file-additions.ts'
import { ScopedRules } from './questions/scoped-rules.ts'
import { BlockedCommandList } from './runs/blocked-commands.ts'
import { InputLane } from './runs/input-lane.ts'
import { InteractiveLane } from './runs/interactive-lane.ts'
import { settleJournal } from './runs/settle-journal.ts'
import { takeBack } from './runs/take-back.ts'
import { Terminals } from './terminals/terminals.ts'

export const ARMING_MS = 400

export type HostCommands = ReturnType<typeof openCommands>

/** Everything between a request and its process: questions, rules, the gate, terminals and the lane. What was left is taken back. */
export function openCommands(
  deps: HostDeps,
  { journal, decided: { decisions } }: Pick<HostRecords, 'journal' | 'decided'>,
  more: {
    readonly instanceId: string
    readonly pairings: Pairings
    readonly pty: PtyOwner
    readonly left: readonly FoundPty[]
    readonly times: HostTimes
  },
) {
  const { clock, ids, log, world } = deps
  const { settings, paths } = deps.configuration
  const { pty, pairings, instanceId, times } = more
  const { pid, platform } = process
  const killer = { table: processTable(platform), platform, clock }
  const runs = openRuns({ host: deps, killer, journal, health: pty.health, instanceId, pid })

  // Questions
  const { PM_TERM_APPROVER_WAIT_MS: approverWaitMs } = settings
  const presence = new Presence(clock)
  const queue = new ApprovalQueue({ clock, ids, ...QUESTION_LIMITS, approverWaitMs, armingMs: ARMING_MS })
  presence.watch(() => queue.approversAre(presence.count))
  const previews = new Previews(deps.previewer, queue, () => {
    const owner = pty.health.now()
    return [pid, ...(owner.at === 'up' && owner.pid !== null ? [owner.pid] : [])]
  })

  // Rules and gate
  const terminals = new Terminals(ids)
  const scoped = new ScopedRules(clock, ids)
  const declines = new KeptDeclines(clock, ids)
  const ruleFiles = new RuleFiles({ dataDir: paths.dataDir, now: clock.now, decisions })
  const shellFiles = join(paths.stateDir, 'shell')
  const { env, ours } = world
  const jails = new Jails({ ...thisMachine(), path: env.PATH ?? '', stateDir: paths.stateDir, home: world.home, ours })
  const tries = new TryFirst(jails)
  const gate = new InteractiveGate({ world, settings, ruleFiles, scoped, declines, tries, shellFiles })
  const { ground, home } = world
  const ruling = { queue, presence, ruleFiles, journal, times, ground, terminals }
  const approvals = askPerson({ ...ruling, clock, previews, gate, scoped, declines, approverWaitMs, person: world })
  const additions = new FileAdditions({ ...ruling, ids, log })
  const found = { decisions, ruleFiles, pairings, ground, settingsFile: paths.settingsFile }
  const outside = new OutsideChanges({ ...ruling, ...found, ids, log, additions })

  // Runs
  const blocked = new BlockedCommandList(clock)
  const starting = { pty, killer, home, approvals, additions, blocked }
  const lane = new InteractiveLane({ clock, log, runs, journal, terminals, gate, ...starting })
  const permits = new Permits({ clock, ids, journal, gate, approvals, world })
  const inputs = new InputLane({ ...ruling, clock, gate, runs })
  const desk = new TerminalActions({
    ...{ clock, ids, terminals, lane, runs, scoped, journal },
    needShell: (wanted, fallback = home) => needShell(world, wanted, fallback),
  })
  takeBack({ journal, log, runs }, more.left, (run, pty) => lane.takeBack(run, pty))
  settleJournal(journal, runs, log)
  const noSandbox = () => jails.problem()
  const judging = { ...ruling, noSandbox, previews, scoped, declines }
  return { ...judging, runs, additions, outside, blocked, lane, inputs, permits, desk }
}
