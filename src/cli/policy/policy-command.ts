import { resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { jsonLog } from '../../base/log.ts'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { rulesInForce } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import type { RuleLayer } from '../../policy/files/workspace-files.ts'
import type { GateLane } from '../../policy/model/verdict.ts'
import type { Rules } from '../../policy/rules/rules.ts'
import { diskFacts, realPath } from '../../runs/facts/disk-facts.ts'
import { inheritedEnv } from '../../runs/plan/base-env.ts'
import { jailsHere } from '../machine/jails-here.ts'
import { say } from '../machine/say.ts'
import { worldOf } from '../machine/world.ts'
import { believedHere } from '../person/believed-here.ts'
import { changePolicy, type PolicyChange } from './change.ts'
import { policyEval } from './eval.ts'
import { policyExplain } from './explain.ts'
import { policyReplay } from './replay.ts'

interface PolicyFlags {
  readonly workspace?: string | undefined
  readonly headless?: boolean | undefined
  readonly directory?: string | undefined
  readonly 'bind-only'?: boolean | undefined
}

export async function policyCommand(
  raw: RawSettings,
  words: readonly string[],
  flags: PolicyFlags,
  version: string,
): Promise<number> {
  const [verb, operand] = words
  const configuration = loadSettings(raw)
  const { paths, settings } = configuration
  if (verb === 'eval')
    return policyEval(
      process.stdin,
      line => void process.stdout.write(line),
      () => worldOf(paths),
    )

  const log = jsonLog({ level: 'silent', write: () => {}, now: systemClock.now })
  const believed = believedHere(configuration, { clock: systemClock, ids: randomIds(), log, version })
  await believed.fresh()
  const { decisions } = believed
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now, decisions })

  const workspaceId = flags.workspace
  const bound = workspaceId === undefined ? null : files.directoryOf(workspaceId)
  const cwd = realPath(resolve(flags.directory ?? bound ?? process.cwd()))

  const rulesIn = (directory: string, lane: GateLane): Rules => {
    const there = files.rulesFor({ cwd: directory, lane })
    const { workspace } = there
    const world = worldOf(paths)
    const facts = diskFacts({ ...world, path: inheritedEnv(world.env).PATH ?? '', workspace, cwd: directory })
    return { rules: rulesInForce(there, defaultRules()), workspace, autoApprove: settings.PM_TERM_AUTO_APPROVE, facts }
  }

  const around = files.rulesFor({ cwd, lane: 'headless' })
  const workspace = () => workspaceId ?? around.workspace?.id ?? files.idFor(cwd)
  const change = (wanted: PolicyChange) => changePolicy({ configuration, files, version }, wanted)
  const layer: RuleLayer = flags.headless ? 'headless' : 'base'

  switch (verb) {
    case 'explain':
      return say(policyExplain(needOperand(operand, 'policy explain "git status && npm test"'), cwd, rulesIn))
    case 'replay':
      return say(policyReplay({ stateDir: paths.stateDir, pattern: operand ?? null, rulesIn }))
    case 'list':
      return list(around)
    case 'trust': {
      const directory = realPath(resolve(operand ?? cwd))
      const id = workspaceId ?? files.idFor(directory)
      const trusted = !flags['bind-only']
      await change({ verb, id, directory, trusted })
      return say(`${directory} is the workspace "${id}"${trusted ? ' and is trusted' : ''}.`)
    }
    case 'try': {
      const tries = operand !== 'off'
      const directory = around.workspace?.directory ?? cwd
      const trusted = around.workspace?.trusted ?? false
      await change({ verb: 'trust', id: workspace(), directory, trusted, tries })
      if (!tries) return say(`Nothing is tried any more in ${directory}: what no rule covers is asked about.`)
      const problem = jailsHere(paths).problem()
      return say(
        `What no rule covers is tried in the sandbox first in ${directory}.${problem === null ? '' : ` Not yet: ${problem}.`}`,
      )
    }
    case 'add': {
      const pattern = needOperand(operand, 'policy add "npm run build"')
      const id = workspace()
      if (!(await change({ verb, id, layer, pattern }))) return say('Nothing was changed.')
      return say(`"${pattern}" runs without asking in the workspace "${id}".`)
    }
    case 'remove': {
      const id = workspace()
      await change({ verb, id, layer, pattern: needOperand(operand, 'policy remove "npm run build"') })
      return say(`"${operand}" is no longer allowed in the workspace "${id}".`)
    }
    default:
      throw new TermError('PM_TERM_INVALID_PAYLOAD', 'What about the rules? See "policy --help".')
  }
}

function list(around: ReturnType<RuleFiles['rulesFor']>): number {
  const { workspace, idle, broken } = around
  const trusted = workspace?.trusted ? ', trusted' : ''
  say(workspace ? `workspace "${workspace.id}" at ${workspace.directory}${trusted}` : 'no workspace is bound here')
  const inForce = rulesInForce(around, defaultRules())
  for (const rule of inForce) say(`  ${rule.pattern.text.padEnd(24)} ${rule.source.padEnd(34)} ${rule.why}`)
  for (const rule of idle) say(`- ${rule.pattern.padEnd(24)} ${rule.source.padEnd(34)} not in force: ${rule.why}`)
  for (const { file, problem } of broken) say(`! ${file} ${problem}: until it is fixed no rule counts here`)
  return broken.length > 0 ? 1 : 0
}

function needOperand(operand: string | undefined, example: string): string {
  if (operand !== undefined && operand.trim() !== '') return operand
  throw new TermError('PM_TERM_INVALID_PAYLOAD', `Something is missing. For example: ${example}`)
}
