import { useEffect, useState } from 'preact/hooks'
import { effectLines } from '../../approving/effects.ts'
import { flagWords } from '../../approving/flags.ts'
import { partReasons, wholeReason } from '../../approving/reasons.ts'
import { VERDICT_TITLES } from '../../contract/verdict-words.ts'
import type { LineExplained, RulesShown } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import type { Mark } from '../drawing/code-rows.ts'
import { CodeView, Drawn } from '../parts/drawn.tsx'
import { Part } from './part.tsx'
import { sendable } from './sendable.ts'
import { Suggestions } from './suggestions.tsx'

const EXPLAIN_AFTER_MS = 150
const LONGEST = 8192

type Explained = NonNullable<LineExplained['explained']>
const TONES = {
  auto: 'pill-good',
  try: 'pill-good',
  approval: 'pill-open',
  blocked: 'pill-grave',
  destructive: 'pill-grave',
} as const

/** What would happen to a line in a folder, said while it is typed. Nothing is run. */
export function ExplainLine(props: {
  readonly controller: WindowController
  readonly rules: RulesShown
  readonly changed: () => Promise<void>
}) {
  const { controller, rules, changed } = props
  const folders = rules.projects.flatMap(({ directory, problem }) => (problem === null && directory ? [directory] : []))
  const [command, setCommand] = useState('')
  const [directory, setDirectory] = useState(folders[0] ?? '')
  const said = useExplained(controller, { command, directory, rules })
  return (
    <Part title="Try a command" note="Says what would happen to a command in a folder, and why. Nothing is run.">
      <div class="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] gap-2 phone:grid-cols-1">
        <label class="block">
          <span class="label mb-1 block">Command</span>
          <textarea
            class="field resize-none font-mono text-[13px]"
            rows={Math.min(6, command.split('\n').length)}
            spellcheck={false}
            placeholder="git status && npm test"
            maxLength={LONGEST}
            value={command}
            data-try-line
            onInput={({ currentTarget }) => setCommand(currentTarget.value)}
          />
        </label>
        <label class="block">
          <span class="label mb-1 block">Folder</span>
          <input
            class="field font-mono text-[13px]"
            list="rule-folders"
            spellcheck={false}
            placeholder="/home/ada/code/shop"
            maxLength={4096}
            value={directory}
            data-try-folder
            onInput={({ currentTarget }) => setDirectory(currentTarget.value)}
          />
          <datalist id="rule-folders">
            {folders.map(folder => (
              <option key={folder} value={folder} />
            ))}
          </datalist>
        </label>
      </div>
      <div aria-live="polite" class="mt-3">
        {said?.problem != null && (
          <p class="text-[13px] text-grave" data-try-problem>
            <Drawn text={said.problem} as="prose" />
          </p>
        )}
        {said?.explained && <Verdict line={said.command} explained={said.explained} />}
      </div>
      {said?.explained && <Suggestions controller={controller} explained={said.explained} changed={changed} />}
    </Part>
  )
}

/** The words of "policy explain": what happens, the line with its parts, the reason of each, and what happens without a window. */
function Verdict({ line, explained }: { line: string; explained: Explained }) {
  const { verdict, headless, frees, reaches, broken } = explained
  const whole = verdict.rule === undefined ? wholeReason(verdict) : `allowed by "${verdict.rule}"`
  const grave = verdict.tier !== undefined
  return (
    <div class="rounded-xl border border-rim" data-explained={verdict.verdict}>
      <div class="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
        <span class={`pill ${TONES[verdict.verdict]}`}>{VERDICT_TITLES[verdict.verdict]}</span>
        {whole !== null && (
          <span class="min-w-0">
            <Drawn text={whole} as="prose" />
          </span>
        )}
      </div>
      <CodeView text={line} marks={marksOf(explained)} />
      <div class="space-y-1.5 border-t border-line px-4 py-2.5 text-[13px]">
        <Reasons verdict={verdict} />
        {verdict.tier === 'grave' && (
          <p class="text-grave">Hard to undo: it always needs approval, by a deliberate gesture.</p>
        )}
        {reaches.length > 0 &&
          effectLines({ reaches }).map(({ text, tone }) => (
            <p key={text} class={tone === 'beyond' ? (grave ? 'text-grave' : 'text-open') : ''}>
              What it does: <Drawn text={text} as="prose" />
            </p>
          ))}
        {(verdict.flags ?? []).map(flag => (
          <p key={flag} class="text-open">
            <Drawn text={flagWords(flag)} as="prose" />
          </p>
        ))}
        {broken !== null && (
          <p class="text-open">
            <Drawn text={broken} as="prose" />
          </p>
        )}
        <p class="text-soft" data-headless>
          <Drawn text={headless} as="prose" />
        </p>
        {frees !== null && (
          <p data-frees>
            To run unasked: <Drawn text={frees} as="prose" />.
          </p>
        )}
      </div>
    </div>
  )
}

/** Numbered as in the line. */
const Reasons = ({ verdict }: { verdict: Explained['verdict'] }) => (
  <ol class="space-y-1">
    {partReasons(verdict).map((part, i) => (
      <li key={part.start} class="flex items-baseline gap-2">
        <span class={`pill shrink-0 tabular-nums ${part.covered ? 'pill-good' : 'pill-open'}`}>{i + 1}</span>
        <span class="min-w-0">
          <code class="font-mono">
            <Drawn text={part.text} />
          </code>{' '}
          <span class="text-soft">
            <Drawn text={part.covered && part.rule !== null ? `allowed by "${part.rule}"` : part.why} as="prose" />
          </span>
        </span>
      </li>
    ))}
  </ol>
)

function marksOf({ verdict }: Explained): Mark[] {
  const parts = partReasons(verdict)
  const open = verdict.tier === undefined ? 'open' : 'grave'
  return parts.map(({ start, end, covered }) => ({ start, end, tone: covered ? 'covered' : open }))
}

/** What the host says of exactly this line in this folder, as long as the rules are these; null: nothing yet. */
function useExplained(
  controller: WindowController,
  { command, directory, rules }: { readonly command: string; readonly directory: string; readonly rules: RulesShown },
): LineExplained | null {
  const [said, setSaid] = useState<LineExplained | null>(null)
  const line = sendable(command)
  const folder = sendable(directory).trim()
  const isAsked = line.trim() !== '' && folder !== ''
  useEffect(() => {
    if (!isAsked) return undefined
    const ask = () =>
      void controller.query({ type: 'line_explain', command: line, directory: folder }, 'line_explained').then(setSaid)
    const timer = setTimeout(ask, EXPLAIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [controller, line, folder, isAsked, rules])
  return isAsked && said?.command === line && said.directory === folder ? said : null
}
