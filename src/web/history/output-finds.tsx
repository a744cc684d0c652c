import type { HistoryFound } from '../../contract/window/history-frames.ts'
import { shownOutput } from './shown-output.ts'

/** Lines that were found in the output, and how far it was searched. */
export function OutputFinds(props: {
  found: HistoryFound
  /** Searches where this search ended. */
  on: () => void
  /** Shows the output from there. */
  show: (offset: number) => void
}) {
  const { matches, from, next, size, lost_bytes } = props.found
  return (
    <div class="mb-3 rounded-xl border border-line p-3" data-finds>
      <p class="flex flex-wrap items-center gap-3 text-[12.5px] text-soft" role="status">
        {searched({ count: matches.length, from, next, size, lost: lost_bytes })}
        {next < size && (
          <button type="button" class="button button-small" onClick={props.on}>
            Search on
          </button>
        )}
      </p>
      {matches.length > 0 && (
        <ul class="mt-2 max-h-52 space-y-0.5 overflow-y-auto">
          {matches.map(({ offset, line }) => (
            <li key={offset}>
              <button
                type="button"
                class="output w-full truncate rounded px-1.5 py-0.5 text-left font-mono text-[12.5px] hover:bg-raised"
                title={`Show the output from byte ${offset} on`}
                data-find-at={offset}
                onClick={() => props.show(offset)}
              >
                {shownOutput(line).trimEnd() || ' '}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What was not searched is said, so that nothing found is not taken for nothing there. */
function searched(of: { count: number; from: number; next: number; size: number; lost: number }): string {
  const { count, from, next, size, lost } = of
  const lines = count === 0 ? 'No line' : count === 1 ? 'One line' : `${count} lines`
  const where = from === 0 && next >= size ? 'in all of it' : `in bytes ${from} to ${next} of ${size}`
  const rest = next < size ? ' The rest was not searched yet.' : ''
  const gone = lost > 0 ? ` ${lost} bytes in between are gone and could not be searched.` : ''
  return `${lines} ${where}.${rest}${gone}`
}
