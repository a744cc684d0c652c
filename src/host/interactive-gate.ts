import type { Settings } from '../config/env.ts'
import type { CommandRequest } from '../contract/host-frames.ts'
import { decide, isInside } from '../policy/decide.ts'
import { defaultRules } from '../policy/default-rules.ts'
import { roughScan } from '../policy/destructive/rough-scan.ts'
import type { RuleFiles, WorkspaceRules } from '../policy/rule-files.ts'
import { changesShell } from '../policy/tools/shell-builtins.ts'
import type { Verdict } from '../policy/verdict.ts'
import { inheritedEnv, runEnv, withOwnGit } from '../runs/base-env.ts'
import { diskFacts, realPath } from '../runs/disk-facts.ts'
import type { Judged } from '../runs/execute-run.ts'
import { makePlan, type Plan } from '../runs/plan.ts'
import type { Run } from '../runs/run.ts'
import { neededProgram, programOn } from './program-file.ts'
import { type RunPlace, venvEnv } from './run-place.ts'
import type { ScopedRules } from './scoped-rules.ts'
import { mayOpenShell, neverUnasked } from './shell-gate.ts'
import { shellFor } from './shell-profile.ts'
import { ownShell } from './shell-start.ts'
import type { Terminal } from './terminals.ts'
import { unsafeCarried, withCarried } from './terminals-carry.ts'

/** What this host was started with. */
export interface HostWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where a request without a directory runs. */
  readonly home: string
  readonly shell: string
  readonly platform: NodeJS.Platform
  readonly tmp: readonly string[]
  readonly ours: readonly string[]
}

export interface GateDeps {
  readonly world: HostWorld
  readonly settings: Pick<Settings, 'PM_TERM_AUTO_APPROVE' | 'PM_TERM_GRAVE'>
  readonly ruleFiles: RuleFiles
  readonly scoped: ScopedRules
  /** Where our additions to the person's shells lie. */
  readonly shellFiles: string
}

/** A request with everything that was found out about it before it is judged. */
export interface Wanted {
  readonly frame: CommandRequest
  readonly place: RunPlace
  readonly terminal: Terminal
  /** run: in a process of its own · open: the person's own shell · send: typed into that. */
  readonly how: 'run' | 'open' | 'send'
  readonly requester: string
  readonly marks: readonly string[]
}

/** The host's own judgement (SPEC D12): what a client says about a command makes it stricter or changes nothing. */
export class InteractiveGate {
  readonly #deps: GateDeps
  readonly #inherited: Readonly<Record<string, string>>
  readonly #defaults = defaultRules()

  constructor(deps: GateDeps) {
    this.#deps = deps
    this.#inherited = inheritedEnv(deps.world.env)
  }

  rulesFor(wanted: Wanted): WorkspaceRules {
    const { frame, place } = wanted
    return this.#deps.ruleFiles.rulesFor({ workspaceId: frame.workspace_id, cwd: place.cwd, lane: 'interactive' })
  }

