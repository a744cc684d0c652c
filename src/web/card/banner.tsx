import type { Check } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../parts/icon.tsx'

/** Something to know before anything else on the card. */
export function Banner(props: { tone: 'grave' | 'open'; icon: typeof Check; children: ComponentChildren }) {
  return (
    <div class={`mt-3 flex gap-2.5 rounded-xl px-3.5 py-2.5 pill-${props.tone}`} role="note">
      <span class="mt-[3px]">
        <Icon of={props.icon} />
      </span>
      <div class="min-w-0">{props.children}</div>
    </div>
  )
}
