import { join } from 'node:path'
import { shellFor } from '../../src/host/terminals/shell-profile.ts'
import { defaultRules } from '../../src/policy/files/default-rules.ts'
import type { Facts, Workspace } from '../../src/policy/rules/rules.ts'
import { judgeHeadless, judgeInteractive, rulesOn } from '../../src/runs/facts/judge-line.ts'
import { inheritedEnv, runEnv } from '../../src/runs/plan/base-env.ts'
import { programOn } from '../../src/runs/plan/program-on.ts'
import { venvEnv } from '../../src/runs/plan/virtual-env.ts'
import type { Start } from './surroundings-jail.ts'
import type { Trial } from './surroundings-lines.ts'
import type { Tree } from './surroundings-tree.ts'

/** How a product with one eye closed would see things. The whole one sees them as they are. */
export interface Eyes {
  /** False for a line that it sees as the whole one does. */
  readonly concerns?: (trial: Trial) => boolean
  readonly trial?: (trial: Trial, tree: Tree) => Trial
  readonly facts?: (facts: Facts, tree: Tree) => Facts
  readonly workspace?: (workspace: Workspace) => Workspace
  readonly inherited?: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
}

const DEFAULTS = defaultRules()

/** How a line would start if it ran unasked, judged as server and host do it; null: a person is asked, or nothing runs. */
export function startUnasked(trial: Trial, tree: Tree, eyes: Eyes = {}): Start | null {
  const judged = eyes.trial?.(trial, tree) ?? trial
  const verdict = judge(judged, tree, eyes)
  if (verdict.verdict !== 'auto') return null
  const { cwd, line, args } = trial
  const inherited = (eyes.inherited ?? inheritedEnv)(hostEnv(tree, trial.hostPath))
  const ownPath = inherited['PATH'] ?? ''
  const added = { ...trial.env, ...venvEnv(trial.venv, trial.env['PATH'] ?? ownPath) }
  const env = runEnv(inherited, added, [])
  const path = added['PATH'] ?? ownPath
  const spelled = judged.line === trial.line ? verdict.parts[0]?.argv : null
  const argv = args
    ? [line, ...args]
    : trial.lane === 'headless'
      ? (spelled ?? line.split(' '))
      : SHELL.argvFor(line, [])
  const isShell = trial.lane === 'interactive' && !args
  const file = programOn(isShell ? ownPath : path, argv[0] ?? '', cwd, 'linux')
  return file === null ? null : { file, argv, cwd, env }
}

const SHELL = shellFor('bash', { shell: '/bin/bash', platform: 'linux' })

function judge(trial: Trial, tree: Tree, eyes: Eyes): ReturnType<typeof judgeHeadless> {
  const { line: command, args, env, cwd, venv, hostPath, site } = trial
  const world = hostEnv(tree, hostPath)
  const ownPath = inheritedEnv(world)['PATH'] ?? ''
  const machine = {
    tmp: [join(tree.root, 'tmp')],
    ours: tree.ours,
    platform: 'linux' as const,
    env: world,
  }
  const workspace = site.workspace && (eyes.workspace?.(site.workspace) ?? site.workspace)
  const surroundings = { machine, rules: DEFAULTS, workspace, autoApprove: 'allowlist' as const }
  const path = venvEnv(venv, env['PATH'] ?? ownPath)['PATH'] ?? env['PATH'] ?? ownPath
  const seen = rulesOn(surroundings, cwd, trial.lane === 'headless' ? ownPath : path)
  const rules = eyes.facts ? { ...seen, facts: eyes.facts(seen.facts, tree) } : seen
  const line = { command, args, env, cwd, shell: 'bash' as const }
  return trial.lane === 'headless'
    ? judgeHeadless(line, rules)
    : judgeInteractive(line, rules, { venv, ownPath }, machine)
}

/** What a person may have in the environment that no line may meet. */
function hostEnv({ root, home, tripwire }: Tree, hostPath: string): Record<string, string> {
  const startup = join(root, 'marks/startup')
  return {
    PATH: hostPath,
    HOME: home,
    LANG: 'C.UTF-8',
    USER: 'somebody',
    BASH_ENV: startup,
    ENV: startup,
    PROMPT_COMMAND: tripwire,
    CDPATH: home,
    GIT_EXTERNAL_DIFF: tripwire,
    GIT_PAGER: tripwire,
    PAGER: tripwire,
    OLDPWD: home,
    'BASH_FUNC_ls%%': `() { ${tripwire} function; }`,
  }
}
