import type { KeptDecline } from '../../contract/window/decline-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { ClaimedName } from '../parts/claimed-name.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Part } from './part.tsx'

/** What the person declined for the rest of the day, how often that was needed since, and a way to be asked again. */
export function KeptDeclines({ controller }: { controller: WindowController }) {
  const { declines } = controller.state.value
  return (
    <Part
      title="Declined for today"
      note="Refused without a question until midnight, in whatever spelling. It ends with the host as well."
    >
      {declines.length === 0 && <p class="text-soft">Nothing.</p>}
      <ul>
        {declines.map(kept => (
          <Row key={kept.decline_id} controller={controller} kept={kept} />
        ))}
      </ul>
    </Part>
  )
}

function Row({ controller, kept }: { controller: WindowController; kept: KeptDecline }) {
  const { decline_id, command, covers, directory, reason, since, refused } = kept
  return (
    <li class="flex items-center gap-3 border-line py-1.5 not-first:border-t" data-kept-decline={decline_id}>
      <span class="min-w-0 grow">
        <code class="font-mono text-[13px]">
          <Drawn text={command} />
        </code>
        <span class="block text-[12.5px] text-soft">
          since {timeOf(since)},{' '}
          {covers === 'project' ? (
            <>
              for whoever asks in <Drawn text={directory} />
            </>
          ) : (
            <>
              for <ClaimedName of={kept} />
            </>
          )}
          {reason !== null && (
            <>
              : “<Drawn text={reason} as="prose" />”
            </>
          )}{' '}
          · {refused === 0 ? 'not asked for since' : `refused ${refused === 1 ? 'once' : `${refused} times`} since`}
        </span>
      </span>
      <button
        type="button"
        class="ghost h-7 shrink-0 text-[12.5px] underline"
        aria-label={`Ask me again about ${command}`}
        onClick={() => controller.ask({ type: 'decline_revoke', decline_id })}
      >
        Ask me again
      </button>
    </li>
  )
}

const timeOf = (at: number): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
