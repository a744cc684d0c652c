import { RefreshCw, ShieldAlert, SquareTerminal, TriangleAlert } from 'lucide'
import { useMemo } from 'preact/hooks'
import { ASKED_AGAIN } from '../../approving/asked-again.ts'
import { flagWords } from '../../approving/flags.ts'
import { HARD_TO_UNDO, OWN_SHELL } from '../../approving/prompts.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import { partReasons, wholeReason } from '../../approving/reasons.ts'
import type { Mark, Tone } from '../drawing/code-rows.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CodeView, Drawn } from '../parts/drawn.tsx'
import { drawnAs } from '../state/card.ts'
import { Banner } from './banner.tsx'
import { Facts } from './facts.tsx'
import { Reaches } from './reaches.tsx'
import { ScriptBodies } from './script-bodies.tsx'
import { VariableWarnings } from './variable-warnings.tsx'

/** Everything that would run and where, the command first. */
export function CommandBody({ question: q }: { question: CommandQuestion }) {
  const opens = q.intent === 'open_only'
  const marks = useMemo(() => marksOf(q), [q])
  return (
    <>
      {q.changed.length > 0 && <Changed changes={q.changed} />}
      {!opens && (
        <section
          aria-label="Command"
          class="command relative overflow-hidden rounded-xl border border-line bg-raised pr-9"
          data-command
        >
          <CodeView text={q.command} marks={marks} as={drawnAs(q)} />
          <CopyButton text={q.command} what="command" />
        </section>
      )}
      {q.args !== null && <Args args={q.args} />}
      <Reaches question={q} />
      {q.grave && (
        <Banner tone="grave" icon={ShieldAlert}>
          <strong>{HARD_TO_UNDO}</strong> It is approved once only, and only if you type it out and hold the button.
        </Banner>
      )}
      {q.typed_into_shell && (
        <Banner tone="open" icon={SquareTerminal}>
          <span data-own-shell>{OWN_SHELL}</span>
        </Banner>
      )}
      <VariableWarnings env={q.env} />
      {(q.verdict.flags ?? []).length > 0 && <Careful flags={q.verdict.flags ?? []} />}
      <Reasons question={q} />
      <ScriptBodies question={q} />
      <Facts question={q} />
    </>
  )
}

/** Why it needs approval once more: first of all, above the command. */
const Changed = ({ changes }: { changes: readonly string[] }) => (
  <div class="mb-4" data-changed>
    <Banner tone="open" icon={RefreshCw}>
      <strong>{ASKED_AGAIN}</strong>
      <ul>
        {changes.map(change => (
          <li key={change}>
            <Drawn text={change} as="prose" />
          </li>
        ))}
      </ul>
    </Banner>
  </div>
)

/** Parts are marked in the line; a single one that is all of it needs no mark, unless it is grave. */
function marksOf({ command, verdict, grave }: CommandQuestion): Mark[] {
  const [first, second] = verdict.parts ?? []
  if (!second && !grave && first?.text === command) return []
  const tone = (covered: boolean): Tone => (covered ? 'covered' : grave ? 'grave' : 'open')
  return (verdict.parts ?? []).map(({ start, end, covered }) => ({ start, end, tone: tone(covered) }))
}

const Args = ({ args }: { args: readonly string[] }) => (
  <section aria-label="Arguments" class="mt-3">
    <h2 class="label mb-1">Arguments, passed as they are and not read by a shell</h2>
    <ol class="overflow-hidden rounded-xl border border-line bg-panel">
      {args.map((arg, i) => (
        <li key={i} class="flex border-line not-first:border-t">
          <span aria-hidden="true" class="line-number py-1">
            {i + 1}
          </span>
          <code class="code min-w-0 grow py-1 pr-4" data-arg={i}>
            {arg === '' ? <span class="text-soft">(empty)</span> : <Drawn text={arg} />}
          </code>
        </li>
      ))}
    </ol>
  </section>
)

const Careful = ({ flags }: { flags: readonly string[] }) => (
  <Banner tone="open" icon={TriangleAlert}>
    <ul>
      {flags.map(flag => (
        <li key={flag}>
          <Drawn text={flagWords(flag)} as="prose" />
        </li>
      ))}
    </ul>
  </Banner>
)

/** Why it needs approval: the verdict, part by part, numbered as in the command. */
function Reasons({ question }: { question: CommandQuestion }) {
  const { verdict, grave } = question
  const parts = partReasons(verdict)
  const tone = grave ? 'pill-grave' : 'pill-open'
  const whole = wholeReason(verdict)
  return (
    <section class="mt-5" aria-label="Why you are asked">
      <h2 class="label mb-1.5">Why you are asked</h2>
      {whole !== null && (
        <p class={parts.length > 0 ? 'mb-1.5' : ''} data-why>
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
