import { CircleHelp, TriangleAlert } from 'lucide'
import { PREVIEW, previewLines } from '../../approving/preview/preview-lines.ts'
import type { Preview } from '../../contract/preview/preview-frames.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'

const LOOKS = { plain: '', careful: 'font-medium text-open', unknown: 'text-soft' } as const

/** What a look at this machine says. It comes after the card, below what has to be read, and nothing waits for it. */
export function PreviewView({ preview }: { preview: Preview | null }) {
  const lines = preview === null ? [] : previewLines(preview)
  if (lines.length === 0) return null
  return (
    <section class="mt-5 rounded-xl border border-line px-3.5 py-3" aria-label={PREVIEW} data-preview>
      <h2 class="label mb-1">{PREVIEW}</h2>
      <ul class="space-y-0.5">
        {lines.map(({ text, tone, below }, i) => (
          <li key={i} class={`flex gap-2 ${LOOKS[tone]}`} data-preview-line={tone}>
            <span class="mt-[3px] shrink-0" aria-hidden="true">
              {tone === 'plain' ? (
                <span class="mx-[5px] mt-[6px] block size-1.5 rounded-full bg-edge" />
              ) : (
                <Icon of={tone === 'careful' ? TriangleAlert : CircleHelp} size={16} />
              )}
            </span>
            <div class="min-w-0 break-words">
              <Drawn text={text} as="prose" />
              {below.length > 0 && (
                <ul class="font-mono text-[12.5px] font-normal text-ink">
                  {below.map((each, at) => (
                    <li key={at}>
                      <Drawn text={each} as="prose" />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
