import type { Settings } from '../../config/env.ts'
import type { KeptDecline } from '../../contract/window/decline-frames.ts'
import type { Project } from '../../contract/wire/project.ts'
import { suggest, wouldHold } from '../../policy/explain/suggest.ts'
import { brokenRules, rulesInForce } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import type { RuleFiles, WorkspaceRules } from '../../policy/files/rule-files.ts'
import type { TrustGround } from '../../policy/files/trust-ground.ts'
import { plainReading } from '../../policy/judge/same-command.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { hasOpenQuote } from '../../policy/read/open-quote.ts'
import type { Workspace } from '../../policy/rules/rules.ts'
import { judgeInteractive, rulesOn } from '../../runs/facts/judge-line.ts'
import { jailedEnv } from '../../runs/jail/jailed-words.ts'
import type { TryFirst } from '../../runs/jail/try-first.ts'
import { runEnv } from '../../runs/plan/base-env.ts'
import { type GivenEnvs, givenEnvs } from '../../runs/plan/given-env.ts'
import { linePrograms } from '../../runs/plan/line-programs.ts'
import { makePlan } from '../../runs/plan/plan.ts'
import { venvEnv } from '../../runs/plan/virtual-env.ts'
import type { JudgedRun } from '../../runs/run/approver.ts'
import type { AskedCommand, KeptDeclines } from '../questions/kept-declines.ts'
import { proposedRules, type ScopedRules } from '../questions/scoped-rules.ts'
import { unsafeCarried, withCarried } from '../terminals/carry.ts'
import { shellFor } from '../terminals/shell-profile.ts'
import { ownShell } from '../terminals/shell-start.ts'
import { type Judgeable, judged, noteBroken } from './judged-once.ts'
import { isPiped, mayChangeShell, openQuote, readingsOf } from './line-readings.ts'
import type { JudgedRequest, PermitTarget } from './prepared-request.ts'
import { neededProgram } from './program-file.ts'
import { alwaysNeedsApproval, mayOpenShell } from './shell-gate.ts'
import { triedHere } from './tried-here.ts'
import { tabPlan, typedPlan } from './typed-plan.ts'

/** What this host was started with. */
export interface HostWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where a request without a directory runs. */
  readonly home: string
  readonly shell: string
  readonly platform: NodeJS.Platform
  readonly tmp: readonly string[]
  readonly ours: readonly string[]
  /** Where a folder may be trusted. */
  readonly ground: TrustGround
}

export interface GateDeps {
  readonly world: HostWorld
  readonly settings: Pick<Settings, 'PM_TERM_AUTO_APPROVE' | 'PM_TERM_GRAVE' | 'PM_TERM_HAND_ON'>
  readonly ruleFiles: RuleFiles
  readonly scoped: ScopedRules
  readonly declines: KeptDeclines
  readonly tries: TryFirst
  /** Where our additions to the person's shells lie. */
  readonly shellFiles: string
}

/** The host's own judgement (docs/spec.md D12): what a client says about a command makes it stricter or changes nothing. */
export class InteractiveGate {
  readonly #deps: GateDeps
  readonly #given: GivenEnvs
  readonly #defaults = defaultRules()

  constructor(deps: GateDeps) {
    this.#deps = deps
    this.#given = givenEnvs(deps.world.env, 'interactive', deps.settings.PM_TERM_HAND_ON)
  }

