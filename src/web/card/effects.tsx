import { CircleHelp, Radar } from 'lucide'
import { EFFECTS, effectLines } from '../../approving/effects.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'

/** What the command does, in words, right below it; what reaches beyond the project stands out. */
export function Effects({ of, grave }: { of: Parameters<typeof effectLines>[0]; grave: boolean }) {
  const lines = effectLines(of)
  if (lines.length === 0) return null
  const looks = {
    beyond: `font-medium ${grave ? 'text-grave' : 'text-open'}`,
    here: '',
    unknown: 'text-soft',
  } as const
  return (
    <div class="mt-3">
      <h2 class="label mb-0.5">{EFFECTS}</h2>
      <ul data-effects>
        {lines.map(({ text, tone }) => (
          <li key={text} class={`flex gap-2 ${looks[tone]}`} data-effect={tone}>
            <span class="mt-[3px] shrink-0" aria-hidden="true">
              {tone === 'here' ? (
                <span class="mx-[5px] mt-[6px] block size-1.5 rounded-full bg-edge" />
              ) : (
                <Icon of={tone === 'beyond' ? Radar : CircleHelp} size={16} />
              )}
            </span>
            <span class="min-w-0">
              <Drawn text={text} as="prose" />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
