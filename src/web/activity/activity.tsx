import { RotateCw, ShieldPlus } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { type ActivityGroup, activityGroups, activityRemark } from '../../approving/activity/activity-words.ts'
import type { ActivityItem } from '../../contract/window/activity-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { ClaimedName } from '../parts/claimed-name.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageFrame } from '../parts/page-frame.tsx'

interface ShownActivity {
  readonly items: readonly ActivityItem[]
  readonly is_part: boolean
}

/** What happened today without the person, and what they may do about it. */
export function Activity({ controller }: { controller: WindowController }) {
  const [shown, setShown] = useState<ShownActivity | null>(null)
  const { link, news } = controller.state.value
  // Once when it is opened, and again whenever something has happened: from then on the person has it before them.
  useEffect(() => {
    if (link.at !== 'open') return
    const since = new Date().setHours(0, 0, 0, 0)
    void controller.query({ type: 'activity_show', since }, 'activity_shown').then(answer => {
      if (answer === null) return
      setShown(answer)
      if (controller.isVisible) void controller.ask({ type: 'activity_seen' })
    })
  }, [controller, link.at, news > 0])

  const groups = activityGroups(shown?.items ?? [])
  return (
    <PageFrame name="activity" title="Activity" tools={<p class="text-[13px] text-soft">Today, without you</p>}>
      <div class="max-w-3xl space-y-7" data-activity>
        {groups.map(group => (
          <Group key={group.kind} controller={controller} group={group} />
        ))}
        {shown !== null && groups.length === 0 && (
          <p class="text-soft">
            Nothing happened today without you: every command was put to you, or none was asked for.
          </p>
        )}
        {shown?.is_part && <p class="text-[13px] text-soft">There is more of it. These are the newest.</p>}
      </div>
    </PageFrame>
  )
}

const Group = ({ controller, group }: { controller: WindowController; group: ActivityGroup }) => (
  <section aria-label={group.title} data-activity-group={group.kind}>
    <h2 class="text-[14px] font-semibold">{group.title}</h2>
    <p class="mb-2 text-[12.5px] text-soft">{group.note}</p>
    <ul class="divide-y divide-line overflow-hidden rounded-xl border border-line">
      {group.items.map(item => (
        <Row key={`${item.requester} ${item.run_id}`} controller={controller} item={item} />
      ))}
    </ul>
  </section>
)

function Row({ controller, item }: { controller: WindowController; item: ActivityItem }) {
  const { requester, run_id, command, cwd, at, can_ask, can_rule } = item
  const remark = activityRemark(item)
  const about = { requester, run_id }
  return (
    <li class="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-3.5 py-2.5" data-activity-item={run_id}>
      <div class="min-w-0 grow basis-64">
        <p class="line-clamp-3 font-mono text-[12.5px] break-words">
          <Drawn text={command} />
        </p>
        <p class="mt-0.5 text-[12px] break-words text-soft">
          {timeOfDay(at)} · <ClaimedName of={item} /> · <Drawn text={cwd} />
          {remark !== '' && (
            <>
              {' · '}
              <Drawn text={remark} as="prose" />
            </>
          )}
        </p>
      </div>
      {(can_ask || can_rule) && (
        <div class="flex shrink-0 gap-1.5">
          {can_ask && (
            <button
              type="button"
              class="button text-[12.5px]"
              aria-label={`Ask again: ${command.slice(0, 80)}`}
              onClick={() => void controller.ask({ type: 'activity_ask', ...about })}
              data-ask-again
            >
              <Icon of={RotateCw} size={14} /> Ask again
            </button>
          )}
          {can_rule && (
            <button
              type="button"
              class="ghost text-[12.5px]"
              aria-label={`Make a rule for ${command.slice(0, 80)}`}
              onClick={() => void controller.ask({ type: 'activity_rule', ...about })}
              data-make-rule
            >
              <Icon of={ShieldPlus} size={14} /> Make a rule
            </button>
          )}
        </div>
      )}
    </li>
  )
}

const timeOfDay = (iso: string): string => new Date(iso).toTimeString().slice(0, 5)
