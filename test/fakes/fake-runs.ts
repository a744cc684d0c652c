import { invalidPayload } from '../../src/contract/tool/issues.ts'
import type { HeadlessLane, HeadlessStart } from '../../src/mcp/headless/headless-lane.ts'
import type { RunRegistry } from '../../src/runs/run/run-registry.ts'
import { openedLine } from '../../src/runs/run/run-request.ts'
import type { RunState } from '../../src/runs/run/run-state.ts'
import { statusOf } from '../../src/runs/run/run-status.ts'
import type { RunView } from '../../src/runs/run/run-view.ts'
import type { FakeClock } from './fake-clock.ts'

interface FakeRun {
  readonly view: RunView
  move(state: RunState): void
}

/** Stands in for the headless lane and the registry: runs start at once, print nothing and end when a test says so. */
export class FakeRuns {
  readonly started: HeadlessStart[] = []
  readonly cancelled: string[] = []
  readonly killed: string[] = []
  readonly #clock: FakeClock
  readonly #runs = new Map<string, FakeRun>()
  #fault: Error | null = null
  #noDirectory = false

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  get lane(): HeadlessLane {
    return {
      start: (request: HeadlessStart) => this.#start(request),
      stop: (id: string) => void this.cancelled.push(id),
      existingDirectory: (cwd: string | null) => cwd ?? '/project',
      rulesFor: () => ({ rules: [], idle: [], defaults: [], workspace: null, broken: [] }),
    } as never
  }

  get registry(): RunRegistry {
    return {
      find: (id: string) => this.#runs.get(id)?.view ?? null,
      own: () => null,
      ready: () => null,
      killStored: async (id: string) => {
        this.killed.push(id)
        return []
      },
      list: () => {
        if (this.#fault) throw this.#fault
        return { views: [...this.#runs.values()].map(({ view }) => view), more: 0 }
      },
    } as never
  }

  /** The process of a run ends by itself. */
  end(id: string, exitCode: number): void {
    const at = this.#clock.now()
    this.#runs
      .get(id)
      ?.move({ at: 'exited', exitCode, signal: null, startedAt: 0, endedAt: at, tookMs: at } as RunState)
  }

  breakWith(fault: Error | null): void {
    this.#fault = fault
  }

  noDirectory(): void {
    this.#noDirectory = true
  }

  #start(request: HeadlessStart): ReturnType<HeadlessLane['start']> {
    if (this.#noDirectory) throw invalidPayload([{ field: request.directory.field, problem: 'does not exist' }])
    const before = this.#runs.get(request.id)
    if (before) return { view: before.view, startedHere: false }
    this.started.push(request)
    const run = fakeRun(request)
    this.#runs.set(request.id, run)
    return { view: run.view, startedHere: true }
  }
}

function fakeRun(request: HeadlessStart): FakeRun {
  let state = { at: 'running', pid: 1, pidStart: null, startedAt: 0 } as RunState
  const watchers = new Set<() => void>()
  const server = { id: 'srv_fake', pid: 1, start: null }
  const opened = openedLine(
    { ...request, cwd: request.directory.cwd ?? '/project', payloadHash: 'hash', requester: 'local' },
    server,
    0,
  )
  return {
    move(to) {
      state = to
      for (const watcher of [...watchers]) watcher()
    },
    view: {
      owner: 'this_server',
      opened,
      status: () => statusOf(state, { size: 0, lost: 0 }, true),
      over: () => state.at !== 'running',
      source: () => ({ directory: '/nowhere', size: 0, over: state.at !== 'running' }),
      watch(watcher) {
        watchers.add(watcher)
        return { dispose: () => void watchers.delete(watcher) }
      },
      verdict: () => null,
      planHash: () => null,
      waits: () => null,
      lastWait: () => 'none',
      input: () => null,
      markWaitReported() {},
    },
  }
}
