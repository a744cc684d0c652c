import { TRUST_MEANS, trustOffer } from '../../approving/choices.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import type { Card } from '../state/card.ts'

/** Trust in the folder, which goes with whatever answer approves. */
export function TrustRow({ controller, card }: { controller: WindowController; card: Card }) {
  const { question, draft } = card
  if (trustOffer(question) === null || draft.panel === 'edit' || draft.panel === 'decline') return null
  return (
    <div class={`w-full ${draft.trust === null ? 'short:mr-1.5 short:w-auto' : ''}`} data-wider>
      <TrustBox controller={controller} card={card} />
      {draft.trust !== null && <TrustedFolder controller={controller} card={card} />}
    </div>
  )
}

function TrustBox({ controller, card: { question, draft } }: { controller: WindowController; card: Card }) {
  const offer = trustOffer(question)
  if (!offer) return null
  const isOn = draft.trust !== null
  return (
    <label
      class="flex min-w-0 cursor-pointer items-baseline justify-end gap-2 phone:justify-start short:justify-start"
      title={TRUST_MEANS}
    >
      <input
        type="checkbox"
        class="accent-accent"
        data-trust
        checked={isOn}
        onChange={() => controller.draft(question.ask_id, { trust: isOn ? null : offer.directory })}
      />
      <span class="min-w-0">
        Trust this folder{' '}
        {!isOn && (
          <code class="font-mono text-[13px] text-soft short:hidden">
            <Drawn text={offer.directory} />
          </code>
        )}{' '}
        <kbd class="key phone:hidden">T</kbd>
      </span>
    </label>
  )
}

/** The path as it would be trusted, and what that means: seen before the answer gives it. */
function TrustedFolder({ controller, card: { question, draft } }: { controller: WindowController; card: Card }) {
  const isFixed = trustOffer(question)?.isFixed ?? true
  return (
    <div class="mt-2">
      <input
        class="field font-mono text-[13px]"
        aria-label="The folder to trust"
        spellcheck={false}
        readOnly={isFixed}
        value={draft.trust ?? ''}
        data-trusted
        onInput={({ currentTarget }) => controller.draft(question.ask_id, { trust: currentTarget.value })}
      />
      <p class="mt-1 text-[13px] text-soft">{TRUST_MEANS}</p>
    </div>
  )
}
