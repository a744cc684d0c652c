import type { Clock } from '../../base/clock.ts'
import type { Receipt } from '../../contract/disk/receipt.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { makeReceipt } from '../../runs/receipt/make-receipt.ts'
import type { SealKey } from '../../runs/receipt/receipt-seal.ts'
import { lookAtWorkTree } from '../../runs/receipt/work-tree.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunStore } from '../../runs/store/run-store.ts'
import { waitFor } from '../../runs/wait/wait.ts'
import type { CallContext } from '../answers/present.ts'
import type { Hosts } from '../host-link/host-lanes.ts'
import type { LookFrom, RunLook } from '../host-link/look-on.ts'
import { findRun, headlessRun } from './find-run.ts'

export interface LookDeps {
  readonly clock: Clock
  readonly registry: RunRegistry
  readonly store: RunStore
  readonly host: Pick<Hosts, 'looks'>
  readonly sealKey: () => SealKey
  readonly version: string
}

/** What a client may see of a run without calling a tool. A run is looked for where `read_output` looks for it. */
export class RunLooks {
  readonly #deps: LookDeps

  constructor(deps: LookDeps) {
    this.#deps = deps
  }

  /** Throws: there is no such run for whoever asks. */
  async receipt(context: CallContext, id: string): Promise<Receipt> {
    const { registry, store, host, clock, sealKey, version } = this.#deps
    await registry.ready(id)
    if (!headlessRun(registry, { session_id: id })) {
      const receipt = await host.looks.receipt(context, id)
      if (receipt) return receipt
    }

    findRun(registry, { session_id: id })
    const record = store.record(id)
    if (!record) throw new TermError('PM_TERM_NOT_FOUND', `There is no record of ${id} any more.`)
    return makeReceipt({ record, rows: null, key: sealKey(), version, now: clock.now, lookAtWorkTree })
  }

  /** Waits for more output, the end, or so long. Throws: there is no such run for whoever asks. */
  async on(context: CallContext, from: LookFrom, signal: AbortSignal): Promise<RunLook> {
    const { registry, host, clock } = this.#deps
    const { id, cursor, ms } = from
    await registry.ready(id)
    if (!headlessRun(registry, { session_id: id })) {
      const look = await host.looks.on(context, from, signal)
      if (look) return look
    }

    const view = findRun(registry, { session_id: id })
    await waitFor(view, { until: 'bytes', said: by => by }, { clock, ms, signal, cursor })
    return { state: view.status().state.at, bytes: view.source().size }
  }
}
