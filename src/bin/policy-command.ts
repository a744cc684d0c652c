import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { loadSettings, type RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { defaultRules } from '../policy/default-rules.ts'
import { RuleFiles } from '../policy/rule-files.ts'
import { realPath } from '../runs/disk-facts.ts'
import { processTable } from '../runs/process-table.ts'
import { RUN_VARIABLE } from '../runs/run-registry.ts'
import { RunStore } from '../runs/run-store.ts'

interface PolicyFlags {
  readonly workspace?: string | undefined
  readonly headless?: boolean | undefined
  readonly directory?: string | undefined
  readonly 'bind-only'?: boolean | undefined
}

const HELP = `interactive-terminal policy

  list                        what may run without asking in this directory, and where each rule comes from
  trust [directory]           bind a directory as a workspace and trust it to run its own code (--bind-only: do not trust)
  add "<pattern>"             allow a command: words, and * as the last one for any further words
  remove "<pattern>"

  --workspace <id>            default: the name of the directory     --headless   the rule counts for memory_terminal only
`

/** Widening policy is a person's act: it needs their terminal, and it is refused from inside a command we run. */
export function policyCommand(raw: RawSettings, words: readonly string[], flags: PolicyFlags): number {
  const { paths } = loadSettings(raw)
  const needPerson = () => refuseWithoutPerson(paths.stateDir)
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now })
  const [verb, operand] = words
  const cwd = realPath(resolve(flags.directory ?? process.cwd()))
  const around = files.rulesFor({ workspaceId: flags.workspace, cwd, lane: 'headless' })
  const workspace = flags.workspace ?? around.workspace?.id ?? files.idFor(cwd)
  const layer = flags.headless ? 'headless' : 'base'
  switch (verb) {
    case 'list':
      return list(around)
    case 'trust': {
      needPerson()
      const directory = resolve(operand ?? cwd)
      const id = flags.workspace ?? files.idFor(directory)
      const bound = files.bind(id, directory, !flags['bind-only'])
      return say(`${bound.directory} is the workspace "${id}"${bound.trusted ? ' and is trusted' : ''}.`)
    }
    case 'add':
      needPerson()
      files.add(workspace, layer, needOperand(operand))
      return say(`"${operand}" runs without asking in the workspace "${workspace}".`)
    case 'remove':
      files.remove(workspace, layer, needOperand(operand))
      return say(`"${operand}" is no longer allowed in the workspace "${workspace}".`)
    default:
      process.stdout.write(HELP)
      return verb === undefined ? 0 : 2
  }
}

function list(around: ReturnType<RuleFiles['rulesFor']>): number {
  const { workspace, rules, idle, broken } = around
  say(
    workspace
      ? `workspace "${workspace.id}" at ${workspace.directory}${workspace.trusted ? ', trusted' : ''}`
      : 'no workspace is bound here',
  )
  for (const rule of [...rules, ...defaultRules()])
    say(`  ${rule.pattern.text.padEnd(24)} ${rule.source.padEnd(34)} ${rule.why}`)
  for (const rule of idle) say(`- ${rule.pattern.padEnd(24)} ${rule.source.padEnd(34)} not in force: ${rule.why}`)
  for (const { file, problem } of broken) say(`! ${file} ${problem}`)
  return broken.length > 0 ? 1 : 0
}

function refuseWithoutPerson(stateDir: string): void {
  if (insideARun(stateDir))
    throw new TermError(
      'PM_TERM_APPROVAL_REQUIRED',
      'A command that runs here cannot widen what may run. Use a terminal of your own.',
    )
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'Only a person can widen what may run: use a terminal.')
}

function needOperand(operand: string | undefined): string {
  if (operand !== undefined && operand !== '') return operand
  throw new TermError('PM_TERM_INVALID_PAYLOAD', 'Which pattern? For example: policy add "npm run build"')
}

/** A run may hide its mark from its children, but not that they descend from it or from a server that runs commands. */
function insideARun(stateDir: string): boolean {
  const table = processTable(process.platform)
  const store = new RunStore({ stateDir, serverId: 'policy', now: systemClock.now })
  const servers = store.unclosedByOthers().flatMap(ledger => ledger.read()[0]?.opened.server ?? [])
  let row = table.row(process.pid)
  for (let depth = 0; row && depth < 256; depth++) {
    const { pid, start, ppid } = row
    if (table.hasVariable(pid, RUN_VARIABLE)) return true
    if (servers.some(server => server.pid === pid && server.start === start)) return true
    row = table.row(ppid)
  }
  return process.env[RUN_VARIABLE] !== undefined
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
