import { KeyRound } from 'lucide'
import { useState } from 'preact/hooks'
import type { WindowController } from '../controller/window-controller.ts'
import { Icon } from '../parts/icon.tsx'

const SHORTEST = 8
const TO_TYPE = 'Your passphrase, to type again into terminals of the host that was killed'
const TO_SEAL =
  'Your passphrase, so that what you decide here still counts after the next start without being asked again'

/** Why the button does nothing yet; null: it does. */
function problemOf(first: string, second: string): string | null {
  if (first === '') return ''
  if ([...first].length < SHORTEST) return `${SHORTEST} characters or more.`
  if (second === '') return ''
  return first === second ? null : 'Those are two different ones.'
}

/** Offers the person a passphrase, or another one: what proves to the next host that they are they. */
export function PassphraseForm({ controller }: { controller: WindowController }) {
  const isSet = controller.state.value.host?.passphrase === true
  const [opened, open] = useState(false)
  if (controller.place.kind === 'editor') return <NotHere />
  return (
    <div data-passphrase={isSet ? 'set' : 'none'}>
      <p class="mb-2 text-[13px] text-soft">
        {isSet
          ? 'It is set. With it you prove in a terminal that it is you, and after a host was killed.'
          : 'Without one, whoever can end the host can start another and answer in it. With it you prove that it is you: in a terminal, and after a host was killed.'}
      </p>
      {opened ? (
        <Fields controller={controller} done={() => open(false)} />
      ) : (
        <button type="button" class="button" onClick={() => open(true)}>
          <Icon of={KeyRound} size={15} /> {isSet ? 'Choose another one' : 'Choose a passphrase'}
        </button>
      )}
    </div>
  )
}

/** Terminals of a host that was killed are nobody's, and what is decided is not sealed, until the person has given the passphrase. */
export function UnlockForm({ controller }: { controller: WindowController }) {
  const { host } = controller.state.value
  const [typed, setTyped] = useState('')
  if (!host?.locked && !host?.unsealed) return null
  if (!host.passphrase)
    return (
      <p class="mb-3" data-unlock="never">
        Terminals of the host that was killed can be read and closed. No passphrase was set, so nobody can prove whose
        they are: nothing is typed into them.
      </p>
    )
  if (controller.place.kind === 'editor') return <NotHere />
  return (
    <form
      class="mb-3 grid gap-2"
      data-unlock="asks"
      onSubmit={event => {
        event.preventDefault()
        void controller.ask({ type: 'terminals_unlock', passphrase: typed })
        setTyped('')
      }}
    >
      <Secret label={host.locked ? TO_TYPE : TO_SEAL} value={typed} set={setTyped} />
      <button type="submit" class="button" disabled={typed === ''}>
        It is me
      </button>
    </form>
  )
}

/** It outlives host and editor, and an editor's extensions share one process: none of them may read along. */
const NotHere = () => (
  <p class="mb-2 text-[13px] text-soft" data-passphrase="not_here">
    The passphrase is given in the window, or with <code class="font-mono">approve</code> in a terminal, and not here:
    other extensions of this editor could read it.
  </p>
)

function Fields({ controller, done }: { controller: WindowController; done: () => void }) {
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const problem = problemOf(first, second)
  return (
    <form
      class="grid max-w-sm gap-2"
      onSubmit={event => {
        event.preventDefault()
        if (problem !== null) return
        void controller.ask({ type: 'passphrase_set', passphrase: first }).then(reply => {
          if (reply?.type !== 'done') return
          controller.say('plain', 'The passphrase is set. It cannot be recovered, only replaced.')
          done()
        })
      }}
    >
      <Secret label="Passphrase" value={first} set={setFirst} />
      <Secret label="The same again" value={second} set={setSecond} />
      <p role="alert" class="min-h-[1.4em] text-[13px] text-grave">
        {problem ?? ''}
      </p>
      <p class="flex gap-2">
        <button type="submit" class="button button-main" disabled={problem !== null}>
          Set it
        </button>
        <button type="button" class="button" onClick={done}>
          Not now
        </button>
      </p>
    </form>
  )
}

const Secret = (props: { label: string; value: string; set: (value: string) => void }) => (
  <label class="grid gap-1 text-[13px]">
    {props.label}
    <input
      class="field"
      type="password"
      autoComplete="new-password"
      maxLength={200}
      value={props.value}
      onInput={({ currentTarget }) => props.set(currentTarget.value)}
    />
  </label>
)
