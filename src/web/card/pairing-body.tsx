import { PAIRING_MEANS } from '../../approving/change-words.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { Drawn } from '../parts/drawn.tsx'

/** Whom an approval would admit, and what that means. */
export const PairingBody = ({ question: q }: { question: Extract<Question, { kind: 'pairing' }> }) => (
  <section class="rounded-xl border border-line bg-panel px-4 py-3" data-pairing>
    <p class="text-[15px] font-semibold">
      <Drawn text={q.name} />
    </p>
    <p class="mt-2 text-soft">{PAIRING_MEANS} This window cuts it off again, and so does “pair --revoke”.</p>
  </section>
)
