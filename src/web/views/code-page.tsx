import type { ReadonlySignal } from '@preact/signals'
import { KeyRound } from 'lucide'
import { useState } from 'preact/hooks'
import { clock } from '../../approving/durations.ts'
import type { CodeState } from '../feed/ask-code.ts'
import { Icon } from '../parts/icon.tsx'
import { seconds } from '../parts/waits.tsx'

/** The host did not start this browser (it is in a container, or this is the person's own): the person types the code that it shows. */
export function CodePage(props: {
  state: ReadonlySignal<CodeState>
  enter: (typed: string) => void
  again: () => void
}) {
  const state = props.state.value
  return (
    <main class="grid h-full place-items-center bg-ground p-6">
      <section class="w-full max-w-md rounded-2xl border border-line bg-panel p-6 shadow-xl" data-code-page={state.at}>
        <h1 class="mb-2 flex items-center gap-2 text-[17px] font-semibold">
          <Icon of={KeyRound} /> Admit this page as an approver
        </h1>
        {state.at === 'over' ? (
          <>
            <p role="alert">{state.why}</p>
            <button type="button" class="button mt-4" onClick={props.again}>
              Ask for a new code
            </button>
          </>
        ) : (
          <>
            <p>
              The terminal of the host, or a window that was admitted before, shows a code of nine digits for this page,{' '}
              <b class="break-all">{location.host}</b>: type it here.
            </p>
            <CodeField state={state} enter={props.enter} />
          </>
        )}
      </section>
    </main>
  )
}

function CodeField({ state, enter }: { state: CodeState; enter: (typed: string) => void }) {
  const [typed, setTyped] = useState('')
  const shown = state.at === 'shown' ? state : null
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        enter(typed)
        setTyped('')
      }}
    >
      <input
        class="field my-3 w-full text-center font-mono text-[24px] tracking-wide tabular-nums"
        aria-label="Code"
        aria-describedby="code-problem"
        inputMode="numeric"
        autoComplete="off"
        placeholder="000 000 000"
        maxLength={15}
        disabled={shown === null || shown.busy}
        ref={field => field?.focus()}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <p id="code-problem" role="alert" class="min-h-[1.4em] text-grave">
        {shown?.problem ?? ''}
      </p>
      <p class="mt-2 flex items-center justify-between gap-3">
        <span class="text-[13px] text-soft tabular-nums">
          {shown ? `for ${clock(shown.until - seconds.value)}` : 'asking for a code…'}
        </span>
        <button type="submit" class="button" disabled={shown === null || shown.busy}>
          Admit this page
        </button>
      </p>
    </form>
  )
}
