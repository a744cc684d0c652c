import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { systemClock } from '../base/clock.ts'
import { loadSettings, type RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { checkRule } from '../policy/check-rule.ts'
import { defaultRules } from '../policy/default-rules.ts'
import { RuleFiles, type RuleLayer } from '../policy/rule-files.ts'
import type { Rules } from '../policy/rules.ts'
import type { Lane } from '../policy/verdict.ts'
import { diskFacts, realPath } from '../runs/disk-facts.ts'
import { needPerson } from './person-check.ts'
import { policyEval } from './policy-eval.ts'
import { policyExplain } from './policy-explain.ts'
import { policyReplay } from './policy-replay.ts'
import { worldOf } from './world.ts'

interface PolicyFlags {
  readonly workspace?: string | undefined
  readonly headless?: boolean | undefined
  readonly directory?: string | undefined
  readonly 'bind-only'?: boolean | undefined
}

const HELP = `interactive-terminal policy

  explain "<command>"    what would happen to a line here, part by part, and which rule would cover it
  list                   what may run without asking in this directory, and where each rule comes from
  trust [directory]      bind a directory as a workspace and trust it to run its own code (--bind-only: do not trust)
  add "<pattern>"        allow a command: words, and * as the last one for any further words
  remove "<pattern>"
  replay ["<pattern>"]   what would happen to past requests today, or with one rule more
  eval                   judges JSON lines {id, shell, allowlist, command, args?, env?, lane} from stdin, defaults off

  --directory <dir>      look from there instead of from here
  --workspace <id>       default: the workspace around the directory
  --headless             add, remove: the rule counts for memory_terminal only
`

export async function policyCommand(raw: RawSettings, words: readonly string[], flags: PolicyFlags): Promise<number> {
  const [verb, operand] = words
  if (verb === 'eval') return policyEval(process.stdin, line => void process.stdout.write(line))
  const { paths, settings } = loadSettings(raw)
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now })
  const cwd = realPath(resolve(flags.directory ?? process.cwd()))
  const workspaceId = flags.workspace
  const rulesIn = (directory: string, lane: Lane): Rules => {
    const { rules, workspace, broken } = files.rulesFor({ workspaceId, cwd: directory, lane })
    const world = worldOf(paths)
    const facts = diskFacts({ ...world, path: world.env.PATH ?? '', workspace, cwd: directory })
    const inForce = broken.length > 0 ? [] : [...rules, ...defaultRules()]
    return { rules: inForce, workspace, autoApprove: settings.PM_TERM_AUTO_APPROVE, facts }
  }
  const around = files.rulesFor({ workspaceId, cwd, lane: 'headless' })
  const workspace = () => workspaceId ?? around.workspace?.id ?? files.idFor(cwd)
  const layer: RuleLayer = flags.headless ? 'headless' : 'base'
  switch (verb) {
    case 'explain':
      return say(policyExplain(needOperand(operand, 'policy explain "git status && npm test"'), cwd, rulesIn))
    case 'replay':
      return say(policyReplay({ stateDir: paths.stateDir, pattern: operand ?? null, rulesIn }))
    case 'list':
      return list(around)
    case 'trust': {
      needPerson(paths.stateDir)
      const directory = resolve(operand ?? cwd)
      const id = workspaceId ?? files.idFor(directory)
      const bound = files.bind(id, directory, !flags['bind-only'])
      return say(`${bound.directory} is the workspace "${id}"${bound.trusted ? ' and is trusted' : ''}.`)
    }
    case 'add': {
      needPerson(paths.stateDir)
      const pattern = needOperand(operand, 'policy add "npm run build"')
      if (!(await confirmed(pattern))) return say('Nothing was changed.')
      files.add(workspace(), layer, pattern)
      return say(`"${pattern}" runs without asking in the workspace "${workspace()}".`)
    }
    case 'remove':
      files.remove(workspace(), layer, needOperand(operand, 'policy remove "npm run build"'))
      return say(`"${operand}" is no longer allowed in the workspace "${workspace()}".`)
    default:
      process.stdout.write(HELP)
      return verb === undefined ? 0 : 2
  }
}

/** A rule that is wider than it looks is asked for a second time, with the reason. */
async function confirmed(pattern: string): Promise<boolean> {
  const check = checkRule(pattern)
  if (check.advice !== 'confirm') return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`"${pattern}" is wide: ${check.why}.\nAdd it all the same? Type yes: `)
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}

function list({ workspace, rules, idle, broken }: ReturnType<RuleFiles['rulesFor']>): number {
  const trusted = workspace?.trusted ? ', trusted' : ''
  say(workspace ? `workspace "${workspace.id}" at ${workspace.directory}${trusted}` : 'no workspace is bound here')
  for (const rule of [...rules, ...defaultRules()])
    say(`  ${rule.pattern.text.padEnd(24)} ${rule.source.padEnd(34)} ${rule.why}`)
  for (const rule of idle) say(`- ${rule.pattern.padEnd(24)} ${rule.source.padEnd(34)} not in force: ${rule.why}`)
  for (const { file, problem } of broken) say(`! ${file} ${problem}`)
  return broken.length > 0 ? 1 : 0
}

function needOperand(operand: string | undefined, example: string): string {
  if (operand !== undefined && operand.trim() !== '') return operand
  throw new TermError('PM_TERM_INVALID_PAYLOAD', `Something is missing. For example: ${example}`)
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
