import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { SERVER_SEES_KILL_WITHIN_MS } from '../../base/process/grace.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import type { ListItem } from '../../contract/tool/run-lists.ts'
import { type WantedWait, wantedWait } from '../../contract/tool/wait.ts'
import { askerInWords } from '../../contract/wire/asker-words.ts'
import { tooSlow } from '../../runs/output/read-output.ts'
import { runError } from '../../runs/run/run-error.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import { listItem, plainResult } from '../../runs/run/run-result.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { Redactor } from '../../runs/secrets/redactor.ts'
import type { Woke } from '../../runs/wait/finder.ts'
import { UNTIL_EXIT, waitFor } from '../../runs/wait/wait.ts'
import { withWoke } from '../../runs/wait/with-woke.ts'
import { type CallContext, refuse, respond } from '../answers/present.ts'
import { shortList } from '../answers/short-answer.ts'
import { answerWithin } from '../asking/host-patience.ts'
import type { HeadlessLane, HeadlessStart } from '../headless/headless-lane.ts'
import { wantsItStopped } from '../host-link/cancellation.ts'
import type { CallTarget } from '../host-link/host-calls.ts'
import type { Hosts } from '../host-link/host-lanes.ts'
import { whyNobody } from '../host-link/lane.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { findRun, headlessRun } from './find-run.ts'
import { readFirst } from './read-first.ts'

export interface ToolDeps {
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly registry: RunRegistry
  readonly redactor: Redactor
  readonly headless: HeadlessLane
  readonly host: Hosts
}

export interface EveryRun {
  readonly items: readonly ListItem[]
  /** Older ones that are not among them. */
  readonly omitted: number
  readonly hosts: Awaited<ReturnType<Hosts['list']>>
  readonly warning?: string
}

const PROGRESS_EVERY_MS = 5000
const MOST_LISTED = 50
/** A short id is looked for among so many. */
const MOST_KNOWN = 1000

/** The four things both tools do with runs, whoever owns the run. */
export class RunTools {
  readonly #deps: ToolDeps

  constructor(deps: ToolDeps) {
    this.#deps = deps
  }

