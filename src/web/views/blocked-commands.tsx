import { blockedBefore, blockedTitle } from '../../approving/blocked-words.ts'
import { ClaimedName } from '../parts/claimed-name.tsx'
import { Drawn } from '../parts/drawn.tsx'
import type { WindowState } from '../state/window-model.ts'

/** What agents tried and nobody was asked about: one quiet line, and the commands with the reason for whoever opens it. */
export function BlockedCommands({ blocked: { count, items } }: { blocked: NonNullable<WindowState['blocked']> }) {
  const before = blockedBefore(count, items.length)
  return (
    <details class="max-h-[40%] shrink-0 overflow-y-auto border-t border-line px-4 py-2 text-[13px]" data-blocked>
      <summary class="label cursor-pointer select-none">
        <span role="status">{blockedTitle(count)}</span>
      </summary>
      <ul class="mt-1.5 space-y-1.5">
        {items.toReversed().map(({ request_id, requester, client, command, why, at }) => (
          <li key={`${requester} ${request_id} ${at}`} data-blocked-command={request_id}>
            <p class="line-clamp-2 font-mono text-[12px] break-words">
              <Drawn text={command} />
            </p>
            <p class="text-[12px] text-soft">
              {timeOfDay(at)} · <ClaimedName of={{ client, requester }} /> · <Drawn text={why} as="prose" />
            </p>
          </li>
        ))}
      </ul>
      {before !== null && <p class="mt-1.5 text-[12px] text-soft">{before}</p>}
    </details>
  )
}

const timeOfDay = (iso: string): string => new Date(iso).toTimeString().slice(0, 5)
