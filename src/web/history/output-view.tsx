import { Copy, Search } from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { HistoryFound, HistoryItem } from '../../contract/window/history-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Icon } from '../parts/icon.tsx'
import { OutputFinds } from './output-finds.tsx'
import { type OutputState, RunOutput } from './run-output.ts'
import { shownOutput } from './shown-output.ts'

/** What a run printed, as text: a page of it, more on demand, and a search through all of it. */
export function OutputView({ controller, item }: { controller: WindowController; item: HistoryItem }) {
  const { requester, session_id } = item
  const output = useMemo(
    () =>
      new RunOutput(from => controller.query({ type: 'history_read', requester, session_id, from }, 'history_text')),
    [controller, requester, session_id],
  )
  const [found, setFound] = useState<(HistoryFound & { readonly pattern: string }) | null>(null)
  useEffect(() => void output.show(0), [output])

  const find = async (pattern: string, from: number): Promise<void> => {
    if (pattern === '') return setFound(null)
    const answer = await controller.query(
      { type: 'history_find', requester, session_id, pattern, from },
      'history_found',
    )
    if (answer) setFound({ ...answer, pattern })
  }
  const copy = async (): Promise<void> => {
    const copied = await output.copied()
    if (!copied) return
    await navigator.clipboard.writeText(copied.text)
    controller.say(
      'plain',
      copied.isAll ? 'The output is copied.' : 'The first 8 MB of the output are copied; export has all of it.',
    )
  }

  const state = output.state.value
  return (
    <section class="mt-6" aria-label="Output" data-output>
      <div class="mb-2 flex flex-wrap items-center gap-2">
        <h2 class="label grow">Output</h2>
        {state.size > 0 && (
          <>
            <search class="flex items-center gap-1.5">
              <Icon of={Search} size={14} />
              <input
                type="search"
                class="field h-8 w-52 px-2.5 py-0"
                aria-label="Search in the output"
                placeholder="Text or regular expression"
                maxLength={1000}
                data-find
                onKeyDown={event => event.key === 'Enter' && void find(event.currentTarget.value, 0)}
                onInput={event => event.currentTarget.value === '' && setFound(null)}
              />
            </search>
            <button type="button" class="button button-small" data-copy-output onClick={copy}>
              <Icon of={Copy} size={14} /> Copy output
            </button>
          </>
        )}
      </div>
      {found && (
        <OutputFinds
          found={found}
          on={() => void find(found.pattern, found.next)}
          show={offset => void output.show(offset)}
        />
      )}
      <Text state={state} />
      <p class="mt-2 flex flex-wrap items-center gap-3 text-[12.5px] text-soft" role="status">
        {remark(state)}
        {state.from > 0 && (
          <button type="button" class="button button-small" onClick={() => void output.show(0)}>
            Show it from the beginning
          </button>
        )}
        {(state.next < state.size || state.isOpen) && (
          <button type="button" class="button button-small" data-more-output onClick={() => void output.more()}>
            {state.next < state.size ? 'Show more' : 'Look again'}
          </button>
        )}
      </p>
    </section>
  )
}

const Text = ({ state: { pieces } }: { state: OutputState }) =>
  pieces.length === 0 ? null : (
    <pre class="output rounded-xl border border-line bg-raised p-4 font-mono text-[12.5px] leading-[1.6]" data-text>
      {pieces.map(({ stream, text }, i) => (
        <span key={i} class={stream === 'stderr' ? 'text-open' : ''} data-stream={stream}>
          {shownOutput(text)}
        </span>
      ))}
    </pre>
  )

function remark({ at, size, from, next, lost, isOpen }: OutputState): string {
  if (at === 'broken') return 'The host did not answer: this is what was read before.'
  if (at === 'reading' && size === 0) return 'Reading…'
  if (size === 0) return isOpen ? 'It has printed nothing so far.' : 'It printed nothing.'
  const gone = lost > 0 ? ` ${bytes(lost)} of this part are gone: let go for their age, the quota or a full disk.` : ''
  const part = from === 0 && next >= size ? `All of ${bytes(size)}.` : `Bytes ${from} to ${next} of ${size}.`
  return `${part}${gone}${isOpen ? ' It may print more.' : ''}`
}

const bytes = (count: number): string =>
  count < 10_000
    ? `${count} bytes`
    : count < 10_000_000
      ? `${Math.round(count / 1000)} kB`
      : `${Math.round(count / 1e6)} MB`
