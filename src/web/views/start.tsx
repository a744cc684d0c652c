import { Play, Terminal } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { chord } from '../controller/keys.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { openShell } from './open-shell.ts'
import { PassphraseForm } from './passphrase.tsx'

/** Each name once, with how many have it. */
function Names({ of }: { of: readonly string[] }) {
  const counts = new Map<string, number>()
  for (const name of of) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count], i) => (
    <span key={name}>
      {i > 0 && ', '}
      <Drawn text={name} />
      {count > 1 && ` × ${count}`}
    </span>
  ))
}

/** An empty window that teaches: connect a client, try it, and what the keys do. */
export function Start({ controller }: { controller: WindowController }) {
  const { host } = controller.state.value
  const clients = host?.clients ?? []
  return (
    <div class="h-full overflow-y-auto" data-start>
      <div class="mx-auto max-w-[760px] px-6 py-10 phone:px-4 phone:py-6">
        <h1 class="text-[22px] leading-tight font-semibold">No commands waiting.</h1>
        <p class="mt-1.5 text-soft">
          When an agent wants to run a command, the whole command appears here and waits for your answer. Nothing runs
          before.
        </p>
        <Step number={1} title="Connect an agent" done={clients.length > 0}>
          <Entries controller={controller} />
          {clients.length > 0 && (
            <p class="mt-2 text-[13px] text-good" data-clients>
              Connected: <Names of={clients.map(({ name }) => name)} />
            </p>
          )}
        </Step>
        <Step number={2} title="Try it" done={false}>
          <TryIt controller={controller} />
        </Step>
        <Step number={3} title="Choose a passphrase" done={host?.passphrase === true}>
          <PassphraseForm controller={controller} />
        </Step>
        <Step number={4} title="Answer with the keyboard" done={false}>
          <Keys />
        </Step>
      </div>
    </div>
  )
}

function Step(props: { number: number; title: string; done: boolean; children: ComponentChildren }) {
  return (
    <section class="mt-8 grid grid-cols-[2rem_minmax(0,1fr)] phone:grid-cols-1" aria-label={props.title}>
      <span
        aria-hidden="true"
        class={`pill h-6 w-6 justify-center px-0 tabular-nums phone:hidden ${props.done ? 'pill-good' : 'pill-plain'}`}
      >
        {props.number}
      </span>
      <div class="min-w-0">
        <h2 class="mb-2 font-semibold">{props.title}</h2>
        {props.children}
      </div>
    </section>
  )
}

function Entries({ controller }: { controller: WindowController }) {
  const entries = controller.state.value.firstRun?.entries ?? []
  const [chosen, choose] = useState(0)
  const entry = entries[chosen]
  if (!entry) return <p class="text-soft">Waiting for the host…</p>
  return (
    <>
      <div class="mb-2 flex flex-wrap gap-1.5">
        {entries.map(({ client }, i) => (
          <button
            key={client}
            type="button"
            class={`button button-small ${i === chosen ? 'border-accent text-accent' : ''}`}
            aria-pressed={i === chosen}
            onClick={() => choose(i)}
          >
            {client}
          </button>
        ))}
      </div>
      <p class="mb-1 text-[13px] text-soft">
        {entry.kind === 'shell' ? (
          'In a terminal:'
        ) : (
          <>
            In <code class="font-mono">{entry.where}</code>:
          </>
        )}
      </p>
      <div class="relative rounded-xl border border-line bg-raised">
        <pre class="code min-h-12 px-4 py-2.5 pr-12 break-words whitespace-pre-wrap" data-entry={entry.client}>
          {entry.text}
        </pre>
        <CopyButton key={entry.client} text={entry.text} what={`entry for ${entry.client}`} />
      </div>
    </>
  )
}

function TryIt({ controller }: { controller: WindowController }) {
  const { firstRun } = controller.state.value
  if (!firstRun) return null
  return (
    <div class="flex flex-wrap items-center gap-3">
      <button type="button" class="button button-main" data-demo onClick={() => controller.ask({ type: 'demo' })}>
        <Icon of={Play} size={15} /> Ask me something
      </button>
      <span class="min-w-0 text-[13px] text-soft">
        asks to run <code class="font-mono">{firstRun.demo_command}</code>, the way an agent would.
      </span>
      <button type="button" class="button" onClick={() => openShell(controller)}>
        <Icon of={Terminal} size={15} /> Open a shell
      </button>
    </div>
  )
}

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [[chord], 'approve, once it was read to the end'],
  [['⏎'], 'decline (the button that has the keyboard)'],
  [['R'], 'decline with a reason'],
  [['E'], 'edit the line'],
  [['S'], 'remember this approval'],
  [['J', 'K'], 'next question, the one before'],
  [['F6'], 'between questions and terminal'],
]

const Keys = () => (
  <dl class="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5 text-[13px]">
    {KEYS.map(([keys, does]) => [
      <dt key={`${does}-keys`} class="flex gap-1 text-soft">
        {keys.map(key => (
          <kbd key={key} class="key">
            {key}
          </kbd>
        ))}
      </dt>,
      <dd key={does}>{does}</dd>,
    ])}
  </dl>
)
