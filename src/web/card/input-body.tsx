import { ShieldAlert, SquareTerminal } from 'lucide'
import { GRAVE_GESTURE, HARD_TO_UNDO, INPUT_EXECUTES, whoReads } from '../../approving/prompts.ts'
import type { InputQuestion } from '../../contract/wire/approver-frames.ts'
import { CodeView, Drawn } from '../parts/drawn.tsx'
import { Banner } from './banner.tsx'

/** What would be typed, into which program, and what that has printed last. */
export const InputBody = ({ question: q }: { question: InputQuestion }) => (
  <>
    <section
      aria-label="What would be typed"
      class="command overflow-hidden rounded-xl border border-line bg-raised px-4 py-3"
      data-input
    >
      <p class="code leading-8">
        {q.input.map((piece, i) =>
          'text' in piece ? (
            <Drawn key={i} text={piece.text} />
          ) : (
            <kbd key={i} class="key mx-0.5" data-key={piece.key}>
              {piece.key}
            </kbd>
          ),
        )}
      </p>
    </section>
    {q.grave && (
      <Banner tone="grave" icon={ShieldAlert}>
        <strong>{HARD_TO_UNDO}</strong> {GRAVE_GESTURE}
      </Banner>
    )}
    {q.executes !== null && (
      <Banner tone="open" icon={SquareTerminal}>
        <span data-executes={q.executes}>{INPUT_EXECUTES[q.executes]}</span>{' '}
        {q.verdict !== null && <Drawn text={`${q.verdict.why}.`} as="prose" />}
      </Banner>
    )}
    <h2 class="label mt-5 mb-1">
      <Drawn text={whoReads(q)} as="prose" />
    </h2>
    <section
      aria-label="What it printed last"
      class="overflow-hidden rounded-xl border border-line bg-panel"
      data-printed
    >
      {q.printed === '' ? <p class="px-4 py-2 text-soft">It has printed nothing.</p> : <CodeView text={q.printed} />}
    </section>
    <dl class="mt-5 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
      <dt class="text-soft">Program</dt>
      <dd class="min-w-0">
        <code class="code">
          <Drawn text={q.command} />
        </code>
      </dd>
      <dt class="text-soft">Terminal</dt>
      <dd class="min-w-0">
        <Drawn text={q.terminal_name} />
      </dd>
      <dt class="text-soft">Known from</dt>
      <dd class="min-w-0 text-soft">
        <Drawn text={q.wait_evidence} as="prose" />
      </dd>
    </dl>
  </>
)
