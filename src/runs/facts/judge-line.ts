import { decide, isInside } from '../../policy/judge/decide.ts'
import type { Line } from '../../policy/judge/line.ts'
import type { Part, Verdict } from '../../policy/model/verdict.ts'
import type { Facts, Rule, Rules, Workspace } from '../../policy/rules/rules.ts'
import { diskFacts, type Machine, realPath } from './disk-facts.ts'
import { expandGlobs } from './expand-globs.ts'

/** What a line meets on this machine: the rules in force where it would run. Server, host and `policy eval` judge by the same. */
export interface RulesAndMachine {
  readonly machine: Machine
  readonly rules: readonly Rule[]
  readonly workspace: Workspace | null
  readonly autoApprove: Rules['autoApprove']
}

export const rulesOn = ({ machine, ...rest }: RulesAndMachine, cwd: string, path: string): Rules => ({
  ...rest,
  facts: diskFacts({ ...machine, path, workspace: rest.workspace, cwd }),
})

/** Without a shell. What runs are the words that were judged, wildcards expanded. */
export function judgeHeadless(line: Line, rules: Rules): Verdict {
  const judge = (each: Line): Verdict => decide(each, rules, 'headless')
  const written = judge(line)
  if (written.verdict !== 'auto' || line.args) return written
  // There is no shell here to expand `*.txt`: a file that turns up later is not one of them. A line that may not run as it is
  // written is not expanded.
  const expanded = expandGlobs(line.command, line.cwd, rules.facts.home)
  if (expanded === null) return written
  const [part] = written.parts
  if (!part) return written
  if ('problem' in expanded) return refusedPart(written, part, expanded.problem)
  const { argv } = expanded
  const [command = '', ...args] = argv
  const { verdict, why } = judge({ ...line, command, args })
  return verdict === 'auto' ? { ...written, parts: [{ ...part, argv }] } : refusedPart(written, part, why)
}

const refusedPart = (verdict: Verdict, part: Part, why: string): Verdict => ({
  ...verdict,
  verdict: 'blocked',
  why,
  parts: [{ ...part, covered: false, rule: null, why }],
})

/** How a line runs in a shell: with which programs before the usual ones. */
export interface RunsWith {
  readonly venv: string | null
  /** The PATH of this host, before a request or a terminal changed it. */
  readonly ownPath: string
}

/** In a fresh shell. `rules` are those for the PATH that the line runs with. */
export function judgeInteractive(line: Line, rules: Rules, { venv, ownPath }: RunsWith, machine: Machine): Verdict {
  const verdict = decide(line, rules, 'interactive')
  if (verdict.verdict !== 'auto') return verdict
  const { workspace } = rules
  const isTrusted = (path: string) => workspace?.trusted === true && isInside(workspace.directory, realPath(path))
  const ours = diskFacts({ ...machine, path: ownPath, workspace, cwd: line.cwd })
  const shell = line.args ? null : shellProblem(line.shell ?? 'bash', ours)
  if (shell !== null) return asks(verdict, shell)
  const another = verdict.parts
    .flatMap(({ argv }) => argv?.[0] ?? [])
    .find(name => isAnother(name, rules.facts, ours, isTrusted))
  if (another !== undefined) return asks(verdict, `${another} is another program here than on the PATH of this host`)
  if (venv !== null && !isTrusted(venv))
    return asks(
      verdict,
      `the virtual environment ${venv} is not in a trusted folder, and its programs would come first`,
    )
  return verdict
}

/** The shell is a program like any other. */
function shellProblem(name: string, ours: Facts): string | null {
  const found = ours.program(name)
  return 'problem' in found && !found.absent ? `the shell ${name} ${found.problem}` : null
}

const asks = (verdict: Verdict, why: string): Verdict => ({ ...verdict, verdict: 'approval', why })

/** A name that stands for another file on the run's PATH than on ours; a trusted workspace may bring its own. */
function isAnother(name: string, facts: Facts, ours: Facts, isTrusted: (path: string) => boolean): boolean {
  if (name.includes('/')) return false
  const found = facts.program(name)
  const usual = ours.program(name)
  if ('problem' in found) return false
  return !('path' in usual && usual.path === found.path) && !isTrusted(found.path)
}
