import { DETAILS } from '../../approving/facts.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import { partReasons, tellingReason, WHY_ASKED, wholeReason } from '../../approving/reasons.ts'
import { pairedName } from '../../approving/who-asks.ts'
import { Drawn } from '../parts/drawn.tsx'
import { type Card, drawnAs } from '../state/card.ts'
import { Facts } from './facts.tsx'

/** For who wants to know more, below what has to be read: why it needs approval, shell and programs, whose key, ids. */
export function Details({ card: { question } }: { card: Card }) {
  return (
    <details class="mt-5 text-[13px]" data-details>
      <summary class="label cursor-pointer select-none">{DETAILS}</summary>
      {question.kind === 'command' && (
        <>
          <Reasons question={question} />
          <Facts question={question} which="details" />
        </>
      )}
      <Ids question={question} />
    </details>
  )
}

/** The verdict, part by part, numbered as in the command. */
function Reasons({ question }: { question: CommandQuestion }) {
  const { verdict, grave } = question
  const parts = partReasons(verdict)
  const tone = grave ? 'pill-grave' : 'pill-open'
  const whole = tellingReason(verdict) === null ? wholeReason(verdict) : null
  if (whole === null && parts.length === 0) return null
  return (
    <section class="mt-3" aria-label={WHY_ASKED} data-reasons>
      <h2 class="label mb-1">{WHY_ASKED}</h2>
      {whole !== null && (
        <p class="mb-1">
          <Drawn text={whole} as="prose" />
        </p>
      )}
      {parts.length > 0 && (
        <ol class="space-y-1">
          {parts.map((part, i) => (
            <li key={part.start} class="flex items-baseline gap-2">
              <span class={`pill shrink-0 tabular-nums ${part.covered ? 'pill-good' : tone}`}>{i + 1}</span>
              <span class="min-w-0">
                <code class="font-mono text-[13px]">
                  <Drawn text={part.text} as={drawnAs(question)} />
                </code>{' '}
                <span class="text-soft">
                  {part.covered ? 'is allowed: ' : ''}
                  <Drawn text={part.why} as="prose" />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Ids({ question: q }: { question: Card['question'] }) {
  const command = q.kind === 'command' || q.kind === 'input' ? q : null
  const ids = [
    ['Request', q.request_id],
    ['Trace', q.trace_id],
    ...(command ? [['Session', command.session_id]] : []),
    ...(command?.terminal_id ? [['Terminal', command.terminal_id]] : []),
    ['Plan', q.plan_hash],
  ] as const
  return (
    <dl class="mt-3 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
      <dt class="text-soft">Credential</dt>
      <dd class="min-w-0">
        <Drawn text={q.requester} /> {q.requester === 'local' && '(a program of yours on this machine)'}
        {pairedName(q.requester) !== null && '(paired by name)'}
      </dd>
      {ids.map(([name, id]) => (
        <>
          <dt key={`${name}-name`} class="text-soft">
            {name}
          </dt>
          <dd key={name} class="min-w-0 font-mono text-[12px] leading-[1.7] break-all">
            {id}
          </dd>
        </>
      ))}
    </dl>
  )
}
