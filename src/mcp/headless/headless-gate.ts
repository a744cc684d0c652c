import type { Clock } from '../../base/clock.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { brokenRules } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import type { RuleFiles, WorkspaceRules } from '../../policy/files/rule-files.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Rule, Workspace } from '../../policy/rules/rules.ts'
import type { Machine } from '../../runs/facts/disk-facts.ts'
import { FirstLines } from '../../runs/facts/first-line.ts'
import { judgeHeadless, rulesOn } from '../../runs/facts/judge-line.ts'
import type { Jail } from '../../runs/jail/jail.ts'
import { jailedEnv } from '../../runs/jail/jailed-words.ts'
import type { TryFirst } from '../../runs/jail/try-first.ts'
import { runEnv } from '../../runs/plan/base-env.ts'
import { type GivenEnv, givenEnvs } from '../../runs/plan/given-env.ts'
import { makePlan } from '../../runs/plan/plan.ts'
import type { JudgedRun } from '../../runs/run/approver.ts'
import type { Run } from '../../runs/run/run.ts'
import { refuseImpossible } from './impossible-line.ts'

/** What this process was started with. */
export interface ServerEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: NodeJS.Platform
  /** Directories anybody may write to. */
  readonly tmp: readonly string[]
  /** Our own files, which no command may name without approval. */
  readonly ours: readonly string[]
}

export interface HeadlessGateDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly world: ServerEnvironment
  readonly settings: Pick<Settings, 'PM_TERM_AUTO_APPROVE' | 'PM_TERM_HAND_ON'>
  readonly ruleFiles: RuleFiles
  readonly tries: TryFirst
}

/** The judgement of a server about what it would start itself: what no rule covers does not run. */
export class HeadlessGate {
  readonly #deps: HeadlessGateDeps
  readonly #machine: Machine
  /** Headless nobody approves anything by hand. */
  readonly #given: GivenEnv
  readonly #defaults: readonly Rule[] = defaultRules()
  readonly #joined = new WeakMap<readonly Rule[], readonly Rule[]>()

  constructor(deps: HeadlessGateDeps) {
    this.#deps = deps
    const firstLines = new FirstLines(() => deps.clock.now())
    this.#machine = { ...deps.world, firstLine: path => firstLines.of(path) }
    this.#given = givenEnvs(deps.world.env, 'headless', deps.settings.PM_TERM_HAND_ON).unapproved
  }

  /** What is asked of the rules meanwhile is one look at the disk. */
  atOnce<Answer>(ask: () => Answer): Answer {
    return this.#deps.ruleFiles.atOnce(ask)
  }

  workspaceAt(cwd: string): Workspace | null {
    return this.#deps.ruleFiles.workspaceAt(cwd)
  }

  rulesFor(cwd: string): WorkspaceRules & { readonly defaults: readonly Rule[] } {
    const files = this.#deps.ruleFiles.rulesFor({ cwd, lane: 'headless' })
    return { ...files, defaults: this.#defaults }
  }

  /** `marks`: what everything of the run carries in its environment. */
  judge(run: Run, marks: readonly string[]): JudgedRun {
    const { settings } = this.#deps
    const { command, args, env, cwd } = run.request
    const { rules, workspace, broken } = this.rulesFor(cwd)
    const autoApprove = settings.PM_TERM_AUTO_APPROVE
    const line = { command, cwd, env, args: args ?? undefined }

    // A broken rule file may have held a narrower rule than a default: nothing of the workspace runs without approval until it is fixed.
    const inForce = broken.length > 0 ? [] : this.#withDefaults(rules)
    const inForceHere = { machine: this.#machine, rules: inForce, workspace, autoApprove }
    const inOrder = rulesOn(inForceHere, cwd, this.#given.env.PATH ?? '')
    const { facts } = inOrder
    const judged = judgeHeadless(line, inOrder)

    const why = brokenRules(broken)
    if (why === null) refuseImpossible(line, judged, facts)
    const asked = why !== null && judged.verdict === 'blocked' ? { ...judged, why } : judged
    const { verdict, jail } =
      why === null && judged.verdict === 'blocked' && workspace?.tries
        ? this.#tried(run, judged, workspace)
        : { verdict: asked, jail: null }

    return {
      verdict,
      plan: () => {
        const argv = verdict.parts[0]?.argv ?? []
        const program = facts.program(argv[0] ?? '')
        if ('problem' in program) throw new TermError('PM_TERM_INTERNAL', `${argv[0]} ${program.problem}.`)
        const start = jail === null ? this.#given.env : jailedEnv(this.#given.env, this.#given.env.HOME ?? '/')
        const given = runEnv(start, env, marks)
        const { leftOut } = this.#given
        return makePlan({ command, argv, cwd, env: given, leftOut, program: program.path, jail })
      },
    }
  }

  /** One simple command whose words are known: there is no shell here to make anything else of it. */
  #tried(run: Run, verdict: Verdict, workspace: Workspace): { verdict: Verdict; jail: Jail | null } {
    const [part, ...more] = verdict.parts
    const { command, args, env, cwd } = run.request
    const isPlain = part?.argv && more.length === 0 && (args !== null || !/[*?[]/.test(command))
    if (!isPlain || this.#deps.settings.PM_TERM_AUTO_APPROVE === 'never') return { verdict, jail: null }
    const [program = '', ...words] = part.argv
    const line = { command: program, args: words, env, cwd, shell: 'none' }
    const path = this.#given.env.PATH ?? ''
    return this.#deps.tries.judge({ line, verdict, workspace, path, before: run.sandbox })
  }

  /** One list for the same rules, so that it is sorted once. */
  #withDefaults(rules: readonly Rule[]): readonly Rule[] {
    const all = this.#joined.get(rules) ?? [...rules, ...this.#defaults]
    this.#joined.set(rules, all)
    return all
  }
}
