import type { ReadonlySignal } from '@preact/signals'
import { KeyRound, Monitor, Play, RefreshCw, Settings, Terminal } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { EditorLink, PanelAction, PanelMachine } from '../../contract/window/editor-messages.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { WindowView } from './window.tsx'

export interface PanelState {
  readonly link: EditorLink
  /** null: the editor has not said anything yet. */
  readonly machine: PanelMachine | null
}

type PanelAct = (action: PanelAction) => void

/** The window in an editor's panel; and what there is to do while the editor is not admitted. */
export function PanelView(props: {
  readonly controller: WindowController
  readonly panel: ReadonlySignal<PanelState>
  readonly act: PanelAct
}) {
  const { link, machine } = props.panel.value
  return (
    <div class="flex h-full flex-col">
      {machine && <Machine of={machine} />}
      <div class="relative min-h-0 grow">
        {link.at === 'admitted' ? (
          <WindowView controller={props.controller} />
        ) : (
          <Outside link={link} machine={machine} act={props.act} />
        )}
      </div>
    </div>
  )
}

/** As the editor calls its ways to other machines, in words. */
const WAYS: Readonly<Record<string, string>> = {
  'ssh-remote': 'SSH',
  'dev-container': 'a dev container',
  'attached-container': 'a container',
  wsl: 'WSL',
}

/** Which machine it is that runs what is approved here. */
function Machine({ of: { name, remote } }: { of: PanelMachine }) {
  return (
    <section
      aria-label="Where commands run"
      class="flex shrink-0 items-center gap-1.5 border-b border-line px-3 py-1 text-[12px] text-soft"
      data-machine={remote ?? 'local'}
    >
      <Icon of={Monitor} size={13} />
      <span class="min-w-0 truncate">
        Commands run on <b class="font-medium text-ink">{<Drawn text={name} />}</b>
        {remote === null ? (
          ', this machine'
        ) : (
          <>, where this window is connected to ({<Drawn text={WAYS[remote] ?? remote} />})</>
        )}
      </span>
    </section>
  )
}

function Outside({ link, machine, act }: { link: EditorLink; machine: PanelMachine | null; act: PanelAct }) {
  return (
    <main class="grid h-full place-items-center overflow-y-auto bg-ground p-6">
      <section
        class="w-full max-w-lg rounded-2xl border border-line bg-panel p-6"
        data-panel={link.at}
        aria-live="polite"
      >
        <What link={link} machine={machine} act={act} />
      </section>
    </main>
  )
}

function What({ link, machine, act }: { link: EditorLink; machine: PanelMachine | null; act: PanelAct }) {
  const here = machine?.remote ? 'on the machine this window is connected to' : 'on this machine'
  switch (link.at) {
    case 'looking':
    case 'admitted':
      return <Said title="Looking for the host…" />
    case 'no_host':
      return (
        <Said title={link.why === null ? 'No host runs' : 'The product was not found'}>
          <p>
            {link.why === null ? (
              `No host runs ${here}. It starts by itself when an agent asks for a command that needs approval; then this panel connects.`
            ) : (
              <Drawn text={link.why} as="prose" />
            )}
          </p>
          <p class="mt-4 flex flex-wrap gap-2">
            {link.why === null && <Do act={act} what="start_host" icon={Play} name="Start it now" main />}
            <Do act={act} what="look" icon={RefreshCw} name="Look again" />
            {link.why !== null && <Do act={act} what="settings" icon={Settings} name="Settings" />}
          </p>
        </Said>
      )
    case 'no_host_in_container':
      return (
        <Said title="This window is in a container, and no host runs here">
          <p>
            In a container no host starts by itself, and nothing but you can start one: an agent in there could reach
            it, and so could everything else in the container. Is this container the machine you work on (a dev
            container, a cloud desktop), start one yourself, in a terminal: it asks you to repeat a code.
          </p>
          <pre class="code mt-3 rounded-lg border border-line bg-raised px-3 py-2 whitespace-pre-wrap">
            {link.command}
          </pre>
          <p class="mt-4 flex flex-wrap gap-2">
            <Do act={act} what="type_here_command" icon={Terminal} name="Type it into a terminal" main />
            <Do act={act} what="look" icon={RefreshCw} name="Look again" />
          </p>
          <p class="mt-3 text-[13px] text-soft">It is typed and not sent: you press Enter.</p>
        </Said>
      )
    case 'other_version':
      return (
        <Said title="The host is of another version">
          <p>
            The host is <Drawn text={link.host} />, this extension {link.extension}. A page and a host of two versions
            could show you something else than what runs, so nothing is shown. Update the older one and start the host
            again.
          </p>
          <p class="mt-4">
            <Do act={act} what="look" icon={RefreshCw} name="Look again" />
          </p>
        </Said>
      )
    case 'not_admitted':
    case 'asking':
      return <Admit problem={link.at === 'asking' ? null : link.problem} busy={link.at === 'asking'} act={act} />
  }
}

function Admit({ problem, busy, act }: { problem: string | null; busy: boolean; act: PanelAct }) {
  return (
    <Said title="Admit this editor as an approver">
      <p>
        Prove that it is you. The window, or the terminal that was admitted before, shows a code for this editor: type
        it into the field that opens above. It counts until the host ends or this window is loaded again.
      </p>
      {problem !== null && (
        <p role="alert" class="mt-3 text-grave">
          <Drawn text={problem} as="prose" />
        </p>
      )}
      <p class="mt-4 flex flex-wrap gap-2">
        <Do act={act} what="code" icon={KeyRound} name={busy ? 'Waiting for your code…' : 'Enter a code'} main />
      </p>
      <p class="mt-3 text-[13px] text-soft">
        Where nobody else is admitted the editor asks for your passphrase instead. Other extensions of this editor run
        in the same process and could do with this connection what you can: admit an editor whose extensions you trust.
      </p>
    </Said>
  )
}

const Said = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <>
    <h1 class="mb-2 text-[17px] font-semibold">{title}</h1>
    {children}
  </>
)

function Do(props: { act: PanelAct; what: PanelAction; icon: typeof Monitor; name: string; main?: true }) {
  return (
    <button
      type="button"
      class={`button ${props.main ? 'button-main' : ''}`}
      data-action={props.what}
      onClick={() => props.act(props.what)}
    >
      <Icon of={props.icon} size={15} /> {props.name}
    </button>
  )
}
