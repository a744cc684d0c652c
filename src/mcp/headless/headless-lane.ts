import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ChildStarter } from '../../base/process/child-starter.ts'
import { killTree } from '../../base/process/kill-tree.ts'
import type { ProcessTable } from '../../base/process/process-table.ts'
import { PtyStartLost } from '../../base/process/pty.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { invalidPayload, noDirectory } from '../../contract/tool/issues.ts'
import { brokenRules } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import type { RuleFiles, WorkspaceRules } from '../../policy/files/rule-files.ts'
import { claimWarning } from '../../policy/files/workspace-claim.ts'
import type { Rule } from '../../policy/rules/rules.ts'
import { judgeHeadless, rulesOn } from '../../runs/facts/judge-line.ts'
import { inheritedEnv, runEnv } from '../../runs/plan/base-env.ts'
import { makePlan } from '../../runs/plan/plan.ts'
import { recheck } from '../../runs/plan/plan-changes.ts'
import { nobodyToAsk } from '../../runs/run/approver.ts'
import { executeRun, type RunDeps } from '../../runs/run/execute-run.ts'
import { killNoted } from '../../runs/run/left-end.ts'
import { startPipeProcess } from '../../runs/run/pipe-process.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunRequest } from '../../runs/run/run-request.ts'
import type { EndedBy } from '../../runs/run/run-state.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { RunStore } from '../../runs/store/run-store.ts'
import { type WantedDirectory, wantedDirectory } from '../server/wanted-directory.ts'
import { refuseImpossible } from './impossible-line.ts'

export interface HeadlessDeps {
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly registry: RunRegistry
  readonly store: RunStore
  readonly ruleFiles: RuleFiles
  readonly table: ProcessTable
  readonly starter: ChildStarter
  readonly world: ServerEnvironment
}

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

export type HeadlessStart = Omit<RunRequest, 'cwd' | 'payloadHash' | 'requester'> & {
  readonly directory: WantedDirectory
  /** What the caller's tool calls the id, for when it is wrong. */
  readonly idField: string
}

/** Runs commands as children of this server, without a shell and without a window: what no rule covers does not run. */
export class HeadlessLane {
  readonly #deps: HeadlessDeps
  readonly #runDeps: RunDeps
  readonly #defaults: readonly Rule[] = defaultRules()
  readonly #inherited: Readonly<Record<string, string>>
  readonly #cancels = new Map<string, { readonly cancel: AbortController; readonly asker: string | null }>()