  judge(wanted: Wanted, run: Run, instead: string | undefined): Judged {
    if (wanted.how === 'open') return this.#judgeShell(wanted)
    const { world, settings } = this.#deps
    const { cwd } = wanted.place
    const command = instead ?? run.request.command
    const args = instead === undefined ? (run.request.args ?? undefined) : undefined
    const { rules, workspace, broken } = this.rulesFor(wanted)
    const { id: terminalId, env: carried, profile } = wanted.terminal
    const given = withCarried(this.#inherited, carried)
    const basePath = run.request.env.PATH ?? given.PATH ?? ''
    const added = { ...run.request.env, ...venvEnv(wanted.place.venv, basePath) }
    const path = added.PATH ?? basePath
    const facts = diskFacts({ ...world, path, workspace, cwd })
    const shell = shellFor(profile, world)
    const line = { command, args, env: run.request.env, cwd, shell: shell.name }
    const scoped = this.#deps.scoped.rulesFor({
      requester: wanted.requester,
      workspaceId: wanted.frame.workspace_id ?? null,
      cwd,
      terminalId,
    })
    const verdict = this.#stricter(
      decide(
        line,
        {
          // A broken rule file may have held a narrower rule than a default: nothing there runs unasked until it is mended.
          rules: broken.length > 0 ? scoped : [...rules, ...scoped, ...this.#defaults],
          workspace,
          autoApprove: settings.PM_TERM_AUTO_APPROVE,
          facts,
        },
        'interactive',
      ),
      wanted,
      name => this.#isAnother(name, path, workspace),
    )
    return judged(verdict, () => {
      if (wanted.how === 'send') return this.#planOfLine(wanted, command)
      const inherited = verdict.verdict === 'auto' ? this.#inherited : withOwnGit(this.#inherited)
      const env = runEnv(withCarried(inherited, carried), added, wanted.marks)
      const carrying = args || !mayChangeShell(verdict) ? undefined : shell.argvCarrying
      const argv = args ? [command, ...args] : (carrying ?? shell.argvFor)(command)
      const named = verdict.parts.flatMap(part => part.argv?.[0] ?? [])
      return makePlan({
        command,
        argv,
        cwd,
        env,
        program: neededProgram(path, args ? { command } : { shell: shell.program }, cwd, world.platform),
        carry: carrying !== undefined,
        commands: args ? [argv] : commandsIn(command, verdict),
        alsoRuns: args ? [] : named.flatMap(name => programOn(path, name, cwd, world.platform) ?? []),
      })
    })
  }

  #judgeShell(wanted: Wanted): Judged {
    const { world, settings, shellFiles } = this.#deps
    const autoApprove = settings.PM_TERM_AUTO_APPROVE
    const wantsPerson = wanted.frame.approval_required === true
    return judged(mayOpenShell(this.rulesFor(wanted), { autoApprove, wantsPerson }), () => {
      const { cwd } = wanted.place
      const { program, args, env } = ownShell(wanted.terminal.profile, world, { env: world.env, directory: shellFiles })
      return makePlan({
        command: '',
        argv: [program, ...args],
        cwd,
        env: runEnv(env, {}, wanted.marks),
        program: neededProgram(env.PATH ?? '', { shell: program }, cwd, world.platform),
      })
    })
  }

  /** Nothing is started for it: what runs is the shell that is there, and what it makes of the line. */
  #planOfLine({ terminal, place }: Wanted, command: string): Plan {
    return makePlan({ command, argv: [command], cwd: place.cwd, env: {}, program: terminal.shell?.program ?? '' })
  }

  #stricter(verdict: Verdict, wanted: Wanted, isAnother: (name: string) => boolean): Verdict {
    const ask = (why: string): Verdict => ({ ...verdict, verdict: 'approval', why })
    if (isGrave(verdict) && this.#deps.settings.PM_TERM_GRAVE === 'block')
      return { ...verdict, verdict: 'destructive', why: `${verdict.why}; PM_TERM_GRAVE is block` }
    if (verdict.verdict !== 'auto') return verdict
    const { frame, terminal, how } = wanted
    if (how === 'send') return neverUnasked(verdict)
    if (frame.approval_required === true) return ask('the asker wants a person to decide')
    const carried = unsafeCarried(terminal.env)
    if (carried.length > 0)
      return ask(
        `carried_env: earlier commands in this terminal changed ${carried.join(', ')}, so nothing runs unasked`,
      )
    const another = verdict.parts.map(({ argv }) => argv?.[0]).find(name => name !== undefined && isAnother(name))
    return another === undefined ? verdict : ask(`${another} is another program here than on the PATH of this host`)
  }

  /** A name that stands for another file on the run's PATH than on ours; a trusted workspace may bring its own. */
  #isAnother(name: string, path: string, workspace: WorkspaceRules['workspace']): boolean {
    const ours = this.#inherited.PATH ?? ''
    if (path === ours || name.includes('/')) return false
    const { platform } = this.#deps.world
    const found = programOn(path, name, '/', platform)
    if (found === null || found === programOn(ours, name, '/', platform)) return false
    return !(workspace?.trusted && isInside(workspace.directory, realPath(found)))
  }
}

/** One plan only: what was shown is what is checked again and started. */
function judged(verdict: Verdict, make: () => Plan): Judged {
  let plan: Plan | null = null
  return {
    verdict,
    plan: () => {
      plan ??= make()
      return plan
    },
  }
}

/** Every command the line might run, also where the gate's reader gave up: a person wants to see what those stand for most. */
function commandsIn(command: string, verdict: Verdict): string[][] {
  const read = verdict.parts.flatMap(part => (part.argv ? [part.argv] : []))
  return [...read, ...roughScan(command).map(({ argv }) => argv)].map(argv => [...argv])
}

/** Whether a line could leave the shell elsewhere or otherwise than it found it. One that is not fully read could. */
const mayChangeShell = ({ parts }: Verdict): boolean =>
  parts.some(({ argv }) => argv === null || changesShell(argv[0] ?? ''))

/** The gate says how bad it could get; a yes to this needs a deliberate gesture. */
export const isGrave = (verdict: Verdict): boolean => verdict.tier === 'grave'
