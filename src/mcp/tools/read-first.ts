import { onAbort } from '../../base/disposable.ts'
import { Stopping } from '../../base/stopping.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import type { AnyResponse, OtherRun } from '../../contract/tool/response.ts'

type ReadRun = (id: string, options: OutputOptions, signal: AbortSignal) => Promise<AnyResponse>

/** Reads whichever of several runs is the first to be what was waited for; where none is, the first one that was named. */
export async function readFirst(
  ids: readonly string[],
  options: OutputOptions,
  read: ReadRun,
  signal: AbortSignal,
): Promise<AnyResponse> {
  const settled = new Stopping()
  const given = onAbort(signal, () => settled.abort(signal.reason))
  const reads = ids.map(id => read(id, options, settled.signal))
  try {
    const first = await firstWoken(reads)
    settled.abort()
    const { session_id } = first.identity
    const others = await Promise.all(ids.filter(id => id !== session_id).map(id => otherRun(id, read, signal)))
    return { ...first, result: { ...first.result, others } }
  } finally {
    given.dispose()
    settled.abort()
    // Given up because another one was first: nobody waits for how that went.
    await Promise.allSettled(reads)
  }
}

/** A wait that found nothing does not win over one that may still find something. */
function firstWoken(reads: readonly Promise<AnyResponse>[]): Promise<AnyResponse> {
  return new Promise((resolve, reject) => {
    for (const each of reads)
      each.then(answer => {
        if (answer.result.waited !== 'deadline') resolve(answer)
      }, reject)
    Promise.all(reads).then(([first]) => {
      if (first) resolve(first)
    }, reject)
  })
}

const LITTLE: OutputOptions = { view: 'tail', max_bytes: 256 }

async function otherRun(id: string, read: ReadRun, signal: AbortSignal): Promise<OtherRun> {
  const { result } = await read(id, LITTLE, signal)
  const { state, exit_code, output_bytes = result.cursor } = result
  if (state === undefined) throw new TermError('PM_TERM_INTERNAL', `The state of ${id} is not known.`)
  return { session_id: id, state, ...(exit_code != null && { exit_code }), ...(output_bytes && { output_bytes }) }
}