  async execute(
    context: CallContext,
    request: HeadlessStart,
    how: { waitMs: number; output: OutputOptions },
    call: ToolCall,
  ): Promise<AnyResponse> {
    const { asker } = context
    const named = asker ? { ...request, client: askerInWords(asker) } : request
    const { view, startedHere } = this.#deps.headless.start(named, asker?.session ?? null)
    const { view: ends, max_bytes, format } = how.output
    const wanted = wantedWait(how.output, { until: 'exit', timeoutMs: how.waitMs })
    const woke = await this.#wait(
      view,
      wanted ?? { ...UNTIL_EXIT, timeoutMs: how.waitMs },
      { cursor: 0, ...call },
      () => {
        // Only what this call started is this call's to stop.
        if (startedHere && wantsItStopped(call.signal)) this.#deps.headless.stop(request.id, 'cancelled')
      },
    )
    const read = await plainResult(view, { view: ends, max_bytes, format }, this.#deps)
    const result = wanted?.until === 'exit' ? read : withWoke(read, woke, { view, ...this.#deps })
    return this.#answer(context, view, result)
  }

  async readOutput(
    context: CallContext,
    target: CallTarget,
    options: OutputOptions,
    call: ToolCall,
  ): Promise<AnyResponse> {
    const reading = 'session_id' in target ? this.#deps.registry.ready(target.session_id) : null
    if (reading) await reading
    const view = headlessRun(this.#deps.registry, target)
    if (!view) {
      const answer = await this.#deps.host.read(context, target, options, call)
      if (answer) return answer
    }
    return this.#readHere(context, view ?? findRun(this.#deps.registry, target), options, call)
  }

  /** Waits for whichever of several runs is first; the answer is about that one and names the others. */
  readFirst(
    context: CallContext,
    ids: readonly string[],
    options: OutputOptions,
    call: ToolCall,
  ): Promise<AnyResponse> {
    const read = (id: string, how: OutputOptions, signal: AbortSignal) =>
      this.readOutput(context, { session_id: id }, how, { ...call, signal })
    return readFirst(ids, options, read, call.signal)
  }

  async terminate(context: CallContext, target: CallTarget): Promise<AnyResponse> {
    const reading = 'session_id' in target ? this.#deps.registry.ready(target.session_id) : null
    if (reading) await reading
    const view = headlessRun(this.#deps.registry, target)
    if (!view) {
      const answer = await this.#deps.host.terminate(context, target)
      if (answer) return answer
    }
    return this.#killHere(context, view ?? findRun(this.#deps.registry, target))
  }

  /** Every owner's runs. The host knows its own best, so its word about a run counts. */
  async list(context: CallContext): Promise<AnyResponse> {
    const { hosts, warning, ...all } = await this.everyRun(context)
    const { items, cwd, omitted: left } = shortList(all.items)
    const omitted = left + all.omitted
    return respond(context, {
      items,
      ...(cwd !== null && { cwd }),
      ...(omitted > 0 && { omitted_items: omitted }),
      ...(hosts && { terminals: [...hosts.terminals], approvers: hosts.approvers }),
      ...(hosts?.human && { human: hosts.human }),
      ...(hosts?.host !== undefined && { host: hosts.host }),
      ...(warning && { warning }),
    })
  }

  /** What is not over, and the newest of the others, whoever has them; in no order. */
  async everyRun(context: CallContext): Promise<EveryRun> {
    const { hosts, warning } = await this.#hostsList(context)
    await this.#deps.registry.ready()
    const { views, more } = this.#deps.registry.list(MOST_LISTED)
    const known = new Set(hosts?.items.map(item => item.session_id))
    const here = views.filter(view => !known.has(view.opened.id)).map(listItem)
    const items = [...here, ...(hosts?.items ?? [])]
    return { items, omitted: more + (hosts?.omitted ?? 0), hosts, ...(warning && { warning }) }
  }

  /** What a run was asked to run. Throws: there is no such run for whoever asks. */
  async lineOf(context: CallContext, id: string): Promise<{ command: string; args: readonly string[] | null }> {
    const { registry, host } = this.#deps
    await registry.ready(id)
    const target = { session_id: id }
    const elsewhere = headlessRun(registry, target) ? null : await host.looks.receipt(context, id)
    const { command, args = null } = elsewhere ?? findRun(registry, target).opened
    return { command, args }
  }

  /** What the caller could name: runs and terminals, the newest of them. */
  async knownIds(context: CallContext): Promise<string[]> {
    const { hosts } = await this.#hostsList(context)
    await this.#deps.registry.ready()
    const { views } = this.#deps.registry.list(MOST_KNOWN)
    return [
      ...views.map(view => view.opened.id),
      ...(hosts?.items ?? []).map(item => item.session_id),
      ...(hosts?.terminals ?? []).map(item => item.terminal_id),
    ]
  }

  /** The runs of this server are listed whatever is in the host's place. */
  async #hostsList(context: CallContext): Promise<{ hosts: Awaited<ReturnType<Hosts['list']>>; warning?: string }> {
    try {
      return { hosts: await this.#deps.host.list(context) }
    } catch (cause) {
      if (!(cause instanceof TermError)) throw cause
      return { hosts: null, warning: `Runs of the host are missing here. ${whyNobody(cause)}` }
    }
  }

  async #readHere(context: CallContext, view: RunView, options: OutputOptions, call: ToolCall): Promise<AnyResponse> {
    const wanted = wantedWait(options, null)
    const woke = wanted && (await this.#wait(view, wanted, { cursor: options.cursor, ...call }))
    const read = await plainResult(view, options, this.#deps)
    const result = woke ? withWoke(read, woke, { view, ...this.#deps }) : read
    // Reading succeeds whatever became of the run; how it ended is in the result.
    const { id, terminal_id } = view.opened
    const subject = { sessionId: id, terminalId: terminal_id ?? null }
    return respond(context, result, { ...subject, running: result.running === true })
  }

  async #killHere(context: CallContext, view: RunView): Promise<AnyResponse> {
    const { id } = view.opened
    const own = this.#deps.registry.own(id)
    const wasOver = view.over()
    const left = wasOver ? this.#deps.registry.processesOf(id) : []
    if (own && !wasOver) this.#deps.headless.stop(id, 'kill')
    else if (!wasOver || left.length > 0) await this.#deps.registry.killStored(id)
    // Its own server reports how it ended; that takes a moment more than the end itself.
    await waitFor(view, UNTIL_EXIT, { clock: this.#deps.clock, ms: SERVER_SEES_KILL_WITHIN_MS, signal: never })
    const nothing = wasOver && left.length === 0
    const warning = nothing && { warning: 'It had already ended; there was nothing to kill.' }
    const result = {
      ...(await plainResult(findRun(this.#deps.registry, { session_id: id }), {}, this.#deps)),
      ...warning,
    }
    return respond(context, result, { sessionId: id })
  }

  #answer(context: CallContext, view: RunView, result: Result): AnyResponse {
    const error = runError(view)
    const sessionId = view.opened.id
    return error
      ? refuse(context, error, { sessionId, result })
      : respond(context, result, { sessionId, running: result.running === true })
  }

  /** Waits no longer than the caller's own clock lets it, and reports progress where the caller listens. */
  async #wait(
    view: RunView,
    wanted: Pick<WantedWait, 'until' | 'said' | 'timeoutMs'>,
    call: Pick<ToolCall, 'progress' | 'signal' | 'answerWithinMs'> & { readonly cursor: number | undefined },
    onCancel = () => {},
  ): Promise<Woke> {
    const { clock, settings, registry } = this.#deps
    const { progress, signal, cursor } = call
    const ms = Math.min(wanted.timeoutMs, answerWithin(call, settings))
    const machine = { platform: process.platform, processes: () => registry.processesOf(view.opened.id) }
    const began = clock.elapsed()
    let ticker = { dispose() {} }
    const tick = () => {
      ticker = clock.after(PROGRESS_EVERY_MS, () => {
        const elapsed = clock.elapsed() - began
        const seconds = Math.round(elapsed / 1000)
        progress?.(elapsed, `${view.status().state.at} ${seconds} s, ${view.source().size} bytes of output`)
        tick()
      })
    }
    if (progress) tick()
    try {
      const woke = await waitFor(view, wanted, { clock, ms, signal, cursor, machine }).catch(tooSlow('wait.match'))
      if (signal.aborted) onCancel()
      return woke
    } finally {
      ticker.dispose()
    }
  }
}

const never = new AbortController().signal
