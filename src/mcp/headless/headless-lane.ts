import { realpathSync, statSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ChildStarter } from '../../base/process/child-starter.ts'
import type { ProcessTable } from '../../base/process/process-table.ts'
import { sha256Of } from '../../base/sha256.ts'
import { Stopping } from '../../base/stopping.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { invalidPayload, noDirectory } from '../../contract/tool/issues.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import { claimWarning } from '../../policy/files/workspace-claim.ts'
import type { TryFirst } from '../../runs/jail/try-first.ts'
import { nobodyToAsk } from '../../runs/run/approver.ts'
import { executeRun, type RunDeps } from '../../runs/run/execute-run.ts'
import { killNoted } from '../../runs/run/left-end.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunRequest } from '../../runs/run/run-request.ts'
import type { EndedBy } from '../../runs/run/run-state.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { RunStore } from '../../runs/store/run-store.ts'
import { type WantedDirectory, wantedDirectory } from '../server/wanted-directory.ts'
import { HeadlessGate, type ServerEnvironment } from './headless-gate.ts'
import { HeadlessSpawner } from './headless-spawner.ts'

export interface HeadlessDeps {
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly registry: RunRegistry
  readonly store: RunStore
  readonly ruleFiles: RuleFiles
  readonly tries: TryFirst
  readonly table: ProcessTable
  readonly starter: ChildStarter
  readonly world: ServerEnvironment
  /** Called when there is another run. */
  readonly onOpened?: (id: string) => void
}

export type HeadlessStart = Omit<RunRequest, 'cwd' | 'payloadHash' | 'requester'> & {
  readonly directory: WantedDirectory
  /** What the caller's tool calls the id, for when it is wrong. */
  readonly idField: string
}

/** Runs commands as children of this server, without a shell and without a window: what no rule covers does not run. */
export class HeadlessLane {
  readonly #deps: HeadlessDeps
  readonly #gate: HeadlessGate
  readonly #runDeps: RunDeps
  readonly #cancels = new Map<string, { readonly cancel: Stopping; readonly asker: string | null }>()

  constructor(deps: HeadlessDeps) {
    this.#deps = deps
    const gate = new HeadlessGate(deps)
    const spawner = new HeadlessSpawner(deps)
    const { registry } = deps
    this.#gate = gate
    this.#runDeps = {
      clock: deps.clock,
      approver: nobodyToAsk,
      judge: run => gate.judge(run, Object.values(registry.marksOf(run.request.id))),
      spawn: (run, plan) => spawner.spawn(run, plan, () => this.#release(run)),
      kill: run => registry.killOwn(run),
      processesOf: run => registry.processesOf(run.request.id),
      killedByAnother: run => killNoted(run.directory),
    }
  }

  /** Starts it, or finds the run that this very request started before. `asker`: the MCP session it ends with. */
  start(
    request: HeadlessStart,
    asker: string | null = null,
  ): { readonly view: RunView; readonly startedHere: boolean } {
    return this.#gate.atOnce(() => this.#start(request, asker))
  }

  #start(request: HeadlessStart, asker: string | null): { readonly view: RunView; readonly startedHere: boolean } {
    const { directory, idField, ...wanted } = request
    const cwd = this.existingDirectory(directory)
    const { command, args, env, workspaceId, killAfterMs } = request
    const payloadHash = sha256Of(
      JSON.stringify(['headless', command, args, Object.entries(env).sort(), cwd, workspaceId, killAfterMs]),
    )
    const workspace = this.#gate.workspaceAt(cwd)
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
    this.#deps.onOpened?.(request.id)
    run.note = claimWarning(workspaceId, workspace, cwd)
    const cancel = new Stopping()
    this.#cancels.set(request.id, { cancel, asker })
    void executeRun(this.#runDeps, run, cancel.signal)
      .catch(cause => {
        const level = cause instanceof TermError && cause.code === 'PM_TERM_INVALID_PAYLOAD' ? 'debug' : 'error'
        this.#deps.log[level]('a run could not be started', { run: request.id, trace_id: request.traceId, cause })
      })
      .finally(() => {
        this.#cancels.delete(request.id)
        // Whoever waits for it is answered first.
        setImmediate(() => this.#release(run))
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

  rulesFor(cwd: string): ReturnType<HeadlessGate['rulesFor']> {
    return this.#gate.rulesFor(cwd)
  }

  existingDirectory(wanted: WantedDirectory): string {
    return existingDirectory(wantedDirectory(wanted, this.#deps.world.cwd), wanted.field)
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
