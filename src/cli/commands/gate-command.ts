import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { jsonLog } from '../../base/log.ts'
import { loadSettings, type RawSettings } from '../../config/settings.ts'
import { rulesInForce } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { decide } from '../../policy/judge/decide.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { diskFacts, realPath } from '../../runs/facts/disk-facts.ts'
import { inheritedEnv } from '../../runs/plan/base-env.ts'
import { worldOf } from '../machine/world.ts'
import { believedHere } from '../person/believed-here.ts'

/** What a client says to a program that it asks before its own shell tool runs a command. */
interface HookCall {
  readonly command: string
  readonly cwd: string
}

const MOST_BYTES = 1024 * 1024

/**
 * `gate claude`: Claude Code asks this before its own shell tool runs anything (ADR 96). What a rule covers it may run itself. Anything
 * else is refused with the way to ask the person: our tool, which shows it in the window and runs it where they see it. Nothing is started
 * here, and whatever goes wrong blocks.
 */
export async function gateCommand(raw: RawSettings, version: string, stdin: AsyncIterable<Buffer>): Promise<number> {
  try {
    const call = hookCallIn(await textOf(stdin))
    process.stdout.write(`${JSON.stringify(hookAnswer(call, await verdictOn(raw, version, call)))}\n`)
    return 0
  } catch (cause) {
    process.stderr.write(
      `interactive-terminal could not judge this command, so it must not run: ${(cause as Error).message}\n`,
    )
    return 2
  }
}

/** In the words of Claude Code's PreToolUse hooks. */
export function hookAnswer({ command, cwd }: HookCall, { verdict, why }: Pick<Verdict, 'verdict' | 'why'>): object {
  const say = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  })
  switch (verdict) {
    case 'auto':
      return say('allow', `A rule covers it: ${why}.`)
    case 'approval':
    case 'try':
    case 'blocked': {
      const call = {
        action: 'execute',
        invocation: { mode: 'interactive', intent: 'execute_command' },
        execution: { command },
        runtime: { cwd },
      }
      return say(
        'deny',
        `It needs the person's approval: ${why}. Ask them with the tool memory_terminal_interactive, which shows it in their window and runs it once they approve: ${JSON.stringify(call)}`,
      )
    }
    case 'destructive':
      return say('deny', `It is refused for everybody: ${why}. Do not try it another way.`)
  }
}

async function verdictOn(raw: RawSettings, version: string, { command, cwd }: HookCall): Promise<Verdict> {
  const configuration = loadSettings(raw)
  const { paths, settings } = configuration
  const log = jsonLog({ level: 'silent', write: () => {}, now: systemClock.now })
  const believed = believedHere(configuration, { clock: systemClock, ids: randomIds(), log, version })
  await believed.fresh()
  const { decisions } = believed
  const files = new RuleFiles({ dataDir: paths.dataDir, now: systemClock.now, decisions })

  const directory = realPath(cwd)
  const there = files.rulesFor({ cwd: directory, lane: 'interactive' })
  const world = worldOf(paths)
  const path = inheritedEnv(world.env).PATH ?? ''
  const facts = diskFacts({ ...world, path, workspace: there.workspace, cwd: directory })
  const rules = rulesInForce(there, defaultRules())
  const autoApprove = settings.PM_TERM_AUTO_APPROVE
  return decide({ command, cwd: directory }, { rules, workspace: there.workspace, autoApprove, facts }, 'interactive')
}

export function hookCallIn(text: string): HookCall {
  const said = JSON.parse(text) as { cwd?: unknown; tool_input?: { command?: unknown } }
  const { cwd, tool_input } = said
  const command = tool_input?.command
  if (typeof command !== 'string' || command.trim() === '') throw new Error('the call of its tool names no command')
  if (typeof cwd !== 'string' || cwd === '') throw new Error('the call of its tool names no directory')
  return { command, cwd }
}

async function textOf(stdin: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('it is too long to be judged')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
