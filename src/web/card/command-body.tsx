import { type Check, FileText, ShieldAlert, TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Mark, Tone } from '../drawing/code-rows.ts'
import type { CommandQuestion } from '../state/card.ts'
import { CopyButton } from '../views/copy-button.tsx'
import { CodeView, Drawn } from '../views/drawn.tsx'
import { Icon } from '../views/icon.tsx'
import { inWords } from '../views/waits.tsx'

/** Everything that would run and where, the command first. */
export function CommandBody({ question: q }: { question: CommandQuestion }) {
  const opens = q.intent === 'open_only'
  const marks = useMemo(() => marksOf(q), [q])
  return (
    <>
      {!opens && (
        <section
          aria-label="Command"
          class="command relative overflow-hidden rounded-xl border border-line bg-raised pr-9"
          data-command
        >
          <CodeView text={q.command} marks={marks} />
          <CopyButton text={q.command} what="command" />
        </section>
      )}
      {q.args !== null && <Args args={q.args} />}
      {q.grave && (
        <Banner tone="grave" icon={ShieldAlert}>
          <strong>Hard to undo.</strong> It is approved once only, and only if you type it out and hold the button.
        </Banner>
      )}
      {(q.verdict.flags ?? []).length > 0 && <Careful flags={q.verdict.flags ?? []} />}
      <Reasons question={q} />
      {q.stands_for.map(one => (
        <StandsFor key={`${one.path}#${one.name}`} one={one} />
      ))}
      <Facts question={q} />
    </>
  )
}

/** Parts are told apart in the line; a single one that is all of it needs no mark, unless it is grave. */
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

const FLAGS: Readonly<Record<string, string>> = {
  bidi_control: 'A character in it turns the direction of text round. It is drawn by its name.',
  zero_width: 'It holds characters nobody can see. They are drawn by their names.',
  homoglyph: 'A letter in it looks like another one.',
  unicode_space: 'A space in it is not a plain space.',
  control_char: 'It holds control characters.',
  ansi_escape: 'It holds a terminal escape sequence.',
  long_whitespace: 'It holds long runs of blanks that could push text out of sight.',
  truncated_view: 'It is long. All of it has to be in view before it can be approved.',
  combining_stack: 'It holds marks stacked on one character.',
  html_text: 'It holds markup. Here it is only text.',
}

const Careful = ({ flags }: { flags: readonly string[] }) => (
  <Banner tone="open" icon={TriangleAlert}>
    <ul>
      {flags.map(flag => (
        <li key={flag}>{FLAGS[flag] ?? <Drawn text={flag} />}</li>
      ))}
    </ul>
  </Banner>
)

function Banner(props: { tone: 'grave' | 'open'; icon: typeof Check; children: ComponentChildren }) {
  return (
    <div class={`mt-3 flex gap-2.5 rounded-xl px-3.5 py-2.5 pill-${props.tone}`} role="note">
      <span class="mt-[3px]">
        <Icon of={props.icon} />
      </span>
      <div class="min-w-0">{props.children}</div>
    </div>
  )
}

/** Why it is asked: the verdict, part by part, numbered as in the command. */
function Reasons({ question: { verdict, grave } }: { question: CommandQuestion }) {
  const parts = verdict.parts ?? []
  const tone = grave ? 'pill-grave' : 'pill-open'
  return (
    <section class="mt-5" aria-label="Why you are asked">
      <h2 class="label mb-1.5">Why you are asked</h2>
      {parts.length < 2 && (
        <p data-why>
          <Drawn text={parts[0]?.why ?? verdict.why} />
        </p>
      )}
      {parts.length > 1 && (
        <ol class="space-y-1">
          {parts.map((part, i) => (
            <li key={part.start} class="flex items-baseline gap-2">
              <span class={`pill shrink-0 tabular-nums ${part.covered ? 'pill-good' : tone}`}>{i + 1}</span>
              <span class="min-w-0">
                <code class="font-mono text-[13px]">
                  <Drawn text={part.text} />
                </code>{' '}
                <span class="text-soft">
                  {part.covered ? 'is allowed: ' : ''}
                  <Drawn text={part.why} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const KINDS = { script: 'Script', package_script: 'Package script', make_target: 'Make target' } as const

/** The body of a script the line runs, as read when it was asked. The plan covers it: another body is asked about anew. */
const StandsFor = ({ one }: { one: CommandQuestion['stands_for'][number] }) => (
  <section class="mt-5" aria-label={`${KINDS[one.kind]} that it runs`} data-body-of={one.name}>
    <h2 class="label mb-1 flex flex-wrap items-center gap-x-1.5">
      <Icon of={FileText} size={13} /> {KINDS[one.kind]} <Drawn text={one.name} />
      <span class="font-normal">
        in <Drawn text={one.path} />
      </span>
    </h2>
    <div class="overflow-hidden rounded-xl border border-line bg-panel">
      <CodeView text={one.text} />
    </div>
    {one.omitted_bytes > 0 && (
      <p class="mt-1 text-[13px] font-medium text-open">
        {one.omitted_bytes.toLocaleString('en')} more bytes are not shown here.
      </p>
    )}
  </section>
)

function Facts({ question: q }: { question: CommandQuestion }) {
  return (
    <dl class="mt-5 grid grid-cols-[max-content_1fr] gap-x-5 gap-y-2 phone:grid-cols-1 phone:gap-y-0.5">
      <Fact name="Directory">
        <code class="font-mono text-[13px]" data-cwd>
          <Drawn text={q.cwd} />
        </code>
      </Fact>
      <Fact name="Workspace">
        {q.workspace_id === null ? <span class="text-soft">none</span> : <Drawn text={q.workspace_id} />}
        {q.workspace_id !== null && q.workspace_directory === null && (
          <span class="text-soft"> (bound to no directory)</span>
        )}
      </Fact>
      {q.env.length > 0 && (
        <Fact name="Sets">
          <ul data-env>
            {q.env.map(({ name, value }) => (
              <li key={name}>
                <code class="font-mono text-[13px]">
                  <Drawn text={`${name}=${value}`} />
                </code>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name="Shell">
        {q.args === null || q.intent === 'open_only' ? <Drawn text={q.shell} /> : <span class="text-soft">none</span>}
        {q.venv !== null && (
          <span>
            {' '}
            with virtualenv <Drawn text={q.venv} />
          </span>
        )}
      </Fact>
      {q.executables.length > 0 && (
        <Fact name="Programs">
          <ul>
            {[...new Set(q.executables)].map(path => (
              <li key={path}>
                <code class="font-mono text-[13px]">
                  <Drawn text={path} />
                </code>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {q.kill_after_ms !== null && <Fact name="Ends">killed after {inWords(q.kill_after_ms)}, if it still runs</Fact>}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt class="text-soft phone:mt-2 phone:text-[12px]">{name}</dt>
    <dd class="min-w-0">{children}</dd>
  </>
)
