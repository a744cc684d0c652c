import { bindMeans, bindsTo, rulesCountIn } from '../../approving/change-words.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { ruleReach } from '../drawing/rule-reach.ts'
import { Drawn } from '../parts/drawn.tsx'

/** Exactly what would change in the rules: each pattern on a line of its own. */
export function RulesBody({ question: q }: { question: Extract<Question, { kind: 'rules' }> }) {
  return (
    <>
      {q.binds && (
        <section class="mb-3 rounded-xl border border-line bg-panel px-4 py-2" data-binds>
          <p>
            {bindsTo(q.binds)}{' '}
            <code class="font-mono text-[13px]">
              <Drawn text={q.binds.directory} />
            </code>
          </p>
          {bindMeans(q.binds) !== null && <p class="text-[13px] text-soft">{bindMeans(q.binds)}</p>}
        </section>
      )}
      <ul class="overflow-hidden rounded-xl border border-line bg-panel empty:hidden" data-rules>
        {q.added.map(pattern => (
          <Change key={`+${pattern}`} pattern={pattern} added />
        ))}
        {q.removed.map(pattern => (
          <Change key={`-${pattern}`} pattern={pattern} added={false} />
        ))}
      </ul>
      <p class="mt-3 text-soft">
        <Drawn text={rulesCountIn(q)} as="prose" />
      </p>
    </>
  )
}

const Change = ({ pattern, added }: { pattern: string; added: boolean }) => (
  <li class="flex gap-3 border-line px-4 py-2 not-first:border-t">
    <span class={`pill mt-0.5 ${added ? 'pill-open' : 'pill-plain'}`}>{added ? 'Allow' : 'Remove'}</span>
    <div class="min-w-0">
      <code class="code">
        <Drawn text={pattern} />
      </code>
      {added && <p class="text-[13px] text-soft">{ruleReach(pattern)}</p>}
    </div>
  </li>
)
