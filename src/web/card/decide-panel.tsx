import { signal } from '@preact/signals'
import type { WindowController } from '../controller/window-controller.ts'
import { type Card, mustType } from '../state/card.ts'
import type { Panel } from './panel.ts'

const panels = signal<Readonly<Record<'decline' | 'edit' | 'scope' | 'typing', Panel>> | null>(null)

/** What is filled in before an answer comes a moment after the card: the first one is on the screen faster without it. */
void import('./panels.tsx').then(({ PANELS }) => {
  panels.value = PANELS
})

/** Who opened it with a key goes on in it with the keyboard: at what is chosen, else at its first field. */
function takeKeyboard(place: HTMLElement | null): void {
  if (!place || place.contains(document.activeElement)) return
  const field = place.querySelector<HTMLElement>(':checked') ?? place.querySelector<HTMLElement>('input, textarea')
  field?.focus()
}

export function decidePanel(controller: WindowController, card: Card) {
  const { panel } = card.draft
  const typing = mustType(card)
  if ((panel === 'none' && !typing) || !panels.value) return null
  const Open = panel === 'none' ? null : panels.value[panel]
  const Typing = panels.value.typing
  return (
    <div class="max-h-[45vh] overflow-y-auto border-b border-line bg-raised">
      <div key={panel} ref={panel === 'none' ? null : takeKeyboard} class="column py-3.5">
        {Open && <Open controller={controller} card={card} />}
        {typing && panel !== 'decline' && <Typing controller={controller} card={card} />}
      </div>
    </div>
  )
}
