import type { RuleReplay } from '../../contract/window/rules-frames.ts'
import { Drawn } from '../parts/drawn.tsx'

/** What the rule would have let run of what the person was asked, with the rows that they had declined. */
export function Replay({ replay }: { replay: RuleReplay }) {
  const { asked, approves, declined, rows, is_part } = replay
  if (asked === 0)
    return (
      <p class="text-[13px] text-soft" data-replay>
        You were never asked about a command in this project, so there is nothing to try it on.
      </p>
    )
  return (
    <div class="text-[13px]" data-replay>
      <p class={declined > 0 ? 'text-open' : 'text-soft'}>
        Of {asked} {asked === 1 ? 'command' : 'commands'} you were asked about here it would have approved {approves}
        {declined > 0 && `; ${declined} of them you declined`}.
        {is_part && ' That is only a part of what you were asked: the newest, as far as it is kept.'}
      </p>
      {rows.length > 0 && (
        <ul class="mt-1 rounded-lg border border-line">
          {rows.map(({ command, at, reason, stands }) => (
            <li key={`${at} ${command}`} class="border-line px-3 py-1.5 not-first:border-t" data-declined-row={stands}>
              <code class="font-mono">
                <Drawn text={command} />
              </code>
              <span class="block text-[12.5px] text-soft">
                declined {new Date(at).toLocaleString()}
                {reason !== null && (
                  <>
                    : “<Drawn text={reason} as="prose" />”
                  </>
                )}
                {!stands && ', approved later'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