  constructor(deps: HeadlessDeps) {
    this.#deps = deps
    this.#inherited = inheritedEnv(deps.world.env)
    this.#runDeps = {
      clock: deps.clock,
      approver: nobodyToAsk,
      judge: run => this.#judge(run),
      spawn: (run, plan) => this.#spawn(run, plan),
      kill: run => deps.registry.killOwn(run),
      processesOf: run => deps.registry.processesOf(run.request.id),
      killedByAnother: run => killNoted(run.directory),
    }
  }

  /** Starts it, or finds the run that this very request started before. `asker`: the MCP session it ends with. */
  start(
    request: HeadlessStart,
    asker: string | null = null,
  ): { readonly view: RunView; readonly startedHere: boolean } {
    const { directory, idField, ...wanted } = request
    const cwd = this.existingDirectory(directory)
    const { command, args, env, workspaceId, killAfterMs } = request
    const payloadHash = createHash('sha256')
      .update(JSON.stringify(['headless', command, args, Object.entries(env).sort(), cwd, workspaceId, killAfterMs]))
      .digest('hex')
    const workspace = this.#deps.ruleFiles.workspaceAt(cwd)
    const opened = this.#deps.registry.open({
      ...wanted,
      cwd,
      workspaceId: workspace?.id ?? null,
      payloadHash,
      requester: 'local',
    })
    if ('existing' in opened) {
      if (opened.existing.opened.payload_hash === payloadHash) return { view: opened.existing, startedHere: false }
      throw invalidPayload([{ field: idField, problem: 'is already used with another payload' }])
    }
    const { run } = opened
    run.note = claimWarning(workspaceId, workspace, cwd)
    const cancel = new AbortController()
    this.#cancels.set(request.id, { cancel, asker })
    void executeRun(this.#runDeps, run, cancel.signal)
      .catch(cause => {
        const level = cause instanceof TermError && cause.code === 'PM_TERM_INVALID_PAYLOAD' ? 'debug' : 'error'
        this.#deps.log[level]('a run could not be started', { run: request.id, trace_id: request.traceId, cause })
      })
      .finally(() => {
        this.#cancels.delete(request.id)
        this.#release(run)
      })
    return { view: this.#mustFind(request.id), startedHere: true }
  }

  /** Somebody wants it stopped: before it starts it never will, after that its whole tree ends. */
  stop(id: string, by: EndedBy): void {
    this.#cancels.get(id)?.cancel.abort(by)
  }

  /** Everything that the client of this MCP session started. */
  stopAllOf(session: string, by: EndedBy): void {
    for (const { cancel, asker } of this.#cancels.values()) if (asker === session) cancel.abort(by)
  }

  rulesFor(cwd: string): WorkspaceRules & { readonly defaults: readonly Rule[] } {
    const files = this.#deps.ruleFiles.rulesFor({ cwd, lane: 'headless' })
    return { ...files, defaults: this.#defaults }
  }

  existingDirectory(wanted: WantedDirectory): string {
    return existingDirectory(wantedDirectory(wanted, this.#deps.world.cwd), wanted.field)
  }

  #judge(run: Run): ReturnType<RunDeps['judge']> {
    const { world, settings } = this.#deps
    const { command, args, env, cwd, id } = run.request
    const { rules, workspace, defaults, broken } = this.rulesFor(cwd)
    const autoApprove = settings.PM_TERM_AUTO_APPROVE
    const line = { command, cwd, env, args: args ?? undefined }

    // A broken rule file may have held a narrower rule than a default: nothing of the workspace runs without approval until it is fixed.
    const inForce = broken.length > 0 ? [] : [...rules, ...defaults]
    const inForceHere = { machine: world, rules: inForce, workspace, autoApprove }
    const inOrder = rulesOn(inForceHere, cwd, this.#inherited.PATH ?? '')
    const { facts } = inOrder
    const judged = judgeHeadless(line, inOrder)

    const why = brokenRules(broken)
    if (why === null) refuseImpossible(line, judged, facts)
    const verdict = why !== null && judged.verdict === 'blocked' ? { ...judged, why } : judged

    return {
      verdict,
      plan: () => {
        const argv = verdict.parts[0]?.argv ?? []
        const program = facts.program(argv[0] ?? '')
        if ('problem' in program) throw new TermError('PM_TERM_INTERNAL', `${argv[0]} ${program.problem}.`)
        const marks = Object.values(this.#deps.registry.marksOf(id))
        return makePlan({ command, argv, cwd, env: runEnv(this.#inherited, env, marks), program: program.path })
      },
    }
  }

  async #spawn(run: Run, plan: Parameters<RunDeps['spawn']>[1]): ReturnType<RunDeps['spawn']> {
    const { table, store, clock, registry, starter } = this.#deps
    recheck(plan)
    const { executable, argv, cwd, env, hash } = plan
    const mark = registry.marksOf(run.request.id).run

    const child = await startPipeProcess(
      starter,
      { executable: executable.path, argv, cwd, env },
      {
        output: (stream, chunk) => run.log.append(stream, chunk),
        streamEnd: stream => run.log.endStream(stream),
        closed: () => {
          run.close()
          this.#release(run)
        },
      },
      clock,
    ).catch(async (cause: unknown) => {
      if (cause instanceof PtyStartLost) await this.#endTree({ pid: -1, start: null, mark })
      throw cause
    })

    const start = child.start ?? table.row(child.pid)?.start ?? null
    const { path } = executable
    // It runs already: a full disk is no reason to call it not started.
    store.appendAfter({
      type: 'started',
      id: run.request.id,
      pid: child.pid,
      start,
      mark,
      executable: path,
      plan_hash: hash,
      at: clock.now(),
    })

    const ended = child.ended.then(async end => {
      if (end === 'lost') await this.#endTree({ pid: child.pid, start, mark })
      return end
    })
    return { pid: child.pid, pidStart: start, ended }
  }

  /** Whoever started it is gone, and with it what it prints: nothing of it goes on unseen. */
  async #endTree(tree: { readonly pid: number; readonly start: string | null; readonly mark: string }): Promise<void> {
    const { table, clock, log, settings, world } = this.#deps
    const killer = { table, clock, platform: world.platform }
    await killTree(killer, { ...tree, leads: true }, settings.PM_TERM_KILL_GRACE_MS).catch((cause: unknown) =>
      log.error('what is left of a lost command could not be ended', { cause }),
    )
  }

  /** Once it is over and nobody holds its output open any more, the disk answers for it. */
  #release(run: Run): void {
    if (run.over && run.drained && !this.#cancels.has(run.request.id)) this.#deps.registry.release(run)
  }

  #mustFind(id: string): RunView {
    const view = this.#deps.registry.find(id)
    if (view) return view
    throw new TermError('PM_TERM_INTERNAL', 'The run vanished right after it was opened.')
  }
}

function existingDirectory(cwd: string, field: string): string {
  const complain = (problem: Parameters<typeof noDirectory>[1]) =>
    invalidPayload([{ field, problem: noDirectory(cwd, problem) }])
  let real: string
  try {
    real = realpathSync.native(cwd)
  } catch {
    throw complain('does not exist')
  }
  if (!statSync(real).isDirectory()) throw complain('is not a directory')
  return real
}
