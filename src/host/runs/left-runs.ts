import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Watchers } from '../../base/watchers.ts'
import type { LeftRun } from '../../contract/wire/left-run-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { RequesterRuns } from './requester-runs.ts'

export interface LeftRunsDeps {
  readonly clock: Clock
  readonly runs: Pick<RequesterRuns, 'of'>
  readonly journal: Pick<Journal, 'append'>
}

interface Left {
  readonly item: LeftRun
  readonly watching: Disposable
}

/**
 * Commands that nobody waits for any more: a person let them run, so an agent that is interrupted or leaves does not end them.
 * The person sees them and can. Whoever asks about one again waits for it again.
 */
export class LeftRuns {
  readonly #deps: LeftRunsDeps
  readonly #all = new Map<string, Left>()
  readonly #watchers = new Watchers()

  constructor(deps: LeftRunsDeps) {
    this.#deps = deps
  }

  list(): LeftRun[] {
    return [...this.#all.values()].map(({ item }) => item)
  }

  watch(watcher: () => void): Disposable {
    return this.#watchers.add(watcher)
  }

  /** Nothing when it does not run, or was left before. */
  leave(view: RunView, by: { readonly requester: string; readonly client: string }, why: LeftRun['why']): void {
    const { id, command, args, terminal_id } = view.opened
    const { state, command_executed } = view.status()
    const key = keyOf(by.requester, id)
    if (state.at !== 'running' || this.#all.has(key)) return
    const item = {
      run_id: id,
      requester: by.requester,
      client: by.client,
      command: command_executed ?? [command, ...(args ?? [])].join(' '),
      terminal_id: terminal_id ?? null,
      why,
      since: new Date(this.#deps.clock.now()).toISOString(),
    }
    const watching = view.watch(() => view.over() && this.#forget(key))
    this.#all.set(key, { item, watching })
    this.#watchers.notify()
  }

  /** Somebody asks about it. */
  attended(requester: string, id: string): void {
    this.#forget(keyOf(requester, id))
  }

  /** Ends it with its whole tree, by a person's word. Nothing when it is not one of these any more. */
  async end(requester: string, id: string, by: string): Promise<void> {
    const left = this.#all.get(keyOf(requester, id))
    const { registry } = this.#deps.runs.of(requester)
    const run = left ? registry.own(id) : null
    if (run?.state.at !== 'running') return
    const body = { action: 'ended_left_run', terminal_id: left?.item.terminal_id ?? null, by }
    this.#deps.journal.append({ kind: 'terminal_changed', requester, runId: id, body })
    await run.stop('person', () => registry.killOwn(run))
  }

  #forget(key: string): void {
    const left = this.#all.get(key)
    if (!left) return
    left.watching.dispose()
    this.#all.delete(key)
    this.#watchers.notify()
  }
}

const keyOf = (requester: string, id: string): string => `${requester}\0${id}`
