import { Box } from 'lucide'
import { useState } from 'preact/hooks'
import type { PairedClient } from '../../contract/window/window-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'

/** Every client that was admitted by name, whether it is connected, what it does, and a way to cut it off. */
export function Containers({ controller }: { controller: WindowController }) {
  const { paired } = controller.state.value
  const [leaving, show] = useState<string | null>(null)
  const chosen = paired.find(({ name }) => name === leaving)
  return (
    <section aria-label="Containers" class="max-h-[30%] shrink-0 overflow-y-auto border-t border-line px-4 py-2">
      <h2 class="label mb-1 flex items-center gap-1.5">
        <Icon of={Box} size={13} /> Containers
      </h2>
      <ul class="space-y-1">
        {paired.map(client => (
          <li key={client.name} class="flex items-center gap-2 text-[12.5px]" data-paired={client.name}>
            <span
              aria-hidden="true"
              class={`h-2 w-2 shrink-0 rounded-full ${client.connections > 0 ? 'bg-good' : 'bg-edge'}`}
            />
            <span class="min-w-0 grow">
              <span class="block truncate font-medium">
                <Drawn text={client.name} />
              </span>
              <span class="block text-[12px] text-soft" title={`Paired since ${inFull(client.paired_at)}`}>
                {whatItDoes(client)}
              </span>
            </span>
            <button
              type="button"
              class="ghost h-6 min-w-0 shrink-0 text-[12px] underline"
              aria-label={`Cut off ${client.name}…`}
              onClick={() => show(client.name)}
            >
              Cut off…
            </button>
          </li>
        ))}
      </ul>
      {chosen && <CutOff key={chosen.name} controller={controller} client={chosen} onClose={() => show(null)} />}
    </section>
  )
}

/** Said first, and done only by the second press. */
function CutOff({
  controller,
  client,
  onClose,
}: {
  controller: WindowController
  client: PairedClient
  onClose: () => void
}) {
  const { name, running, pending } = client
  const cutOff = (): void => {
    void controller.ask({ type: 'cut_off', name }).then(reply => {
      if (reply?.type === 'done') controller.say('plain', `${name} is cut off.`)
    })
  }
  return (
    <SureDialog
      title={
        <>
          Cut off <Drawn text={name} />?
        </>
      }
      does="Cut off"
      mark={{ 'data-cut-off': true }}
      onSure={cutOff}
      onClose={onClose}
    >
      <ul class="list-disc space-y-1 pl-5">
        <li>Its key opens nothing any more. It comes back only if you pair it again.</li>
        <li>{client.connections > 0 ? 'It is connected: that ends now.' : 'It is not connected now.'}</li>
        <li>
          {pending > 0
            ? `${count(pending, 'open question')} from it ${is(pending)} withdrawn: what waits for your approval never runs.`
            : 'It asks nothing now.'}
        </li>
        <li>
          {running > 0
            ? `${count(running, 'command')} it started ${is(running)} running and will go on. To end one, close its terminal.`
            : 'It runs nothing now.'}
        </li>
        <li>What you allowed it for a while is over.</li>
      </ul>
    </SureDialog>
  )
}

function whatItDoes({ connections, connected_at, paired_at, running, pending }: PairedClient): string {
  const here =
    connections > 0 && connected_at !== null
      ? `connected since ${inShort(connected_at)}`
      : `not connected, paired ${inShort(paired_at)}`
  return [here, running > 0 && `${running} running`, pending > 0 && `${pending} waiting`].filter(Boolean).join(' · ')
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
const is = (number: number): string => (number === 1 ? 'is' : 'are')

const inFull = (iso: string): string => new Date(iso).toLocaleString()
/** The time today, the day otherwise. */
function inShort(iso: string): string {
  const then = new Date(iso)
  return then.toDateString() === new Date().toDateString()
    ? then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : then.toLocaleDateString()
}
