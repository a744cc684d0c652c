import { choiceOf, isSpelledOut, TRUST_MEANS, trustOffer } from '../../approving/choices.ts'
import { isGrave } from '../../approving/question.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import type { Card } from '../state/card.ts'
import { Worded } from './worded.tsx'

/** What goes with the answer: "don't ask again" as easy as once, and trust in the folder. */
export function WiderRow({ controller, card }: { controller: WindowController; card: Card }) {
  const { question, draft } = card
  if (question.kind !== 'command' || isGrave(question) || draft.panel === 'edit' || draft.panel === 'decline')
    return null
  const always = draft.panel === 'scope' ? null : choiceOf(question, 'always')
  const ready = controller.watch.ready.value === 'armed' && card.phase.at === 'open'
  const offersTrust = trustOffer(question) !== null
  if (!always && !offersTrust) return null
  return (
    <div class="mx-auto max-w-[860px] px-6 pt-3 phone:px-4" data-wider>
      <div class="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        {offersTrust && <TrustBox controller={controller} card={card} />}
        <span class="grow" />
        {always && (
          <button
            type="button"
            class="button max-w-full text-left whitespace-normal phone:w-full"
            data-choice="always"
            aria-disabled={isSpelledOut(question, always) && !ready}
            onClick={() => controller.give(card, always, controller.watch.pressNow)}
          >
            <span class="min-w-0">
              <Worded choice={always} />
            </span>{' '}
            <kbd class="key phone:hidden">{always.key}</kbd>
          </button>
        )}
      </div>
      {draft.trust !== null && <TrustedFolder controller={controller} card={card} />}
    </div>
  )
}

function TrustBox({ controller, card: { question, draft } }: { controller: WindowController; card: Card }) {
  const offer = trustOffer(question)
  if (!offer) return null
  const isOn = draft.trust !== null
  return (
    <label class="flex min-w-0 cursor-pointer items-baseline gap-2" title={TRUST_MEANS}>
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
          <code class="font-mono text-[13px] text-soft">
            <Drawn text={offer.directory} />
          </code>
        )}
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
