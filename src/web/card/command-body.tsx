import { RefreshCw, ShieldAlert, SquareTerminal, TriangleAlert } from 'lucide'
import { useMemo } from 'preact/hooks'
import { ASKED_AGAIN } from '../../approving/asked-again.ts'
import { flagWords } from '../../approving/flags.ts'
import { GRAVE_GESTURE, HARD_TO_UNDO, OWN_SHELL } from '../../approving/prompts.ts'
import type { CommandQuestion } from '../../approving/question.ts'
import { tellingReason } from '../../approving/reasons.ts'
import type { Mark, Tone } from '../drawing/code-rows.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CodeView, Drawn } from '../parts/drawn.tsx'
import { drawnAs } from '../state/card.ts'
import { Banner } from './banner.tsx'
import { Effects } from './effects.tsx'
import { Facts } from './facts.tsx'
import { ScriptBodies } from './script-bodies.tsx'
import { VariableWarnings } from './variable-warnings.tsx'

/** Everything that would run and where, the command first and largest. All of it has to be in view before an approval. */
export function CommandBody({ question: q }: { question: CommandQuestion }) {
  const opens = q.intent === 'open_only'
  const marks = useMemo(() => marksOf(q), [q])
  const why = tellingReason(q.verdict)
  return (
    <>
      {q.changed.length > 0 && <Changed changes={q.changed} />}
      {!opens && (
        <section
          aria-label="Command"
          class={`command relative overflow-hidden rounded-xl border border-rim bg-raised pr-9 ${isShort(q.command) ? 'command-short' : ''}`}
          data-command
        >
          <CodeView text={q.command} marks={marks} as={drawnAs(q)} />
          <CopyButton text={q.command} what="command" />
        </section>
      )}
      {q.args !== null && <Args args={q.args} />}
      <Effects of={q} grave={q.grave} />
      {why !== null && (
        <p class="mt-2" data-why>
          <Drawn text={why} as="prose" />
        </p>
      )}
      {q.grave && (
        <Banner tone="grave" icon={ShieldAlert}>
          <strong>{HARD_TO_UNDO}</strong> {GRAVE_GESTURE}
        </Banner>
      )}
      {q.typed_into_shell && (
        <Banner tone="open" icon={SquareTerminal}>
          <span data-own-shell>{OWN_SHELL}</span>
        </Banner>
      )}
      <VariableWarnings env={q.env} />
      {(q.verdict.flags ?? []).length > 0 && <Careful flags={q.verdict.flags ?? []} />}
      <ScriptBodies question={q} />
      <Facts question={q} which="shown" />
    </>
  )
}

const LONGEST_LARGE = 400
/** A line or a few of them are set large; a whole file in a line would only be longer to scroll through. */
const isShort = (command: string): boolean => command.length <= LONGEST_LARGE && command.split('\n').length <= 6

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
