import type { Clock } from '../../base/clock.ts'
import { Disposables, onAbort } from '../../base/disposable.ts'
import { readRange, type Stream } from '../../base/output/output-segments.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import type { RunView } from './run-view.ts'

export type Waited = 'output' | 'exit' | 'text' | 'silence' | 'input' | 'deadline'

const DEFAULT_SILENCE_MS = 1000
const SCAN_BYTES = 1024 * 1024
/** Whoever has no patience at all hears that it runs, not that it is about to: that is a matter of a moment. */
const LONGEST_START_MS = 2000

export interface Patience {
  readonly clock: Clock
  readonly ms: number
  readonly signal: AbortSignal
  /** The wait is over when the program waits for input: if nobody was told of that, or in any case. */
  readonly input?: 'ends_it' | 'ends_it_told_or_not'
}

/** Resolves when what was waited for is there, the run is over, or patience ends; says which. */
export function waitFor(
  view: RunView,
  options: OutputOptions,
  { clock, ms, signal, input }: Patience,
): Promise<Waited> {
  const wanted = options.wait_for ?? 'output'
  const from = options.cursor ?? view.source().size
  const seen = wanted === 'text' ? textScanner(view, options.cursor ?? 0, [options.text ?? []].flat()) : () => false

  return new Promise(resolve => {
    const life = new Disposables()
    const done = (waited: Waited) => {
      life.dispose()
      resolve(waited)
    }

    let silence = { dispose() {} }
    let lastSize = -1
    let late = false
    const hasBegun = () => view.status().state.at !== 'received'
    const listen = () => {
      // Checked before the size: output that comes with the end is not missed.
      const over = view.over()
      const { size } = view.source()
      if (wanted === 'output' && size > from) return done('output')
      if (wanted === 'text' && seen()) return done('text')
      if (over) return done('exit')
      if (input !== undefined && waitsForInput(view, input)) return done('input')
      if (late && hasBegun()) return done('deadline')
      if (wanted === 'silence' && size !== lastSize) {
        silence.dispose()
        silence = clock.after(options.silence_ms ?? DEFAULT_SILENCE_MS, () => done('silence'))
      }
      lastSize = size
    }

    const deadline = () => {
      late = true
      if (hasBegun()) done('deadline')
      else life.add(clock.after(LONGEST_START_MS, () => done('deadline')))
    }
    life.add(clock.after(ms, deadline))
    life.defer(() => silence.dispose())
    life.add(view.watch(listen))
    listen()
    // Last, because it may be over already: then everything above ends with it.
    life.add(onAbort(signal, () => done('deadline')))
  })
}

function waitsForInput(view: RunView, input: NonNullable<Patience['input']>): boolean {
  const waits = view.waits()
  return needsInput(view) || (input === 'ends_it_told_or_not' && waits?.settled === true && waits.state !== 'none')
}

/** It waits for input, and whoever waits for it does not know that yet. */
export function needsInput(view: RunView): boolean {
  const waits = view.waits()
  return waits !== null && waits.state !== 'none' && waits.settled && !waits.told
}

/** Looks only at what has come since it looked last. Each stream is read for itself: the other may speak in between. */
function textScanner(view: RunView, from: number, texts: readonly string[]): () => boolean {
  const needles = texts.map(text => Buffer.from(text))
  const overlap = Math.max(1, ...needles.map(needle => needle.length)) - 1
  const tail: Record<Stream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
  let at = from
  return () => {
    const { directory, size } = view.source()
    while (at < size) {
      const { pieces, next } = readRange(directory, at, SCAN_BYTES)
      if (next <= at) return false
      at = next
      for (const { stream, bytes } of pieces) {
        const text = Buffer.concat([tail[stream], bytes])
        if (needles.some(needle => text.includes(needle))) return true
        tail[stream] = Buffer.from(text.subarray(Math.max(0, text.length - overlap)))
      }
    }
    return false
  }
}
