import { clock } from '../../approving/durations.ts'
import { HELD } from '../../approving/scopes.ts'
import type { WindowController } from '../controller/window-controller.ts'
import type { WindowState } from '../state/window-model.ts'
import { Drawn } from './drawn.tsx'
import { ProvedName } from './proved-name.tsx'
import { seconds } from './waits.tsx'

/** What was allowed for a while, how long it still holds, and a way to end it now. */
export function HeldApproval({
  controller,
  scope: { scope_id, rules, requester, kind, endsAt },
}: {
  controller: WindowController
  scope: WindowState['scopes'][number]
}) {
  return (
    <li class="flex items-center gap-2 text-[12.5px]" data-scope={scope_id}>
      <span class="min-w-0 grow truncate font-mono">
        <Drawn text={rules.join(', ')} />
      </span>
      <ProvedName requester={requester} />
      <span class="text-soft tabular-nums">{endsAt === null ? HELD[kind].listed : clock(endsAt - seconds.value)}</span>
      <button
        type="button"
        class="ghost h-6 min-w-0 text-[12px] underline"
        aria-label={`Revoke ${rules.join(', ')}`}
        onClick={() => controller.ask({ type: 'scope_revoke', scope_id })}
      >
        Revoke
      </button>
    </li>
  )
}
