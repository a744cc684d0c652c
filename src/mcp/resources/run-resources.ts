import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import type { Watchers } from '../../base/watchers.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import type { CallContext } from '../answers/present.ts'
import { type ResourceCaller, type ResourceContent, type ResourceFront, RUNS_URI } from '../server/resource-front.ts'
import type { RunLooks } from '../tools/run-looks.ts'
import type { RunTools } from '../tools/run-tools.ts'
import { ShortIds } from '../tools/short-ids.ts'
import { followRun, isOpen } from './follow-run.ts'
import { outputContent } from './output-content.ts'
import { resourcePage, runsContent } from './run-list.ts'
import { readUri, receiptUri } from './run-uri.ts'

export interface ResourceDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly tools: Pick<RunTools, 'readOutput' | 'everyRun' | 'knownIds'>
  readonly looks: Pick<RunLooks, 'receipt' | 'on'>
  /** The id of each run that begins through this server. */
  readonly opened: Watchers<[id: string]>
}

/** Many runs at once are one piece of news. */
const LIST_NEWS_MS = 250
/** Of a list that somebody watches. */
const MOST_FOLLOWED = 32

/** Runs as MCP resources. Each is read by what the tools read it with, so that whoever may read a run by one may by the other. */
export class RunResources implements ResourceFront {
  readonly #deps: ResourceDeps
  readonly #short = new ShortIds()

  constructor(deps: ResourceDeps) {
    this.#deps = deps
  }

  async list(cursor: string | undefined, { asker }: ResourceCaller) {
    return resourcePage(await this.#deps.tools.everyRun(this.#context(asker)), cursor)
  }

  async read(uri: string, { asker, signal }: ResourceCaller): Promise<readonly ResourceContent[]> {
    const { tools, looks } = this.#deps
    const context = this.#context(asker)
    const wanted = readUri(uri)
    if (wanted.kind === 'runs') return [runsContent(await tools.everyRun(context))]

    const id = await this.#spelledOut(wanted.id, context)
    if (wanted.kind === 'receipt') {
      const receipt = await looks.receipt(context, id).catch(sayWhatThereIs)
      return [{ uri: receiptUri(id), mimeType: 'application/json', text: JSON.stringify(receipt, null, 2) }]
    }
    const call = { name: context.tool, arguments: {}, signal }
    return outputContent(id, wanted.cursor, options =>
      tools.readOutput(context, { session_id: id }, options, call).catch(sayWhatThereIs),
    )
  }

  async watch(uri: string, asker: Asker, changed: () => void): Promise<Disposable> {
    const wanted = readUri(uri)
    const over = new AbortController()
    const watching = { dispose: () => over.abort() }
    if (wanted.kind === 'runs') await this.#watchList(asker, changed, over.signal)
    else {
      const isReceipt = wanted.kind === 'receipt'
      const id = await this.#spelledOut(wanted.id, this.#context(asker))
      await this.#follow(id, asker, over.signal, isNews => {
        if (!isReceipt || isNews === 'state') changed()
      })
    }
    return watching
  }

  async onAppeared(watcher: () => void): Promise<Disposable> {
    const { opened, clock } = this.#deps
    let soon: Disposable | null = null
    const watching = opened.add(() => {
      soon ??= clock.after(LIST_NEWS_MS, () => {
        soon = null
        watcher()
      })
    })
    return {
      dispose() {
        watching.dispose()
        soon?.dispose()
      },
    }
  }

  /** The text of an answer has short ids; they stand for the same run here. */
  async #spelledOut(id: string, context: CallContext): Promise<string> {
    const whole = await this.#short.spelledOut({ session_id: id }, () => this.#deps.tools.knownIds(context))
    return (whole as { session_id: string }).session_id
  }

  /** Rejects when there is no such run for whoever asks. */
  async #follow(
    id: string,
    asker: Asker,
    signal: AbortSignal,
    changed: (what: 'state' | 'output') => void,
    over = () => {},
  ): Promise<void> {
    const { looks, clock } = this.#deps
    const look = (from: { cursor: number; ms: number }) => looks.on(this.#context(asker), { id, ...from }, signal)
    const first = await look({ cursor: 0, ms: 0 }).catch(sayWhatThereIs)
    const news: Parameters<typeof followRun>[2] = (now, before) =>
      changed(now.state !== before.state || now === before ? 'state' : 'output')
    void followRun(first, look, news, { clock, signal }).finally(over)
  }

  /** The list changes when a run begins, and when one is in another state. */
  async #watchList(asker: Asker, changed: () => void, signal: AbortSignal): Promise<void> {
    const { tools, opened } = this.#deps
    const followed = new Set<string>()
    const follow = (id: string) => {
      if (followed.has(id) || followed.size >= MOST_FOLLOWED) return
      followed.add(id)
      const forget = () => void followed.delete(id)
      const news = (what: 'state' | 'output') => {
        if (what === 'state') changed()
      }
      // Gone meanwhile: the next look at the list says so.
      this.#follow(id, asker, signal, news, forget).catch(forget)
    }

    const appeared = opened.add(id => {
      changed()
      follow(id)
    })
    signal.addEventListener('abort', () => appeared.dispose())
    const { items } = await tools.everyRun(this.#context(asker))
    for (const { session_id, state } of items) if (isOpen(state)) follow(session_id)
  }

  #context(asker: Asker): CallContext {
    const { ids } = this.#deps
    return {
      tool: 'memory_terminal',
      action: 'read_output',
      canonical: 'read_output',
      alias: null,
      warning: null,
      mode: null,
      requestId: ids.make('req'),
      requestIdIs: 'made',
      traceId: ids.make('trace'),
      clientRequestId: null,
      asker,
    }
  }
}

function sayWhatThereIs(cause: unknown): never {
  if (cause instanceof TermError && cause.code === 'PM_TERM_NOT_FOUND')
    throw new TermError('PM_TERM_NOT_FOUND', `${cause.message} ${RUNS_URI} lists those that can be read here.`)
  throw cause
}