  /** The shell itself always comes from here, never from a virtual environment or from what a request puts first. */
  get #ownPath(): string {
    return this.#given.all.PATH ?? ''
  }

  workspaceAt(cwd: string): Workspace | null {
    return this.#deps.ruleFiles.workspaceAt(cwd)
  }

  rulesFor(prepared: JudgedRequest): WorkspaceRules {
    return this.#deps.ruleFiles.rulesFor({ cwd: prepared.place.cwd, lane: 'interactive' })
  }

  judge(prepared: JudgedRequest, run: Judgeable, instead: string | undefined): JudgedRun {
    if (prepared.how === 'open') return this.#judgeShell(prepared, run)
    if (prepared.how === 'permit' && prepared.frame.intent === 'open_only') return this.#judgeTab(prepared, run)
    const { world } = this.#deps
    const { cwd } = prepared.place
    const { line, rules, shell, added, path, broken } = this.#read(prepared, run, instead)
    const { command, args } = line
    const { env: carried } = prepared.terminal
    const runsWith = { venv: prepared.place.venv, ownPath: this.#ownPath }
    const strict = this.#stricter(judgeInteractive(line, rules, runsWith, world), prepared)

    noteBroken(run, broken)
    // Hard to undo stays the first thing said.
    const why = strict.tier === 'none' ? broken : `${strict.why}; ${broken}`
    const said = broken !== null && why !== null && strict.verdict === 'approval' ? { ...strict, why } : strict
    const isDeclined = instead === undefined && said.verdict === 'auto' && this.keptDecline(prepared, run) !== null
    const asked: Verdict = isDeclined ? { ...said, verdict: 'approval', why: 'the person declined it for today' } : said
    const { verdict, jail } =
      instead === undefined &&
      prepared.how === 'run' &&
      broken === null &&
      asked.verdict === 'approval' &&
      rules.workspace?.tries
        ? triedHere(this.#deps, asked, {
            ...{ prepared, run, line, workspace: rules.workspace, path: this.#ownPath },
            isDeclined: () => this.keptDecline(prepared, run) !== null,
          })
        : { verdict: asked, jail: null }

    return judged(verdict, () => {
      if (!args && hasOpenQuote(command, shell.name)) throw openQuote()
      const typed = { cwd, command, readings: readingsOf(command, verdict), platform: world.platform }
      if (prepared.how === 'permit') return tabPlan(prepared.terminal, typed, run.request.env)
      if (prepared.how === 'send') return typedPlan(prepared.terminal, typed)

      const given = verdict.verdict === 'approval' ? this.#given.approved : this.#given.unapproved
      const start = jail === null ? withCarried(given.env, carried) : jailedEnv(given.env, world.home)
      const env = runEnv(start, added, prepared.marks)
      const carrying =
        args || jail !== null || !(mayChangeShell(verdict) || isPiped(command)) ? undefined : shell.argvCarrying
      const readings = args ? [[[command, ...args]]] : readingsOf(command, verdict)

      const { platform } = world
      const search = { path, cwd, home: env.HOME, shell: shell.name, platform }
      const programs = linePrograms(args ? null : command, readings, search)
      return makePlan({
        command,
        argv: args ? [command, ...args] : (carrying ?? shell.argvFor)(command, programs.pins),
        cwd,
        env,
        leftOut: given.leftOut,
        program: args
          ? neededProgram(path, { command }, cwd, platform)
          : neededProgram(this.#ownPath, { shell: shell.program }, cwd, platform),
        carry: carrying !== undefined,
        commands: readings.flat(),
        programs,
        search,
        asked: verdict.verdict === 'approval',
        jail,
      })
    })
  }

  /** The no for the day that this command falls under; null: none. */
  keptDecline(prepared: JudgedRequest, run: Judgeable): KeptDecline | null {
    const { declines } = this.#deps
    return declines.isEmpty || prepared.how === 'open' ? null : declines.find(this.plainly(prepared, run))
  }

  /** The command as it is compared with others: without its dress, and with who wants it. */
  plainly(prepared: JudgedRequest, run: Judgeable): AskedCommand {
    const { line, rules } = this.#read(prepared, run, undefined)
    return {
      reading: plainReading(line, rules.facts),
      requester: prepared.requester,
      client: run.request.client ?? '',
    }
  }

  /** The usual rules that would cover it the next time: one for each part that none covers. Empty: a part has none. */
  widerRules(prepared: JudgedRequest, run: Judgeable, verdict: Verdict): readonly string[] {
    if (prepared.how !== 'run') return []
    const { line, rules } = this.#read(prepared, run, undefined)
    // "terraform apply *" is whatever apply can do, anywhere: no key for that, though a person may write it by hand.
    const found = suggest(line, rules).filter(({ stays }) => stays)
    const open = verdict.parts.flatMap(({ covered }, i) => (covered ? [] : [i]))
    // Narrowest first: the last one that is for a part is the usual one.
    const each = open.map(i => found.filter(({ part }) => part === i).at(-1)?.pattern)
    return [...new Set(each)].flatMap(rule => (each.includes(undefined) || rule === undefined ? [] : [rule]))
  }

  /** The rules that are exactly its parts. Empty: none of them would hold, as where the repository itself needs approval. */
  exactRules(prepared: JudgedRequest, run: Judgeable, verdict: Verdict, project: Project): readonly string[] {
    const { line, rules } = this.#read(prepared, run, undefined)
    const texts = proposedRules(verdict)
    // They would be rules of the project that the answer makes a workspace.
    const { id, directory, kind, trusted } = project
    const there = kind === 'offered' && id !== null ? { ...rules, workspace: { id, directory, trusted } } : rules
    return wouldHold(texts, line, there) ? texts : []
  }

  /** The line, what it meets, and what it would run with. */
  #read(prepared: JudgedRequest, run: Judgeable, instead: string | undefined) {
    const { world, settings } = this.#deps
    const { cwd } = prepared.place
    const files = this.rulesFor(prepared)
    const { workspace } = files
    const { id: terminalId, env: carried, profile } = prepared.terminal
    const given = withCarried(this.#given.all, carried)

    const basePath = run.request.env.PATH ?? given.PATH ?? ''
    const added = { ...run.request.env, ...venvEnv(prepared.place.venv, basePath) }
    const path = added.PATH ?? basePath
    const shell = shellFor(profile, world)

    const workspaceId = workspace?.id ?? null
    const scoped = this.#deps.scoped.rulesFor({ requester: prepared.requester, workspaceId, cwd, terminalId })
    const line = {
      command: instead ?? run.request.command,
      args: instead === undefined ? (run.request.args ?? undefined) : undefined,
      env: run.request.env,
      cwd,
      shell: shell.name,
    }

    const machineRules = {
      machine: world,
      rules: rulesInForce(files, this.#defaults, scoped),
      workspace,
      autoApprove: settings.PM_TERM_AUTO_APPROVE,
    }
    return { line, rules: rulesOn(machineRules, cwd, path), shell, added, path, broken: brokenRules(files.broken) }
  }

  #judgeShell(prepared: JudgedRequest, run: Judgeable): JudgedRun {
    const { world, settings, shellFiles } = this.#deps
    const autoApprove = settings.PM_TERM_AUTO_APPROVE
    const wantsPerson = prepared.frame.approval_required === true
    const rules = this.rulesFor(prepared)
    noteBroken(run, brokenRules(rules.broken))
    return judged(mayOpenShell(rules, { autoApprove, wantsPerson }), () => {
      const { cwd, venv } = prepared.place
      const { profile } = prepared.terminal
      const { program, args, env } = ownShell(profile, world, { env: world.env, directory: shellFiles, venv })
      return makePlan({
        command: '',
        argv: [program, ...args],
        cwd,
        env: runEnv(env, {}, prepared.marks),
        program: neededProgram(world.env.PATH ?? '', { shell: program }, cwd, world.platform),
      })
    })
  }

  /** A terminal of the editor that opens: as a shell of the person's, but what it is given may make it run anything. */
  #judgeTab({ frame, place, terminal, ...prepared }: JudgedRequest & PermitTarget, run: Judgeable): JudgedRun {
    const autoApprove = this.#deps.settings.PM_TERM_AUTO_APPROVE
    const rules = this.rulesFor({ ...prepared, frame, place, terminal })
    noteBroken(run, brokenRules(rules.broken))
    const verdict = mayOpenShell(rules, { autoApprove, wantsPerson: Object.keys(frame.env ?? {}).length > 0 })
    return judged(verdict, () => {
      const { platform } = this.#deps.world
      return tabPlan(terminal, { cwd: place.cwd, command: '', readings: [], platform }, frame.env ?? {})
    })
  }

  #stricter(verdict: Verdict, prepared: JudgedRequest): Verdict {
    const ask = (why: string): Verdict => ({ ...verdict, verdict: 'approval', why })
    if (isGrave(verdict) && this.#deps.settings.PM_TERM_GRAVE === 'block')
      return { ...verdict, verdict: 'destructive', why: `${verdict.why}; PM_TERM_GRAVE is block` }
    if (verdict.verdict !== 'auto') return verdict
    const { frame, terminal, how } = prepared
    if (how === 'send' || how === 'permit') return alwaysNeedsApproval(verdict)
    if (frame.approval_required === true) return ask('the asker wants a person to decide')
    const carried = unsafeCarried(terminal.env)
    if (carried.length > 0)
      return ask(
        `carried_env: earlier commands in this terminal changed ${carried.join(', ')}, so every command needs approval`,
      )
    return verdict
  }
}

/** The gate says how bad it could get; approving this needs a deliberate gesture. */
export const isGrave = (verdict: Verdict): boolean => verdict.tier === 'grave'
